//! What an agent reports of its use of a model, kept in the words in which it came (A32). Nothing is decided by it.

use serde_json::Value;

use super::v1::{self, Context};
use crate::domain::harmless::one_line;

/// The most numbers of one report that are kept.
const MOST: usize = 12;
/// The most letters of a foreign name.
const LONGEST: usize = 40;

#[derive(Debug, Default)]
pub struct Usage {
    context: Option<String>,
    turn: Option<String>,
}

impl Usage {
    /// Takes an update that reports how full the context is.
    pub fn note(&mut self, update: &Value) {
        let Some(Context { used, size, amount, currency }) = Context::read(update) else { return };
        let size = size.map(|size| format!(" of {size}")).unwrap_or_default();
        let currency = currency.map(short).unwrap_or_default();
        let cost = amount.map(|amount| format!(", cost {amount} {currency}")).unwrap_or_default();
        self.context = Some(format!("{used}{size} tokens in context{cost}").trim_end().to_owned());
    }

    /// Takes the answer to a prompt, which may report the turn's.
    pub fn note_end(&mut self, answer: &Value) {
        let told = v1::used_by_turn(answer);
        let numbers = told.into_iter().flatten().filter(|(_, value)| value.is_number()).take(MOST);
        let words: Vec<String> = numbers.map(|(name, value)| format!("{} {value}", short(name))).collect();
        if !words.is_empty() {
            self.turn = Some(words.join(", "));
        }
    }

    /// The newest report of each sort: how full the context is, and what the last turn used.
    pub fn reports(&self) -> (Option<&str>, Option<&str>) {
        (self.context.as_deref(), self.turn.as_deref())
    }

    /// The same in words.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let context = self.context.iter().map(|report| format!("reports {report}"));
        context.chain(self.turn.iter().map(|report| format!("reports of its last turn: {report}")))
    }
}

fn short(name: &str) -> String {
    one_line(&name.chars().take(LONGEST).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a32_what_is_reported_is_kept_and_shown_as_reported() {
        let mut usage = Usage::default();
        assert_eq!(usage.lines().count(), 0);
        usage.note(&json!({"used": 100, "size": 200_000, "cost": {"amount": 0.5, "currency": "US\u{1b}D"}}));
        usage.note_end(&json!({"stopReason": "end_turn", "usage": {"inputTokens": 1000, "outputTokens": 20, "x": {}}}));
        let lines: Vec<String> = usage.lines().collect();
        assert_eq!(
            lines,
            [
                "reports 100 of 200000 tokens in context, cost 0.5 US␛D",
                "reports of its last turn: inputTokens 1000, outputTokens 20"
            ]
        );
        usage.note(&json!({"used": 7}));
        usage.note(&json!({"used": "odd"}));
        usage.note_end(&json!({"usage": null, "_meta": {"usage": {"totalTokens": 3}}}));
        usage.note_end(&json!({"usage": null}));
        let lines: Vec<String> = usage.lines().collect();
        assert_eq!(lines, ["reports 7 tokens in context", "reports of its last turn: totalTokens 3"]);
    }

    #[test]
    fn a_report_of_whatever_size_takes_bounded_memory() {
        let many: serde_json::Map<String, Value> = (0..1000).map(|at| (format!("n{at}"), json!(at))).collect();
        let mut usage = Usage::default();
        usage.note_end(&json!({"usage": many}));
        usage.note(&json!({"used": 1, "cost": {"amount": 1, "currency": "x".repeat(10_000)}}));
        assert!(usage.lines().all(|line| line.len() < 1000));
    }
}
