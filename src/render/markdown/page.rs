//! The page: what stands at the left of each line, where blank lines are due, and text that becomes lines.

use std::rc::Rc;

use super::super::palette::Look;
use super::spans::{Ink, Row, Span, is_clickable, painted, plain};
use super::table::Table;
use crate::text::columns::width;
use crate::text::wrap::wrap;

/// How far code is indented.
const CODE: &str = "    ";
/// The same in a window of fewer columns than [`NARROW`].
const CODE_NARROW: &str = "  ";
const NARROW: usize = 40;

/// What stands at the left of the lines of a quote or an item.
struct Lead {
    /// At the first line, until that is out.
    marker: Option<String>,
    /// At the others.
    rest: String,
    width: usize,
}

struct List {
    /// The number of its next item; `None` has bullets.
    next: Option<u64>,
    /// Whether blank lines stand between its items.
    loose: bool,
}

/// A document as lines.
pub(super) struct Page<'l> {
    pub look: &'l Look,
    columns: usize,
    text: String,
    /// The outermost first; no more than half the window has room for.
    leads: Vec<Lead>,
    /// How many columns they take.
    led: usize,
    /// How many more there would be.
    beyond: usize,
    /// The sign of an item beyond, until its first line is out.
    sign: Option<String>,
    lists: Vec<List>,
    /// Whether a blank line is due before the next block.
    due: bool,
    inks: Vec<Ink>,
    spans: Vec<Span>,
    /// Where the text of each link begins that is not closed, and its address.
    links: Vec<(usize, Rc<str>)>,
}

impl<'l> Page<'l> {
    pub(super) fn new(look: &'l Look, columns: usize) -> Self {
        Self {
            look,
            columns: columns.max(1),
            text: String::new(),
            leads: Vec::new(),
            led: 0,
            beyond: 0,
            sign: None,
            lists: Vec::new(),
            due: false,
            inks: Vec::new(),
            spans: Vec::new(),
            links: Vec::new(),
        }
    }

    pub(super) fn finished(mut self) -> String {
        self.flush();
        self.text
    }

    /// Text within a line; a line break begins a new one.
    pub(super) fn say(&mut self, text: &str) {
        if !text.is_empty() {
            self.spans.push(Span { text: text.to_owned(), style: self.inks.clone().into() });
        }
    }

    pub(super) fn ink(&mut self, ink: Ink) {
        self.inks.push(ink);
    }

    pub(super) fn unink(&mut self) {
        self.inks.pop();
    }

    /// What was said and is not on the page.
    pub(super) fn taken(&mut self) -> Vec<Span> {
        std::mem::take(&mut self.spans)
    }

    pub(super) fn link(&mut self, address: String) {
        let address: Rc<str> = address.into();
        self.links.push((self.spans.len(), Rc::clone(&address)));
        self.ink(Ink::Link(address));
    }

    /// The address follows where the terminal does not know it, or where the text pretends to be another one.
    pub(super) fn end_link(&mut self, behind: &str) {
        self.unink();
        self.say(behind);
        let Some((start, address)) = self.links.pop() else { return };
        let said: String = self.spans.iter().skip(start).map(|span| span.text.as_str()).collect();
        let said = said.trim_end_matches(behind);
        let is_itself = said == &*address || address.strip_prefix("mailto:") == Some(said);
        let pretends = said.contains("://") || said.starts_with("www.");
        if !address.is_empty() && !is_itself && (pretends || !is_clickable(&address, self.look)) {
            self.ink(Ink::Muted);
            self.say(&format!(" ({address})"));
            self.unink();
        }
    }

    /// A block begins: what was said before it is put, and the blank line that is due.
    pub(super) fn block(&mut self) {
        self.flush();
        if std::mem::take(&mut self.due) {
            self.put("");
        }
    }

    pub(super) fn paragraph(&mut self) {
        // Only where blank lines stand between the items are their texts paragraphs.
        let begins_an_item = self.begins_an_item();
        if let Some(list) = self.lists.last_mut().filter(|_| begins_an_item) {
            list.loose = true;
        }
        self.block();
    }

    pub(super) fn end_paragraph(&mut self) {
        self.flush();
        self.due = true;
    }

    pub(super) fn end_heading(&mut self, underline: Option<&str>) {
        let rows = self.wrapped();
        self.put_rows(&rows);
        let widest = rows.iter().map(|row| row.width).max().unwrap_or_default();
        if let Some(sign) = underline.filter(|_| widest > 0) {
            self.put(&self.look.strong(sign.repeat(widest)));
        }
        self.due = true;
    }

    pub(super) fn quote(&mut self) {
        self.block();
        let bar = self.look.muted("│ ");
        self.lead(Lead { marker: None, rest: bar, width: 2 });
    }

    pub(super) fn end_quote(&mut self) {
        self.flush();
        self.unlead();
        self.due = true;
    }

    pub(super) fn list(&mut self, next: Option<u64>) {
        self.block();
        self.lists.push(List { next, loose: false });
    }

    pub(super) fn end_list(&mut self) {
        self.flush();
        self.lists.pop();
        self.due = self.lists.last().is_none_or(|outer| outer.loose);
    }

    pub(super) fn item(&mut self) {
        self.block();
        let depth = self.lists.len();
        let sign = match self.lists.last_mut().and_then(|list| list.next.as_mut()) {
            Some(next) => {
                let sign = format!("{next}.");
                *next = next.saturating_add(1);
                sign
            }
            None => ["•", "◦", "-"][depth.saturating_sub(1) % 3].to_owned(),
        };
        let wide = width(&sign) + 1;
        let marker = format!("{} ", self.look.name(&sign));
        self.lead(Lead { marker: Some(marker), rest: " ".repeat(wide), width: wide });
        self.sign = (self.beyond > 0).then(|| format!("{sign} "));
    }

    fn begins_an_item(&self) -> bool {
        if self.beyond > 0 { self.sign.is_some() } else { self.leads.last().is_some_and(|lead| lead.marker.is_some()) }
    }

    pub(super) fn end_item(&mut self) {
        self.flush();
        // An item may be empty.
        if self.begins_an_item() {
            if self.sign.is_some() {
                // Where there is room for no lead, the sign is text, and breaks like text.
                let rows = self.wrapped();
                self.put_rows(&rows);
            } else {
                self.put("");
            }
        }
        self.unlead();
        self.due = self.lists.last().is_some_and(|list| list.loose);
    }

    /// A word above a block that says what it is.
    pub(super) fn label(&mut self, word: &str) {
        let rows = wrap(&[Span { text: format!("{word}:"), style: Rc::new([Ink::Muted]) }], self.room());
        self.put_rows(&rows);
    }

    /// Code: indented, line by line.
    pub(super) fn code(&mut self, code: &str) {
        let indent = if self.columns < NARROW { CODE_NARROW } else { CODE };
        self.lead(Lead { marker: None, rest: indent.to_owned(), width: indent.len() });
        for line in code.lines() {
            let rows = broken(line, Ink::Code, self.room());
            self.put_rows(&rows);
        }
        self.unlead();
        self.due = true;
    }

    /// HTML as it was written, comments too.
    pub(super) fn html(&mut self, html: &str) {
        for line in html.lines() {
            let rows = broken(line, Ink::Muted, self.room());
            self.put_rows(&rows);
        }
        self.due = true;
    }

    pub(super) fn rule(&mut self) {
        self.block();
        let line = self.look.muted("─".repeat(self.room()));
        self.put(&line);
        self.due = true;
    }

    pub(super) fn table(&mut self, table: &Table) {
        for line in table.lines(self.room(), self.look) {
            self.put(&line);
        }
        self.due = true;
    }

    /// Takes a lead as long as it leaves half the window to the text.
    fn lead(&mut self, lead: Lead) {
        if self.beyond > 0 || (self.led + lead.width) * 2 > self.columns {
            self.beyond += 1;
        } else {
            self.led += lead.width;
            self.leads.push(lead);
        }
    }

    fn unlead(&mut self) {
        if self.beyond > 0 {
            self.beyond -= 1;
        } else if let Some(lead) = self.leads.pop() {
            self.led -= lead.width;
        }
    }

    /// How many columns the text has.
    fn room(&self) -> usize {
        self.columns - self.led
    }

    fn wrapped(&mut self) -> Vec<Row> {
        let mut spans = self.taken();
        if let Some(sign) = self.sign.take() {
            spans.insert(0, plain(sign));
        }
        wrap(&spans, self.room())
    }

    fn flush(&mut self) {
        if self.spans.iter().any(|span| !span.text.trim().is_empty()) {
            let rows = self.wrapped();
            self.put_rows(&rows);
        }
        self.spans.clear();
    }

    fn put_rows(&mut self, rows: &[Row]) {
        for row in rows {
            let line = painted(row, self.look);
            self.put(&line);
        }
    }

    fn put(&mut self, line: &str) {
        let mut whole = String::new();
        for lead in &mut self.leads {
            whole.push_str(&lead.marker.take().unwrap_or_else(|| lead.rest.clone()));
        }
        whole.push_str(line);
        self.text.push_str(whole.trim_end_matches(' '));
        self.text.push('\n');
    }
}

/// A line of which every blank counts, broken where the window ends.
fn broken(line: &str, ink: Ink, columns: usize) -> Vec<Row> {
    // A blank that never breaks, until the rows are made.
    const BLANK: char = '\u{a0}';
    let mut rows = wrap(&[Span { text: line.replace(' ', &BLANK.to_string()), style: Rc::new([ink]) }], columns);
    for span in rows.iter_mut().flat_map(|row| &mut row.spans) {
        span.text = span.text.replace(BLANK, " ");
    }
    rows
}
