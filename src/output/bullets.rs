//! A section's lines as bullets: a line that begins at the margin, with the indented lines that belong to it.

/// One bullet, or one paragraph, as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bullet {
    pub lines: Vec<String>,
}

impl Bullet {
    /// Its first line without the bullet's mark.
    pub fn head(&self) -> &str {
        let line = self.lines.first().map_or("", String::as_str);
        line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line).trim()
    }

    /// Its text for a place that has room for one line: with the first quoted line when it stands below its lead.
    pub fn sentence(&self) -> String {
        match self.lines.get(1).and_then(|line| line.trim().strip_prefix("> ")) {
            Some(quoted) if self.head().ends_with(':') => format!("{} {quoted}", self.head()),
            Some(_) | None => self.head().to_owned(),
        }
    }
}

impl Bullet {
    /// The bullets below it, without their marks.
    pub fn details(&self) -> Vec<String> {
        let below = self.lines.iter().skip(1);
        below.filter_map(|line| line.trim().strip_prefix("- ")).map(str::to_owned).collect()
    }

    /// Its first clause, short enough for a heading.
    pub fn name(&self) -> String {
        const LIMIT: usize = 70;
        let sentence = self.sentence();
        let clause = sentence.split_inclusive([',', ';', '.', '?', '!']).next().unwrap_or(&sentence);
        let clause = clause.trim_end_matches([',', ';', '.']);
        let words: Vec<&str> = clause.split_whitespace().collect();
        let mut name = String::new();
        for word in &words {
            if name.chars().count() + word.chars().count() >= LIMIT {
                name.push('…');
                break;
            }
            if !name.is_empty() {
                name.push(' ');
            }
            name.push_str(word);
        }
        name
    }
}

/// Cuts lines into bullets; blank lines separate and are dropped.
pub(super) fn bullets(lines: &[String]) -> Vec<Bullet> {
    let mut found: Vec<Bullet> = Vec::new();
    let mut fresh = true;
    for line in lines {
        if line.trim().is_empty() {
            fresh = true;
            continue;
        }
        let continues = line.starts_with([' ', '\t']);
        let opens = line.starts_with("- ") || line.starts_with("* ");
        match found.last_mut() {
            Some(last) if continues || !(opens || fresh) => last.lines.push(line.clone()),
            Some(_) | None => found.push(Bullet { lines: vec![line.clone()] }),
        }
        fresh = false;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_stay_with_their_bullet() {
        let lines: Vec<String> =
            ["- a", "  - why", "", "- b:", "  > words", "free text", "", "more"].map(String::from).to_vec();
        let found = bullets(&lines);
        let heads: Vec<&str> = found.iter().map(Bullet::head).collect();
        assert_eq!(heads, ["a", "b:", "more"]);
        assert_eq!(found[1].sentence(), "b: words");
    }
}
