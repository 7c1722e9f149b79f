//! A Markdown document by its headings: enough structure to add a line to a section or to read one, and every byte that
//! nobody touches stays as it is. And what a line of Markdown is, for everybody who reads some: a heading, an entry of a
//! list, code.

/// A heading of level one to six with the lines below it, up to the next heading of any level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading's line as it stands; `None` for what comes before the first heading.
    pub heading: Option<String>,
    /// The lines below it, blank ones included.
    pub body: Vec<String>,
}

/// A document cut at its headings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    pub sections: Vec<Section>,
}

impl Section {
    /// The heading's level, 1 to 6; 0 for what comes before the first heading.
    pub fn level(&self) -> usize {
        self.heading.as_deref().and_then(heading).map_or(0, |(level, _)| level)
    }

    pub fn title(&self) -> &str {
        self.heading.as_deref().and_then(heading).map_or("", |(_, title)| title)
    }

    pub fn is_blank(&self) -> bool {
        self.body.iter().all(|line| line.trim().is_empty())
    }

    /// The body without the blank lines around it.
    pub fn content(&self) -> &[String] {
        let blank = |line: &String| line.trim().is_empty();
        let start = self.body.iter().position(|line| !blank(line)).unwrap_or(self.body.len());
        let end = self.body.iter().rposition(|line| !blank(line)).map_or(start, |last| last + 1);
        &self.body[start..end]
    }
}

impl Outline {
    /// Cuts a document. Headings inside fenced code are text.
    pub fn parse(markdown: &str) -> Self {
        let mut sections = vec![Section { heading: None, body: Vec::new() }];
        let mut code = Fences::new(Stands::AtMargin);
        for line in markdown.lines() {
            if !code.holds(line) && heading(line).is_some() {
                sections.push(Section { heading: Some(line.to_owned()), body: Vec::new() });
            } else if let Some(section) = sections.last_mut() {
                section.body.push(line.to_owned());
            }
        }
        Self { sections }
    }

    /// The first section of level two with this title; letter case and white space around it do not matter.
    pub fn find(&self, title: &str) -> Option<usize> {
        self.sections.iter().position(|section| section.level() == 2 && section.title().eq_ignore_ascii_case(title))
    }

    /// The document again; what was not changed is byte for byte what was parsed, up to the end of the last line.
    pub fn render(&self) -> String {
        let mut text = String::new();
        for section in &self.sections {
            for line in section.heading.iter().chain(&section.body) {
                text.push_str(line);
                text.push('\n');
            }
        }
        text
    }
}

/// A fence around code: what opened it, so that one knows what closes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    /// The fence that this line opens; its indentation is the caller's business.
    pub fn opened_by(line: &str) -> Option<Self> {
        let mark = line.chars().next().filter(|first| matches!(first, '`' | '~'))?;
        let length = line.chars().take_while(|one| *one == mark).count();
        let info = &line[length..];
        (length >= 3 && !(mark == '`' && info.contains('`'))).then_some(Self { mark, length })
    }

    /// The fence that opens behind the marks of bullets, numbers and quotations, with those marks.
    pub fn opened_behind_marks(line: &str) -> Option<(&str, Self)> {
        let mut rest = line.trim_start();
        while let Some(behind) = behind_marks(rest) {
            rest = behind.trim_start();
        }
        Self::opened_by(rest).map(|fence| (&line[..line.len() - rest.len()], fence))
    }

    /// Whether this line closes it; its indentation is the caller's business.
    pub fn closed_by(&self, line: &str) -> bool {
        let line = line.trim_end();
        line.chars().count() >= self.length && line.chars().all(|one| one == self.mark)
    }

    /// The line that closes it.
    pub fn mark(&self) -> String {
        self.mark.to_string().repeat(self.length)
    }
}

/// Where a fence stands that opens code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// At most three blanks in; four make it code.
    AtMargin,
    /// However far in, since the line may belong to an entry of a list.
    Anywhere,
    /// Behind the marks of lists and quotations as well.
    BehindMarks,
}

/// Follows the fences of a text, line by line.
#[derive(Debug)]
pub struct Fences {
    stands: Stands,
    open: Option<Fence>,
}

impl Fences {
    pub fn new(stands: Stands) -> Self {
        Self { stands, open: None }
    }

    /// Whether the lines before left code open.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Whether the next line is code, or opens or closes it.
    pub fn holds(&mut self, line: &str) -> bool {
        let bare = match self.stands {
            Stands::AtMargin => unindented(line),
            Stands::Anywhere | Stands::BehindMarks => Some(line.trim_start()),
        };
        if let Some(open) = self.open {
            self.open = Some(open).filter(|open| !bare.is_some_and(|bare| open.closed_by(bare)));
            return true;
        }
        self.open = match self.stands {
            Stands::AtMargin | Stands::Anywhere => bare.and_then(Fence::opened_by),
            Stands::BehindMarks => Fence::opened_behind_marks(line).map(|(_, fence)| fence),
        };
        self.is_open()
    }
}

/// The line without up to three leading spaces; four make it code.
fn unindented(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    (line.len() - rest.len() <= 3).then_some(rest)
}

/// The level and the title of a heading, 1 to 6; whether it stands in code, [`Fences`] knows.
pub fn heading(line: &str) -> Option<(usize, &str)> {
    let line = unindented(line)?;
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = &line[level..];
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    // Marks at the end close it only behind a blank: `# C#` is about C#.
    let title = rest.trim();
    let closed = title.trim_end_matches('#');
    let is_closed = closed.is_empty() || closed.ends_with([' ', '\t']);
    Some((level, if is_closed { closed.trim_end() } else { title }))
}

/// The text behind the mark of a bullet or a number, with the blanks that stand between them.
pub fn behind_mark(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let marks: &[char] = if digits == 0 { &['-', '*', '+'] } else { &['.', ')'] };
    let behind = line[digits..].strip_prefix(marks)?;
    (digits <= 9 && behind.starts_with([' ', '\t'])).then_some(behind)
}

/// Whether a line is set in, and so belongs to the item above it.
pub fn is_nested(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// Lines that stood below an item, moved out by as much as the first of them was set in.
pub fn moved_out(lines: &[String]) -> Vec<String> {
    let indent =
        lines.iter().find(|line| !line.trim().is_empty()).map_or(0, |line| line.len() - line.trim_start().len());
    let move_out = |line: &String| {
        let blanks = line.len() - line.trim_start().len();
        line.get(blanks.min(indent)..).unwrap_or_default().to_owned()
    };
    lines.iter().map(move_out).collect()
}

/// Where the item ends that begins at `start`: behind all that is set in below it, and the lines that go on with it.
pub fn item_end(body: &[String], start: usize) -> usize {
    let goes_on = |rest: &[String]| {
        let is_lazy = |line: &String| !line.trim().is_empty() && behind_mark(line).is_none();
        // A paragraph of its own that is set in belongs to it.
        let next = rest.iter().find(|line| !line.trim().is_empty());
        rest.first().is_some_and(is_lazy) || next.is_some_and(|line| is_nested(line))
    };
    let mut end = start + 1;
    while goes_on(&body[end..]) {
        end += 1;
    }
    end
}

/// The same behind the mark of a quotation as well, which needs no blank.
pub fn behind_marks(line: &str) -> Option<&str> {
    line.strip_prefix('>').or_else(|| behind_mark(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_touched_stays_byte_for_byte() {
        for text in [
            "",
            "no heading\n",
            "# A\n\n## B\n\ntext\n\n\n## C\n### D\nx\n",
            "```\n## not a heading\n```\n## One\n",
            "  \n## A ##\n\tx\n",
        ] {
            assert_eq!(Outline::parse(text).render(), text);
        }
    }

    #[test]
    fn headings_in_code_are_text() {
        let outline = Outline::parse("## A\n~~~\n## x\n```\n~~~\n    ## y\n#hash\n## B\n> ## quoted\n");
        let titles: Vec<&str> = outline.sections.iter().map(Section::title).collect();
        assert_eq!(titles, ["", "A", "B"]);
        assert_eq!(outline.find("b"), Some(2));
        assert_eq!(outline.find("x"), None);
    }

    #[test]
    fn a_fence_is_followed_where_it_may_stand() {
        let code = |stands, text: &str| -> String {
            let mut fences = Fences::new(stands);
            text.lines().map(|line| if fences.holds(line) { 'c' } else { '-' }).collect()
        };
        for (text, at_margin, anywhere, behind_marks) in [
            ("a\n```sh\nb\n```\nc", "-ccc-", "-ccc-", "-ccc-"),
            ("    ```\nb\n    ```\nc", "----", "ccc-", "ccc-"),
            ("- ```\n  b\n  ```\nc", "--cc", "--cc", "ccc-"),
            ("````\n```\n~~~\n`````\nc", "cccc-", "cccc-", "cccc-"),
            ("```\n    ```\n```\nc", "ccc-", "cccc", "cccc"),
            ("```x```\n> 1. ~~~ `", "--", "--", "-c"),
        ] {
            assert_eq!(code(Stands::AtMargin, text), at_margin, "{text:?}");
            assert_eq!(code(Stands::Anywhere, text), anywhere, "{text:?}");
            assert_eq!(code(Stands::BehindMarks, text), behind_marks, "{text:?}");
        }
    }

    #[test]
    fn headings_and_entries_are_known_by_their_marks() {
        for (line, expected) in [
            ("# A", Some((1, "A"))),
            ("   ## A b ##", Some((2, "A b"))),
            ("###### ", Some((6, ""))),
            ("# C#", Some((1, "C#"))),
            ("## ##", Some((2, ""))),
            ("####### A", None),
            ("    # A", None),
            ("#A", None),
        ] {
            assert_eq!(heading(line), expected, "{line:?}");
        }
        for (line, expected) in [
            ("- a", Some(" a")),
            ("12)\ta", Some("\ta")),
            ("1234567890. a", None),
            ("-a", None),
            ("1 a", None),
            ("> a", None),
        ] {
            assert_eq!(behind_mark(line), expected, "{line:?}");
        }
        assert_eq!(behind_marks(">a"), Some("a"));
    }
}
