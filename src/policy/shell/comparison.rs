//! `test`, `[` and `[[`: reading only, as long as no operand is evaluated and no operand becomes an operator.

use super::Refused;
use super::number::is_number;
use super::script::{Spelled, Token};
use super::variables;
use super::word::{Shape, Word};

const FILE_OR_TEXT: &[&str] = &[
    "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-n", "-o", "-p", "-r", "-s", "-u", "-w", "-x", "-z", "-G",
    "-L", "-N", "-O", "-S",
];
const NUMERIC: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
const TEXTUAL: &[&str] = &["=", "==", "!=", "-nt", "-ot", "-ef", "=~", "<", ">"];

const EVALUATES: &str = "a comparison of numbers evaluates its operands, and may run what a variable holds";

/// Judges the words between `[` and `]`, or behind `test`.
pub(super) fn judge(words: &[Word]) -> Result<(), Refused> {
    let mut at = 0;
    if words.is_empty() {
        return Ok(());
    }
    loop {
        at = term(words, at)?;
        match words.get(at).map(|word| word.known()) {
            None => return Ok(()),
            Some(Some("-a" | "-o")) => at += 1,
            Some(_) => return Err(unclear(&words[at])),
        }
    }
}

/// Reads one term and says where the next word is.
fn term(words: &[Word], mut at: usize) -> Result<usize, Refused> {
    while words.get(at).and_then(Word::known) == Some("!") && at + 1 < words.len() {
        at += 1;
    }
    let Some(first) = words.get(at) else {
        return Err(Refused::new("test", "this condition is not complete"));
    };
    let second = words.get(at + 1);
    if let (Some(operator), Some(third)) = (second.and_then(Word::known), words.get(at + 2))
        && is_binary(operator)
    {
        operand(first)?;
        operand(third)?;
        binary(first, operator, third)?;
        return Ok(at + 3);
    }
    match (first.known(), second) {
        (Some(operator), Some(second)) if is_unary(operator) => {
            operand(second)?;
            unary(operator, second)?;
            Ok(at + 2)
        }
        _ => {
            operand(first)?;
            Ok(at + 1)
        }
    }
}

/// An operand is one word: what is split or expanded could bring operators of its own.
fn operand(word: &Word) -> Result<(), Refused> {
    match word.shape {
        Shape::Literal if matches!(word.text.as_str(), "(" | ")") => Err(unclear(word)),
        Shape::Literal => Ok(()),
        Shape::Unknown if word.is_one_word() || is_number(word) || word.text.starts_with('~') => Ok(()),
        Shape::Unknown | Shape::Pattern => Err(Refused::new(
            &word.text,
            "it may become several words, and they may be operators that run something; put it in double quotes",
        )),
    }
}

fn is_unary(operator: &str) -> bool {
    FILE_OR_TEXT.contains(&operator) || matches!(operator, "-t" | "-v" | "-R")
}

fn is_binary(operator: &str) -> bool {
    NUMERIC.contains(&operator) || TEXTUAL.contains(&operator)
}

fn unary(operator: &str, word: &Word) -> Result<(), Refused> {
    match operator {
        "-t" if !is_number(word) => Err(Refused::new(&word.text, EVALUATES)),
        "-v" | "-R" if !word.known().is_some_and(variables::is_name) => {
            Err(Refused::new(&word.text, "the name of a variable may contain a subscript, which is evaluated"))
        }
        _ => Ok(()),
    }
}

fn binary(left: &Word, operator: &str, right: &Word) -> Result<(), Refused> {
    if !NUMERIC.contains(&operator) {
        return Ok(());
    }
    match [left, right].into_iter().find(|word| !is_number(word)) {
        None => Ok(()),
        Some(word) => Err(Refused::new(&word.text, EVALUATES)),
    }
}

fn unclear(word: &Word) -> Refused {
    Refused::new(&word.text, "this condition cannot be read with certainty")
}

/// Judges what stands in `[[ … ]]`. Nothing is split there, but a plain shell takes `&&` and `||` for its own and
/// would run what follows.
pub(super) fn judge_tokens(tokens: &[Token], source: &str, certain: &dyn Fn(&Spelled) -> Word) -> Result<(), Refused> {
    let incomplete = || Refused::new(source, "this condition cannot be read with certainty");
    if tokens.is_empty() {
        return Err(incomplete());
    }
    let mut words: Vec<Word> = Vec::new();
    let mut joined = false;
    for token in tokens {
        match token {
            Token::Word(spelled) => {
                let runs = joined && words.is_empty();
                if runs
                    && spelled
                        .word
                        .known()
                        .is_some_and(|text| !text.starts_with('-') && spelled.span.len() == text.len())
                {
                    return Err(Refused::new(&spelled.word.text, "a plain shell runs this as a command"));
                }
                words.push(certain(spelled));
            }
            Token::Not | Token::Open if !words.is_empty() => return Err(incomplete()),
            Token::Regex | Token::Not | Token::Open | Token::Close => {}
            Token::And | Token::Or => {
                static_term(&words).map_err(|refused| refused.unwrap_or_else(incomplete))?;
                words.clear();
                joined = true;
            }
        }
    }
    static_term(&words).map_err(|refused| refused.unwrap_or_else(incomplete))
}

fn static_term(words: &[Word]) -> Result<(), Option<Refused>> {
    match words {
        [_] => Ok(()),
        [operator, word] => match operator.known() {
            Some(operator) if is_unary(operator) => unary(operator, word).map_err(Some),
            // The expression behind `=~` is no word.
            _ if word.known() == Some("=~") => Ok(()),
            _ => Err(None),
        },
        [left, operator, right] => match operator.known() {
            Some(operator) if is_binary(operator) => binary(left, operator, right).map_err(Some),
            _ => Err(None),
        },
        _ => Err(None),
    }
}
