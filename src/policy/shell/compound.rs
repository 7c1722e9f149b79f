//! Reads compound commands. All branches are kept: every one of them must be read-only.

use super::Refused;
use super::reader::{Reader, Until};
use super::script::{Redirection, Script, Spelled, Statement};
use super::variables;

impl Reader<'_> {
    pub(super) fn subshell(&mut self) -> Result<Statement, Refused> {
        self.at += 1;
        let body = self.enclosed()?;
        Ok(Statement::Group { body, redirections: self.redirections()? })
    }

    pub(super) fn group(&mut self) -> Result<Statement, Refused> {
        self.keyword("{")?;
        let body = self.list(Until::Words(&["}"]))?;
        self.keyword("}")?;
        Ok(Statement::Group { body, redirections: self.redirections()? })
    }

    pub(super) fn conditional(&mut self) -> Result<Statement, Refused> {
        self.keyword("if")?;
        let mut body = self.list(Until::Words(&["then"]))?;
        self.keyword("then")?;
        loop {
            body.extend(self.list(Until::Words(&["elif", "else", "fi"]))?);
            if self.bare_word() == "elif" {
                self.keyword("elif")?;
                body.extend(self.list(Until::Words(&["then"]))?);
                self.keyword("then")?;
            } else if self.bare_word() == "else" {
                self.keyword("else")?;
                body.extend(self.list(Until::Words(&["fi"]))?);
            } else {
                self.keyword("fi")?;
                return Ok(Statement::Group { body, redirections: self.redirections()? });
            }
        }
    }

    pub(super) fn repetition(&mut self) -> Result<Statement, Refused> {
        self.at += self.bare_word().len();
        let mut body = self.list(Until::Words(&["do"]))?;
        body.extend(self.do_group()?);
        Ok(Statement::Loop { variable: None, words: Vec::new(), body, redirections: self.redirections()? })
    }

    pub(super) fn each(&mut self) -> Result<Statement, Refused> {
        self.keyword("for")?;
        self.blanks();
        let name = self.bare_word();
        if !variables::is_name(name) {
            return Err(self.stuck("a loop over this is not known to be read-only"));
        }
        self.at += name.len();
        self.blanks();
        let mut words: Vec<Spelled> = Vec::new();
        if self.bare_word() == "in" {
            self.keyword("in")?;
            self.blanks();
            while !matches!(self.peek(), b';' | b'\n' | b'#' | 0) {
                words.push(self.word()?);
                self.blanks();
            }
        }
        if self.rest().starts_with(";;") {
            return Err(self.stuck("it cannot be read with certainty"));
        }
        if self.peek() == b';' {
            self.at += 1;
        }
        self.gap()?;
        let body = self.do_group()?;
        Ok(Statement::Loop { variable: Some(name.to_owned()), words, body, redirections: self.redirections()? })
    }

    fn do_group(&mut self) -> Result<Script, Refused> {
        self.keyword("do")?;
        let body = self.list(Until::Words(&["done"]))?;
        self.keyword("done")?;
        Ok(body)
    }

    pub(super) fn case(&mut self) -> Result<Statement, Refused> {
        if self.substitutions > 0 {
            return Err(self.stuck("older shells end the substitution in the middle of this"));
        }
        self.keyword("case")?;
        self.blanks();
        let mut words = vec![self.word()?];
        let mut body = Script::new();
        self.gap()?;
        self.keyword("in")?;
        loop {
            self.gap()?;
            if self.bare_word() == "esac" {
                self.keyword("esac")?;
                return Ok(Statement::Case { words, body, redirections: self.redirections()? });
            }
            self.patterns(&mut words)?;
            body.extend(self.list(Until::CaseItem)?);
            if self.rest().starts_with(";;") {
                self.at += 2;
                if matches!(self.peek(), b'&' | b';' | b'|') {
                    return Err(self.stuck("shells read this separator differently"));
                }
            }
        }
    }

    fn patterns(&mut self, words: &mut Vec<Spelled>) -> Result<(), Refused> {
        if self.peek() == b'(' {
            self.at += 1;
        }
        loop {
            self.blanks();
            words.push(self.word()?);
            self.blanks();
            match self.peek() {
                b'|' => self.at += 1,
                b')' => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.stuck("it cannot be read with certainty")),
            }
        }
    }

    /// The redirections behind a compound command, and nothing else.
    fn redirections(&mut self) -> Result<Vec<Redirection>, Refused> {
        let mut redirections = Vec::new();
        loop {
            self.blanks();
            match self.redirection()? {
                Some(redirection) => redirections.push(redirection),
                None => break,
            }
        }
        match self.peek() {
            0 | b'\n' | b';' | b'&' | b'|' | b')' => Ok(redirections),
            b'#' if self.text[..self.at].ends_with([' ', '\t']) => Ok(redirections),
            _ => Err(self.stuck("it cannot be read with certainty")),
        }
    }
}
