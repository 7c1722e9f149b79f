//! The program of `awk`: everything but running commands, pipes and writing files.
//!
//! It is cut into tokens, because `>` compares in `$1 > 3` and writes in `print > "x"`, and because strings and regular
//! expressions may hold anything. Where it is not clear whether `/` divides or begins an expression, it is refused.

use std::iter::Peekable;
use std::str::Chars;

use crate::policy::shell::Refused;

/// Whether a program only reads and prints.
pub(super) fn judge(program: &str) -> Result<(), Refused> {
    let mut reader =
        Reader { rest: program.chars().peekable(), program, last: Last::Beginning, open: Vec::new(), print: None };
    while let Some(next) = reader.rest.next() {
        reader.token(next)?;
    }
    // gawk opens these as sockets wherever a file may stand.
    if program.contains("/inet") {
        return Err(reader.no("may open a connection"));
    }
    if reader.open.is_empty() { Ok(()) } else { Err(reader.no("has brackets that stay open")) }
}

/// What stood before: it decides what `/` and `(` are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// A statement begins, or `print` stands alone so far.
    Beginning,
    /// Something that a division may follow.
    Operand,
    /// Something that only an operand may follow.
    Operator,
    /// `++`, `--`, `getline`, `length`: both could be.
    Either,
    /// `if`, `while`, `for`, `switch`: what is in the brackets after it is a condition.
    Condition,
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    program: &'a str,
    last: Last,
    /// The brackets that are open, and whether they hold a condition.
    open: Vec<(char, Last)>,
    /// How many brackets were open at the `print` whose statement this is.
    print: Option<usize>,
}

impl Reader<'_> {
    fn token(&mut self, next: char) -> Result<(), Refused> {
        match next {
            ' ' | '\t' | '\r' => {}
            // After a comma and the like the statement goes on.
            '\n' if self.last == Last::Operator => {}
            '\n' | ';' => self.statement_ends(),
            '#' => while self.rest.next_if(|next| *next != '\n').is_some() {},
            '\\' => {
                self.rest.next_if_eq(&'\r');
                if self.rest.next() != Some('\n') {
                    return Err(self.no("has a backslash that is not known"));
                }
            }
            '"' => self.string()?,
            '/' => self.slash()?,
            '(' | '[' | '{' => self.opens(next),
            ')' | ']' | '}' => self.closes(next)?,
            '|' if self.rest.next_if_eq(&'|').is_some() => self.last = Last::Operator,
            '|' => return Err(self.no("runs a command through `|`")),
            '>' => self.greater()?,
            '@' => return Err(self.no("calls what is not known, with `@`")),
            '+' | '-' if self.rest.next_if_eq(&next).is_some() => self.last = Last::Either,
            'a'..='z' | 'A'..='Z' | '_' => self.name(next)?,
            '0'..='9' | '.' => {
                while self.rest.next_if(|next| next.is_ascii_alphanumeric() || *next == '.').is_some() {}
                self.last = Last::Operand;
            }
            '$' | '=' | '+' | '-' | '*' | '%' | '^' | '!' | '~' | '<' | '&' | '?' | ':' | ',' => {
                self.last = Last::Operator;
            }
            _ => return Err(self.no(&format!("has a character `{next}` that is not known"))),
        }
        Ok(())
    }

    fn statement_ends(&mut self) {
        if self.print.is_some_and(|depth| self.open.len() <= depth) {
            self.print = None;
        }
        self.last = Last::Beginning;
    }

    fn string(&mut self) -> Result<(), Refused> {
        loop {
            match self.rest.next() {
                Some('"') => break,
                Some('\\') => {
                    self.rest.next();
                }
                Some('\n') | None => return Err(self.no("has a string without an end")),
                Some(_) => {}
            }
        }
        self.last = Last::Operand;
        Ok(())
    }

    fn slash(&mut self) -> Result<(), Refused> {
        match self.last {
            Last::Operand => {
                self.last = Last::Operator;
                return Ok(());
            }
            Last::Operator | Last::Beginning => {}
            Last::Either | Last::Condition => {
                return Err(self.no("has a `/` that could divide or begin an expression"));
            }
        }
        let mut bracket = false;
        loop {
            match self.rest.next() {
                Some('/') if bracket => return Err(self.no("has a `/` in brackets, where versions of awk disagree")),
                Some('/') => break,
                Some('\\') => {
                    self.rest.next();
                }
                Some('[') => {
                    bracket = true;
                    self.rest.next_if_eq(&'^');
                    // A bracket that comes first is one of the characters, and some versions think otherwise.
                    if self.rest.peek() == Some(&']') {
                        return Err(self.no("has brackets whose end is not known"));
                    }
                }
                Some(']') => bracket = false,
                Some('\n') | None => return Err(self.no("has an expression without an end")),
                Some(_) => {}
            }
        }
        self.last = Last::Operand;
        Ok(())
    }

    fn opens(&mut self, bracket: char) {
        self.open.push((bracket, self.last));
        self.last = Last::Operator;
    }

    fn closes(&mut self, bracket: char) -> Result<(), Refused> {
        let opened = match bracket {
            ')' => '(',
            ']' => '[',
            _ => '{',
        };
        match self.open.pop() {
            Some((open, before)) if open == opened => {
                // After the condition of `if` a statement begins, and it may begin with an expression.
                self.last = if before == Last::Condition || bracket == '}' { Last::Operator } else { Last::Operand };
                if self.print.is_some_and(|depth| self.open.len() < depth) {
                    self.print = None;
                }
                Ok(())
            }
            _ => Err(self.no("has brackets that do not match")),
        }
    }

    /// A comparison, unless it stands in a `print` outside of brackets.
    fn greater(&mut self) -> Result<(), Refused> {
        if self.rest.next_if_eq(&'>').is_some() || self.print.is_some_and(|depth| self.open.len() <= depth) {
            return Err(self.no("writes a file with `>`"));
        }
        self.last = Last::Operator;
        Ok(())
    }

    fn name(&mut self, first: char) -> Result<(), Refused> {
        let mut name = String::from(first);
        while let Some(next) = self.rest.next_if(|next| next.is_ascii_alphanumeric() || matches!(next, '_' | ':')) {
            // `awk::system` is a name; in `a ? b : c` the colon stands alone or before a blank.
            if next == ':' && self.rest.peek() != Some(&':') && !name.ends_with(':') {
                self.last = Last::Operator;
                return self.named(&name, Last::Operator);
            }
            name.push(next);
        }
        self.named(&name, Last::Operand)
    }

    fn named(&mut self, name: &str, then: Last) -> Result<(), Refused> {
        self.last = match name.rsplit(':').next().unwrap_or(name) {
            "system" => return Err(self.no("runs a command with `system`")),
            "print" | "printf" => {
                self.print = Some(self.open.len());
                Last::Beginning
            }
            "if" | "while" | "for" | "switch" => Last::Condition,
            "return" | "case" | "in" | "do" | "else" | "exit" => Last::Operator,
            "getline" | "delete" | "length" => Last::Either,
            _ => then,
        };
        Ok(())
    }

    fn no(&self, why: &str) -> Refused {
        Refused::new(self.program, format!("the awk program `{}` {why}", self.program))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_print_are_known() {
        for program in [
            "",
            "{print $1}",
            "NR>1 {s+=$2} END {print s}",
            "$3 == \"rm\" {print}",
            "/a|b/ {print $1 \">\" $2}",
            "$3 > 5",
            "$1 >= 2 && $2 > 3 || /x/",
            "{print ($1 > 2)}",
            "{printf(\"%s %d\\n\", $1, ($2>3))}",
            "BEGIN{FS=\",\"} {n[$1]++} END{for (k in n) if (n[k] > 1) print k, n[k]}",
            "{a=$1/2; print a/3}",
            "!seen[$0]++",
            "length($0) > 80 {print FILENAME \":\" FNR}",
            "/start/,/end/",
            "{sub(/a\\/b/, \"c\"); print}",
            "{while ((getline line < \"f\") > 0) n++} END{print n}",
            "# print > x\n{print}",
            "{print $1; x = $2 > 3}",
            "{if ($1 > 2) print; else x = $2 > 3}",
            "{print \"system(x)\"}",
            "/system/ {print}",
            "{x = $1 ? 2 : 3; print x}",
            "{print length(x) / 2}",
            "{if (/a\"/) print}",
            "{ print (NR / 2) / 3 }",
            "function f(a){return a > 2} {print f($1)}",
            "END { for(i=0; i<10; i++) print i }",
            "{a[$1][$2]=1}",
            "/^[0-9]+$/",
            "{print substr($0, 2, length($0)-2)}",
            "{print\n\nx = 2 > 1}",
            "{y = (a) / 2}",
            "{n++; print n}",
            "NR==1, NR==5",
            "{print $NF}",
            "{print a,\nb}",
            "1;{close(\"x\")}",
            "{x=y ?a:b}",
        ] {
            assert!(judge(program).is_ok(), "{program:?}: {:?}", judge(program));
        }
    }

    #[test]
    fn programs_that_write_or_run_are_refused() {
        for program in [
            "BEGIN{system(\"touch x\")}",
            "{print > \"x\"}",
            "{print >> \"x\"}",
            "{printf \"a\" > $1}",
            "{print | \"sh\"}",
            "BEGIN{\"touch x\" | getline}",
            "BEGIN{\"x\" |& getline}",
            "BEGIN{getline x < \"/inet/tcp/0/h/80\"}",
            "@load \"x\"",
            "{print ($1) > \"x\"}",
            "{print(1)(2) > \"x\"}",
            "{if (1) print > \"x\"}",
            "{if (1) /\"/; system(\"touch x\") #\"\n}",
            "{x++ /\"/; system(\"y\") #\"\n}",
            "{print a,\nb > \"x\"}",
            "{print \\\n > \"x\"}",
            "BEGIN{awk::system(\"x\")}",
            "{f=\"system\"; @f(\"touch x\")}",
            "{print $1 /* x */ > \"y\"}",
            "/[/]/ {print}",
            "{print \"a\n\"}",
            "{x = a / system(\"y\") / b}",
            "{x = (a) / system(\"y\") / b}",
            "BEGIN { while (1) /\"/; system(\"x\"); \"\" }",
            "{print; print > \"x\"}",
            "{print (a)\n{print > \"x\"}}",
            "{getline / system(\"x\") /}",
            "{print a ? b:c > \"x\"}",
            "{print",
            "{print}}",
            "{system (\"x\")}",
            "{system\\\n(\"x\")}",
            "{y = a[1] / system(\"x\") / 2}",
            "{print a[1] > \"x\"}",
            "{x = 1 /\"/; system(\"y\"); z = \"/ 2}\"",
            "{case /\"/: system(\"x\")}",
        ] {
            assert!(judge(program).is_err(), "{program:?}");
        }
    }
}
