//! What earlier sessions decided that touches the topic.

use super::clipped;
use super::words::Terms;
use crate::domain::facts::Earlier;
use crate::domain::text::Topic;

const MOST_EARLIER: usize = 8;

/// Those that say more than one word of the topic, or the only one; a session about the same things counts as saying
/// them. The nearest first, and among equals the newest.
pub(super) fn find(decided: &[Earlier], topic: &Topic) -> Vec<Earlier> {
    let terms = Terms::of(topic);
    let needed = terms.len().min(2);
    if needed == 0 {
        return Vec::new();
    }
    let mut found: Vec<(usize, usize, Earlier)> = decided
        .iter()
        .filter_map(|earlier| {
            let says = terms.found_in(&earlier.decision);
            let about = terms.found_in(&earlier.topic);
            let mut together = says.clone();
            together.extend(about.iter().filter(|term| !says.contains(term)));
            together.sort_unstable();
            // A decision without a word of the topic belongs here only where its whole session does.
            let belongs = together.len() >= needed && (!says.is_empty() || about.len() == terms.len());
            belongs.then(|| {
                let matches = together.iter().map(|term| terms.word(*term).to_owned()).collect();
                let decision = clipped(&earlier.decision);
                (
                    together.len(),
                    says.len(),
                    Earlier { matches, decision, topic: clipped(&earlier.topic), ..earlier.clone() },
                )
            })
        })
        .collect();
    found.sort_by_key(|(together, says, earlier)| {
        (std::cmp::Reverse((*together, *says, earlier.at)), earlier.session.clone())
    });
    found.into_iter().map(|(_, _, earlier)| earlier).take(MOST_EARLIER).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::SessionId;

    fn earlier(day: i64, topic: &str, decision: &str) -> Earlier {
        let at = jiff::Timestamp::from_second(1_790_000_000 + day * 86_400).unwrap();
        Earlier {
            session: SessionId::new(&Topic::parse(topic).unwrap(), at, u64::try_from(day).unwrap()),
            topic: topic.to_owned(),
            decision: decision.to_owned(),
            at,
            matches: Vec::new(),
        }
    }

    #[test]
    fn g15_earlier_decisions_near_the_topic_come_first_and_others_not_at_all() {
        let decided = [
            earlier(1, "rate limiting at the edge", "Requests are counted per API key"),
            earlier(2, "a dark theme", "The theme follows the system"),
            earlier(3, "logging", "The rate of log lines is limited to 100 a second"),
            earlier(4, "logging", "Logs rotate at a rate of one a day"),
            earlier(5, "rate limiting for uploads", "The limit is a rate of 10 MB a minute"),
        ];
        let found = find(&decided, &Topic::parse("add rate limiting").unwrap());
        let said: Vec<_> = found.iter().map(|one| one.decision.as_str()).collect();
        assert_eq!(
            said,
            [
                "The limit is a rate of 10 MB a minute",
                "The rate of log lines is limited to 100 a second",
                "Requests are counted per API key",
            ]
        );
        assert_eq!(found[0].matches, ["rate", "limiting"]);
        assert!(find(&decided, &Topic::parse("knitting").unwrap()).is_empty());
        assert!(find(&[], &Topic::parse("rate").unwrap()).is_empty());
    }
}
