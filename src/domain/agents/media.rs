//! Pictures that go with a prompt, and media that an agent made (A19, A20): what is taken, judged by its bytes, and the name
//! under which a copy lies.

use serde::{Deserialize, Serialize};

/// The most files that go with one prompt, and that are taken over from one turn.
pub const MOST_MEDIA: usize = 8;
/// The most bytes of the files of one prompt together: as base64 they fit into the longest line of the protocol.
pub const MOST_SENT: usize = 10 * 1024 * 1024;
/// The most bytes of a file that an agent made.
pub const MOST_MADE: usize = 64 * 1024 * 1024;
/// The shortest side of a picture, in pixels.
pub const LEAST_SIDE: usize = 8;
/// The smallest area of a picture, in pixels.
pub const LEAST_AREA: usize = 512;

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MediaKind {
    Png,
    Jpeg,
    Webp,
    Mp4,
    Webm,
}

/// A kind: its name, its type on the internet, and how its files' names end.
type Row = (MediaKind, &'static str, &'static str, &'static [&'static str]);

const KINDS: [Row; 5] = [
    (MediaKind::Png, "PNG", "image/png", &["png"]),
    (MediaKind::Jpeg, "JPEG", "image/jpeg", &["jpg", "jpeg"]),
    (MediaKind::Webp, "WebP", "image/webp", &["webp"]),
    (MediaKind::Mp4, "MP4", "video/mp4", &["mp4"]),
    (MediaKind::Webm, "WebM", "video/webm", &["webm"]),
];

impl MediaKind {
    fn row(self) -> &'static Row {
        KINDS.iter().find(|row| row.0 == self).unwrap_or(&KINDS[0])
    }

    pub fn name(self) -> &'static str {
        self.row().1
    }

    pub fn mime(self) -> &'static str {
        self.row().2
    }

    /// How the name of a copy ends.
    pub fn extension(self) -> &'static str {
        self.row().3[0]
    }

    /// The kind that a file's name tells, in any case.
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        let is_one = |row: &&Row| row.3.iter().any(|known| extension.eq_ignore_ascii_case(known));
        KINDS.iter().find(is_one).map(|row| row.0)
    }

    /// The kind that a file's bytes tell, by their signature.
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let riff_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP".as_slice());
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [0x1a, 0x45, 0xdf, 0xa3, ..] => Some(Self::Webm),
            _ if riff_webp => Some(Self::Webp),
            _ if bytes.get(4..8) == Some(b"ftyp".as_slice()) => Some(Self::Mp4),
            _ => None,
        }
    }

    /// Whether it goes with a prompt: pictures do.
    pub fn is_picture(self) -> bool {
        match self {
            Self::Png | Self::Jpeg | Self::Webp => true,
            Self::Mp4 | Self::Webm => false,
        }
    }
}

/// A copy of a file, named by its content: 64 hexadecimal digits of SHA-256, and the extension of its kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Media {
    digest: String,
    kind: MediaKind,
}

impl Media {
    /// `digest` is the SHA-256 of its bytes in lower-case hexadecimal digits; none where it is not that.
    pub fn new(digest: &str, kind: MediaKind) -> Option<Self> {
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_digest.then(|| Self { digest: digest.to_owned(), kind })
    }

    pub fn kind(&self) -> MediaKind {
        self.kind
    }

    /// The name of the copy.
    pub fn file_name(&self) -> String {
        format!("{}.{}", self.digest, self.kind.extension())
    }

    /// The media that a copy of this name is.
    pub fn parse(name: &str) -> Option<Self> {
        let (digest, extension) = name.split_once('.')?;
        let kind = KINDS.iter().find(|row| row.0.extension() == extension)?.0;
        Self::new(digest, kind)
    }
}

impl From<Media> for String {
    fn from(media: Media) -> Self {
        media.file_name()
    }
}

impl TryFrom<String> for Media {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::parse(&name).ok_or_else(|| format!("'{name}' is no name of a copy"))
    }
}

/// Why a file does not go with a prompt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMedia {
    #[error("its extension is not .png, .jpg, .jpeg or .webp")]
    Extension,
    #[error("it is not a {0} file")]
    Signature(&'static str),
    #[error("its size in pixels cannot be read")]
    Damaged,
    #[error("it is {width} x {height} pixels; it needs at least {LEAST_SIDE} on each side and an area of {LEAST_AREA}")]
    TooSmall { width: usize, height: usize },
}

/// The kind of a picture of this name with these bytes; `measured` is its width and height, where they can be read.
pub fn admitted(name: &str, bytes: &[u8], measured: Option<(usize, usize)>) -> Result<MediaKind, NoMedia> {
    let kind = MediaKind::of_name(name).filter(|kind| kind.is_picture()).ok_or(NoMedia::Extension)?;
    if MediaKind::of_bytes(bytes) != Some(kind) {
        return Err(NoMedia::Signature(kind.name()));
    }
    let (width, height) = measured.ok_or(NoMedia::Damaged)?;
    if width.min(height) < LEAST_SIDE || width.saturating_mul(height) < LEAST_AREA {
        return Err(NoMedia::TooSmall { width, height });
    }
    Ok(kind)
}

/// The absolute paths in a text that may be those of media, at most this many. What stands around a path in Markdown and in
/// messages is none of it.
pub fn paths_in(text: &str, most: usize) -> Vec<&str> {
    let around = |c: char| c.is_whitespace() || "\"'`<>()[]|*,;".contains(c);
    let words = text.split(around).map(|word| word.trim_end_matches(['.', ':', '!', '?']));
    // Code may hold a path with blanks.
    let code = text.split('`').skip(1).step_by(2).filter(|code| code.contains(' '));
    let paths = words.chain(code).map(|path| path.strip_prefix("file://").unwrap_or(path));
    paths.filter(|path| path.starts_with('/') && MediaKind::of_name(path).is_some()).take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n----";
    const JPEG: &[u8] = b"\xff\xd8\xff\xe0";
    const WEBP: &[u8] = b"RIFF\0\0\0\0WEBPVP8 ";

    #[test]
    fn a19_a_picture_is_what_its_name_and_its_bytes_both_say() {
        let sizes = Some((64, 8));
        for (name, bytes, size, expected) in [
            ("a.png", PNG, sizes, Ok(MediaKind::Png)),
            ("a.JPG", JPEG, sizes, Ok(MediaKind::Jpeg)),
            ("a.b.jpeg", JPEG, sizes, Ok(MediaKind::Jpeg)),
            ("a.webp", WEBP, sizes, Ok(MediaKind::Webp)),
            ("a.gif", b"GIF89a", sizes, Err(NoMedia::Extension)),
            ("a.mp4", b"\0\0\0\x18ftypisom", sizes, Err(NoMedia::Extension)),
            ("png", PNG, sizes, Err(NoMedia::Extension)),
            ("a.png", JPEG, sizes, Err(NoMedia::Signature("PNG"))),
            ("a.jpg", b"<svg/>", sizes, Err(NoMedia::Signature("JPEG"))),
            ("a.webp", b"RIFF\0\0\0\0WAVE", sizes, Err(NoMedia::Signature("WebP"))),
            ("a.png", b"", sizes, Err(NoMedia::Signature("PNG"))),
            ("a.png", PNG, None, Err(NoMedia::Damaged)),
            ("a.png", PNG, Some((7, 1000)), Err(NoMedia::TooSmall { width: 7, height: 1000 })),
            ("a.png", PNG, Some((8, 63)), Err(NoMedia::TooSmall { width: 8, height: 63 })),
            ("a.png", PNG, Some((8, usize::MAX)), Ok(MediaKind::Png)),
        ] {
            assert_eq!(admitted(name, bytes, size), expected, "{name} {size:?}");
        }
    }

    #[test]
    fn a19_a_copy_is_named_by_its_content_and_by_nothing_else() {
        let digest = "1a".repeat(32);
        for (kind, _, _, _) in KINDS {
            let media = Media::new(&digest, kind).unwrap();
            assert_eq!(Media::parse(&media.file_name()), Some(media.clone()));
            assert_eq!(Media::try_from(String::from(media.clone())), Ok(media));
        }
        for name in ["", "x.png", "../x.png", &format!("{digest}.svg"), &format!("{digest}.jpeg"), &digest] {
            assert_eq!(Media::parse(name), None, "{name}");
        }
        assert_eq!(Media::new(&"1A".repeat(32), MediaKind::Png), None);
    }

    #[test]
    fn a20_paths_are_found_in_what_an_agent_says() {
        let text =
            "Saved [it](/h/.grok/s/1.png), and `/h/a.mp4`: see file:///h/b.webm. Not a.png nor /h/c.txt /h/d.JPG!";
        assert_eq!(paths_in(text, 9), ["/h/.grok/s/1.png", "/h/a.mp4", "/h/b.webm", "/h/d.JPG"]);
        assert_eq!(paths_in(text, 1), ["/h/.grok/s/1.png"]);
        assert_eq!(paths_in("see `/h/my pictures/a.png` and `b c`", 9), ["/h/my pictures/a.png"]);
    }
}
