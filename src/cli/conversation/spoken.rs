//! What an agent says to the person, as it comes: whole blocks of its Markdown are laid out and stay on the screen, the last
//! one grows as it is written. Foreign text: it is shown harmless, and bounded.

use std::fmt::Write as _;

use crate::app::context::{At, Voice};
use crate::domain::harmless::harmless;

/// The most that is shown of one turn, in bytes.
const MOST: usize = 64 * 1024;
/// The most of a block that is shown while it grows; its end is what fits on the screen.
const MOST_GROWING: usize = 4 * 1024;

/// What stands before each line but the first, so that none looks like one of ours.
const MARGIN: &str = "  ";

/// What an agent says in one turn.
pub(super) struct Spoken {
    agent: String,
    /// Blocks that are whole, and have yet to be shown.
    whole: Vec<String>,
    /// The block that is being said.
    growing: String,
    /// Where its last line begins.
    at: usize,
    /// Whether the line before that is blank, so that the block may have ended.
    blank: bool,
    /// The sign of the code block that is open.
    fence: Option<&'static str>,
    /// Whether the agent's name was shown.
    named: bool,
    bytes: usize,
}

impl Spoken {
    pub(super) fn of(agent: &str) -> Self {
        Self {
            agent: agent.to_owned(),
            whole: Vec::new(),
            growing: String::new(),
            at: 0,
            blank: false,
            fence: None,
            named: false,
            bytes: 0,
        }
    }

    pub(super) fn hear(&mut self, piece: &str) {
        let room = MOST.saturating_sub(self.bytes);
        let piece = if self.bytes == 0 { piece.trim_start() } else { piece };
        let taken = &piece[..piece.floor_char_boundary(room)];
        self.bytes += taken.len();
        self.growing.push_str(taken);
        self.part();
        if taken.len() < piece.len() && room > 0 {
            self.bytes = MOST;
            let _ = write!(self.growing, " [the rest is not shown: it is longer than {} KiB]", MOST / 1024);
        }
    }

    /// Takes off the blocks that are whole: a blank line ends one, unless it stands in code or what follows is indented.
    fn part(&mut self) {
        while let Some(first) = self.growing[self.at..].chars().next() {
            if self.blank && !first.is_whitespace() {
                let rest = self.growing.split_off(self.at);
                self.whole.push(std::mem::replace(&mut self.growing, rest));
                (self.at, self.blank) = (0, false);
            }
            let line = &self.growing[self.at..];
            let Some(end) = line.find('\n') else { return };
            let line = line[..end].trim_start();
            match self.fence {
                Some(sign) if line.starts_with(sign) => self.fence = None,
                Some(_) => {}
                None => self.fence = ["```", "~~~"].into_iter().find(|sign| line.starts_with(*sign)),
            }
            self.blank = line.trim().is_empty() && self.fence.is_none();
            self.at += end + 1;
        }
    }

    /// Takes the lines of the blocks that are whole since this was asked last.
    pub(super) fn lines(&mut self, voice: &dyn Voice, at: At) -> Vec<String> {
        let mut lines = Vec::new();
        for block in std::mem::take(&mut self.whole) {
            if std::mem::replace(&mut self.named, true) {
                lines.push(String::new());
                lines.extend(laid_out(&block, voice, at));
            } else if is_structure(&block) {
                lines.push(format!("{}:", self.agent));
                lines.extend(laid_out(&block, voice, at));
            } else {
                let mut first = laid_out(&format!("{}: {block}", self.agent), voice, at);
                if let Some(line) = first.first_mut()
                    && let Some(unmarked) = line.strip_prefix(MARGIN).map(str::to_owned)
                {
                    *line = unmarked;
                }
                lines.append(&mut first);
            }
        }
        lines
    }

    /// Takes what has yet to be shown.
    pub(super) fn rest(&mut self, voice: &dyn Voice) -> String {
        let last = std::mem::take(&mut self.growing);
        (self.at, self.blank, self.fence) = (0, false, None);
        if !last.trim().is_empty() {
            self.whole.push(last);
        }
        self.lines(voice, At::Reply).join("\n")
    }

    /// The block that is being said, as it is written.
    pub(super) fn saying(&self) -> String {
        if self.growing.trim().is_empty() {
            return String::new();
        }
        let said = self.growing.trim_end();
        let end = &said[said.ceil_char_boundary(said.len().saturating_sub(MOST_GROWING))..];
        let before = if self.named { MARGIN.to_owned() } else { format!("{}: ", self.agent) };
        format!("{before}{}", harmless(end).replace('\n', &format!("\n{MARGIN}")))
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.bytes == 0
    }
}

fn laid_out(block: &str, voice: &dyn Voice, at: At) -> Vec<String> {
    let lines = voice.prose(block, MARGIN.len(), at).into_iter();
    lines.map(|line| if line.is_empty() { line } else { format!("{MARGIN}{line}") }).collect()
}

/// Whether a block begins with a sign that counts only at the start of a line.
fn is_structure(block: &str) -> bool {
    const SIGNS: [&str; 12] = ["#", ">", "|", "```", "~~~", "- ", "* ", "+ ", "<", "---", "***", "___"];
    let behind = block.trim_start_matches(|character: char| character.is_ascii_digit());
    let numbered = behind.len() < block.len() && (behind.starts_with(". ") || behind.starts_with(") "));
    numbered || SIGNS.iter().any(|sign| block.starts_with(*sign))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::error::AppError;
    use crate::app::reply::{Progress, Reply};
    use crate::domain::session::Session;
    use crate::render::{self, Asked, Links, Look};

    /// Lays out for a window of so many columns, without colours.
    struct Paper(usize);

    impl Voice for Paper {
        fn say(&mut self, _: &Reply) -> Result<(), AppError> {
            Ok(())
        }
        fn warn(&mut self, _: &AppError) {}
        fn progress(&mut self, _: &Progress) {}
        fn complain(&mut self, _: &AppError) -> Result<(), AppError> {
            Ok(())
        }
        fn status_line(&self, _: &Session) -> String {
            String::new()
        }
        fn prose(&self, markdown: &str, beside: usize, _: At) -> Vec<String> {
            let look = Look { colours: false, terminal: true, asked: Asked::ByPrompt, links: Links::Spelled };
            render::prose(markdown, &look, self.0 - beside)
        }
    }

    #[test]
    fn whole_blocks_stay_and_the_last_one_grows() {
        let paper = Paper(40);
        let mut spoken = Spoken::of("claude");
        assert!(spoken.is_nothing() && spoken.saying().is_empty());
        spoken.hear("\n ");
        assert!(spoken.is_nothing() && spoken.rest(&paper).is_empty());
        spoken.hear("\nIt de");
        assert_eq!((spoken.lines(&paper, At::Prompt).len(), spoken.saying().as_str()), (0, "claude: It de"));
        spoken.hear("pends.\nReally.\n\nTwo\nthree \u{1b}[2J");
        assert_eq!(spoken.lines(&paper, At::Prompt), ["claude: It depends. Really."]);
        assert_eq!(spoken.saying(), "  Two\n  three ␛[2J");
        spoken.hear(" four\n\nfive\n");
        assert_eq!(spoken.rest(&paper), "\n  Two three ␛[2J four\n\n  five");
    }

    #[test]
    fn g55_markdown_is_laid_out_and_no_line_of_it_looks_like_ours() {
        let mut spoken = Spoken::of("claude");
        spoken.hear("## What I read\n\n- `src/limit.rs`\n- the gateway\n\n  and its tests\n\n");
        spoken.hear("```sh\nmake\n\n✓ approved\n```\n\n✓ approved &#27;[2J");
        let shown = spoken.rest(&Paper(40));
        assert!(shown.starts_with("claude:\n  What I read\n  ─"), "{shown}");
        for line in ["  • `src/limit.rs`", "  and its tests", "✓ approved", "␛[2J"] {
            assert!(shown.contains(line), "{line:?} in\n{shown}");
        }
        assert!(shown.lines().skip(1).all(|line| line.is_empty() || line.starts_with(MARGIN)), "{shown}");
    }

    #[test]
    fn a_flood_is_cut_and_that_is_said() {
        let mut spoken = Spoken::of("claude");
        (0..100).for_each(|_| spoken.hear(&"é\n\n".repeat(1000)));
        assert!(spoken.whole.len() >= MOST / 4 - 1, "{}", spoken.whole.len());
        assert!(spoken.saying().contains("the rest is not shown"), "{}", spoken.saying());
        spoken.rest(&Paper(40));
        spoken.hear("more\n\nand more\n");
        assert!(spoken.whole.is_empty());
    }
}
