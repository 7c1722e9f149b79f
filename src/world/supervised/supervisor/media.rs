//! Pictures on their way to an agent, and media on their way from one (A19, A20).

use std::path::Path;

use crate::acp::resource::Resource;
use crate::acp::update::CallUpdate;
use crate::app::error::AppError;
use crate::domain::agents::failure::{Failure, FailureCode};
use crate::domain::agents::media::{MOST_MADE, MOST_MEDIA, Media, MediaKind, paths_in};
use crate::domain::agents::{Command, TurnHandle};
use crate::domain::text::Line;
use crate::world::supervised::named::named;

use super::Supervisor;

/// So many paths are remembered of the tool calls of a turn, and looked for in its words.
const MOST_NAMED: usize = 64;

impl Supervisor<'_> {
    /// What goes with the prompt of a turn; the failure of one that cannot be sent as it is meant.
    pub(super) fn resources(&self, turn: TurnHandle) -> Result<Vec<Resource>, Failure> {
        let media: Vec<Media> = self.book.session().turn(turn).map(|turn| turn.media.clone()).unwrap_or_default();
        if media.is_empty() {
            return Ok(Vec::new());
        }
        let failure = |code, why| Failure { code, why: Line::clipped(why) };
        if !self.lent.embeds() {
            let why = "the agent takes no pictures, so the prompt was not sent";
            return Err(failure(FailureCode::EmbeddedContextUnsupported, why));
        }
        let lost = || {
            failure(
                FailureCode::MediaLost,
                "a picture in the session's directory is missing or was changed, so the prompt was not sent",
            )
        };
        let all = self.book.media(&media).ok_or_else(lost)?;
        let resource = |(media, bytes): (&Media, Vec<u8>)| {
            let uri = format!("file://{}", percent_encoded(&self.book.media_path(media)));
            Resource { uri, mime: media.kind().mime(), bytes }
        };
        Ok(media.iter().zip(all).map(resource).collect())
    }

    /// Notes the paths of media that a tool call names.
    pub(super) fn note_named(&mut self, call: &CallUpdate) {
        let places = call.places.iter().map(String::as_str).filter(|path| MediaKind::of_name(path).is_some());
        let found = places.chain(paths_in(&call.text, MOST_NAMED)).map(str::to_owned);
        let room = MOST_NAMED - self.named.len();
        let new: Vec<String> = found.take(room).collect();
        self.named.extend(new);
    }

    /// Copies the media of which the agent told in this turn, as far as they are files of its own. Others are none of ours.
    pub(super) fn keep_made(&mut self) -> Result<(), AppError> {
        let Some(turn) = self.book.session().active_turn().map(|turn| turn.handle) else { return Ok(()) };
        let mut paths = std::mem::take(&mut self.named);
        let said = self.book.said(turn).unwrap_or_default();
        paths.extend(paths_in(&said, MOST_NAMED).into_iter().map(str::to_owned));
        let mut made: Vec<Media> = Vec::new();
        for path in &paths {
            let Some(bytes) = self.lent.own_file(Path::new(path), MOST_MADE) else { continue };
            let kind = MediaKind::of_name(path).filter(|kind| MediaKind::of_bytes(&bytes) == Some(*kind));
            let Some(media) = kind.and_then(|kind| named(&bytes, kind)) else { continue };
            if made.len() < MOST_MEDIA && !made.contains(&media) {
                self.book.keep(&media, &bytes)?;
                made.push(media);
            }
        }
        self.book.act(&Command::RecordMade { media: made })
    }
}

/// A path as a URI has it (RFC 3986).
fn percent_encoded(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte);
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    bytes.map(|byte| if plain(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a19_a_path_is_named_as_a_uri_has_it() {
        assert_eq!(percent_encoded(Path::new("/r/a b/é.png")), "/r/a%20b/%C3%A9.png");
    }
}
