//! A Markdown document by its headings: enough structure to add a line to a section or to read one, and every byte that
//! nobody touches stays as it is.

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
        self.heading.as_deref().and_then(heading_level).unwrap_or(0)
    }

    pub fn title(&self) -> &str {
        let line = self.heading.as_deref().unwrap_or_default();
        line.trim().trim_matches('#').trim()
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
        let mut fence: Option<Fence> = None;
        for line in markdown.lines() {
            match &fence {
                Some(open) if open.closed_by(line) => fence = None,
                Some(_) => {}
                None => {
                    fence = Fence::opened_by(line);
                    if fence.is_none() && heading_level(line).is_some() {
                        sections.push(Section { heading: Some(line.to_owned()), body: Vec::new() });
                        continue;
                    }
                }
            }
            if let Some(section) = sections.last_mut() {
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

/// An open code fence.
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let line = unindented(line)?;
        let mark = line.chars().next().filter(|first| matches!(first, '`' | '~'))?;
        let length = line.chars().take_while(|one| *one == mark).count();
        let info = &line[length..];
        (length >= 3 && !(mark == '`' && info.contains('`'))).then_some(Self { mark, length })
    }

    fn closed_by(&self, line: &str) -> bool {
        let Some(line) = unindented(line) else {
            return false;
        };
        let line = line.trim_end();
        line.chars().count() >= self.length && line.chars().all(|one| one == self.mark)
    }
}

/// The line without up to three leading spaces; four make it code.
fn unindented(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    (line.len() - rest.len() <= 3).then_some(rest)
}

fn heading_level(line: &str) -> Option<usize> {
    let line = unindented(line)?;
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = &line[level..];
    ((1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']))).then_some(level)
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
}
