//! Markdown on a terminal: parsed by a parser, laid out for a window. Piped, a document stays as it was written.
//!
//! Whoever wrote the document may mean harm: every piece of text passes [`harmless`] after parsing, since `&#27;` is an
//! escape character only then, and comments are shown, since whoever works with the document reads them, too.

mod page;
mod spans;
mod table;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

use super::harmless;
use super::palette::Look;
use page::Page;
use spans::Ink;
use table::Table;

/// A document: laid out for a window of so many columns on a terminal, else untouched.
pub(super) fn document(markdown: &str, look: &Look, columns: usize) -> String {
    if !look.terminal {
        return markdown.to_owned();
    }
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut reader = Reader { page: Page::new(look, columns), preformatted: None, table: None };
    for event in Parser::new_ext(markdown, options) {
        reader.take(event);
    }
    reader.page.finished()
}

/// Follows the parser and tells the page what to put where.
struct Reader<'l> {
    page: Page<'l>,
    /// Text whose line breaks count.
    preformatted: Option<String>,
    table: Option<Table>,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) => match &mut self.preformatted {
                Some(lines) => lines.push_str(&text),
                None => self.page.say(&one_line(&text)),
            },
            Event::Code(text) => self.inked(Ink::Code, &format!("`{}`", one_line(&text))),
            Event::InlineHtml(text) => self.inked(Ink::Muted, &one_line(&text)),
            // Of extensions that are not switched on.
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.page.say(&one_line(&text));
            }
            Event::SoftBreak => self.page.say(" "),
            Event::HardBreak => self.page.say("\n"),
            Event::Rule => self.page.rule(),
            Event::TaskListMarker(done) => self.page.say(if done { "[x] " } else { "[ ] " }),
        }
    }

    fn inked(&mut self, ink: Ink, text: &str) {
        self.page.ink(ink);
        self.page.say(text);
        self.page.unink();
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.page.paragraph(),
            Tag::Heading { level, .. } => {
                self.page.block();
                self.page.ink(Ink::Strong);
                if !matches!(level, HeadingLevel::H1 | HeadingLevel::H2) {
                    self.page.say(&format!("{} ", "#".repeat(level as usize)));
                }
            }
            Tag::BlockQuote(_) => self.page.quote(),
            Tag::CodeBlock(kind) => {
                self.page.block();
                self.preformatted = Some(String::new());
                if let CodeBlockKind::Fenced(language) = kind
                    && !language.trim().is_empty()
                {
                    self.page.label(&one_line(language.trim()));
                }
            }
            Tag::HtmlBlock => {
                self.page.block();
                self.preformatted = Some(String::new());
            }
            Tag::List(first) => self.page.list(first),
            Tag::Item => self.page.item(),
            Tag::Table(alignments) => {
                self.page.block();
                self.table = Some(Table::new(alignments));
            }
            Tag::TableHead | Tag::TableRow => self.table.iter_mut().for_each(Table::row),
            Tag::TableCell => {}
            Tag::Emphasis => self.marked(Ink::Emphasis, "*"),
            Tag::Strong => self.marked(Ink::Strong, "**"),
            Tag::Strikethrough => {
                self.page.ink(Ink::Muted);
                self.page.say("~~");
            }
            Tag::Link { link_type: LinkType::Email, dest_url, .. } => {
                self.page.link(format!("mailto:{}", one_line(&dest_url)));
            }
            Tag::Link { dest_url, .. } => self.page.link(one_line(&dest_url)),
            Tag::Image { dest_url, .. } => {
                self.page.say("[image: ");
                self.page.link(one_line(&dest_url));
            }
            // Of extensions that are not switched on.
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => self.page.block(),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            // The others are of extensions that are not switched on.
            TagEnd::Paragraph
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => self.page.end_paragraph(),
            TagEnd::Heading(level) => {
                self.page.unink();
                self.page.end_heading(match level {
                    HeadingLevel::H1 => Some("═"),
                    HeadingLevel::H2 => Some("─"),
                    HeadingLevel::H3 | HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => None,
                });
            }
            TagEnd::BlockQuote(_) => self.page.end_quote(),
            TagEnd::CodeBlock => {
                let code = self.preformatted.take().unwrap_or_default();
                self.page.code(&harmless(&code));
            }
            TagEnd::HtmlBlock => {
                let html = self.preformatted.take().unwrap_or_default();
                self.page.html(&harmless(&html));
            }
            TagEnd::List(_) => self.page.end_list(),
            TagEnd::Item => self.page.end_item(),
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.page.table(&table);
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {}
            TagEnd::TableCell => {
                let cell = self.page.taken();
                self.table.iter_mut().for_each(|table| table.cell(cell.clone()));
            }
            TagEnd::Emphasis => self.unmarked("*"),
            TagEnd::Strong => self.unmarked("**"),
            TagEnd::Strikethrough => {
                self.page.say("~~");
                self.page.unink();
            }
            TagEnd::Link => self.page.end_link(""),
            TagEnd::Image => self.page.end_link("]"),
        }
    }

    /// What is in a type of its own where there are types, and between the signs of Markdown where there are none.
    fn marked(&mut self, ink: Ink, sign: &str) {
        self.page.ink(ink);
        if !self.page.look.colours {
            self.page.say(sign);
        }
    }

    fn unmarked(&mut self, sign: &str) {
        if !self.page.look.colours {
            self.page.say(sign);
        }
        self.page.unink();
    }
}

/// Foreign text within a line: `&#10;` must not begin a new one.
fn one_line(text: &str) -> String {
    harmless(text).replace('\n', " ")
}

#[cfg(test)]
mod tests;
