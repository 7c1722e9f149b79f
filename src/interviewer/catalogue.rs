//! The question catalogue: data files that a person can read and extend without reading Rust, embedded in the binary and
//! parsed once. `catalogue/README.md` explains the format; the tests below hold the files to it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::domain::settings::{Intensity, Intent};

use super::reading::{Kind, Kinds};

/// Everything the built-in interviewer can say.
#[derive(Debug)]
pub(super) struct Catalogue {
    pub dimensions: Vec<Dimension>,
    pub intents: Intents,
    pub signals: Vec<Signal>,
    pub follow_ups: FollowUps,
}

/// One dimension of understanding with its probes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dimension {
    /// The word that questions carry and `{placeholders}` name.
    pub id: String,
    /// What progress and gate call it.
    pub name: String,
    /// The checkpoint's section for its answers, unless a probe names another.
    pub section: String,
    /// When in the interview its turn comes, as far as the score leaves it open.
    #[serde(default)]
    pub turn: Turn,
    pub probes: Vec<Probe>,
}

/// When a dimension is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Turn {
    First,
    #[default]
    Any,
    Late,
    /// After everything else, and it never gives way: an interview ends with what happens next.
    Last,
}

impl Turn {
    /// Whether it comes before the lenses and the last things.
    pub const fn is_early(self) -> bool {
        match self {
            Self::First | Self::Any => true,
            Self::Late | Self::Last => false,
        }
    }
}

/// One question in its variants.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Probe {
    pub id: String,
    /// Conditions that must all hold for it to be asked.
    #[serde(default)]
    pub when: Vec<String>,
    /// The least intensity that asks it; such a probe comes on top of the usual number.
    #[serde(default)]
    pub from: Option<Intensity>,
    /// Cost of a wrong guess and how hard it is to reverse, 1 to 3.
    #[serde(default = "middling")]
    pub stakes: u32,
    #[serde(default)]
    pub form: Form,
    #[serde(default)]
    pub section: Option<String>,
    /// What stands before an answer in the person's own words.
    pub lead: String,
    /// The question in one line, for open questions.
    pub open: String,
    /// How to find out when nobody knows.
    pub find_out: String,
    /// Why it matters.
    pub why: String,
    /// Wordings; the first whose conditions hold is used.
    pub ask: Vec<Wording>,
    pub alternatives: Vec<Choice>,
}

/// How an answer stands in the checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Form {
    /// A sentence.
    #[default]
    Statement,
    /// A decision with its reason and what was not chosen; `hard` challenges it.
    Decision,
    /// A risk; the reason of its alternatives says what helps against it.
    Risk,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wording {
    #[serde(default)]
    pub when: Vec<String>,
    pub text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Choice {
    #[serde(default)]
    pub when: Vec<String>,
    pub label: String,
    /// What is sent and what the checkpoint says: a whole sentence.
    pub value: String,
    /// The reason to take it.
    pub because: String,
    /// The first one marked whose conditions hold is the recommendation.
    #[serde(default)]
    pub recommended: bool,
    /// Signals that taking it sets.
    #[serde(default)]
    pub raises: Vec<String>,
    /// Choices of other probes that cannot hold beside it, as `probe-id/label`; said on one side, it counts for both.
    #[serde(default)]
    pub excludes: Vec<String>,
    /// In follow-ups: which earlier answer does not hold any more when it is taken.
    #[serde(default)]
    pub withdraws: Withdraws,
}

/// Which answer a follow-up's alternative takes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Withdraws {
    #[default]
    Nothing,
    /// The earlier of two that contradict each other.
    Earlier,
    /// The later of them.
    Later,
    /// The decision that was challenged.
    Followed,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Intents {
    /// Weight of each dimension, 0 to 10, by intent.
    pub weights: BTreeMap<String, BTreeMap<String, u32>>,
    /// Words that speak for an intent, with how loudly.
    pub cues: BTreeMap<String, BTreeMap<String, u32>>,
}

/// Something that topic or answers reveal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Signal {
    pub name: String,
    /// Words (or beginnings of words, with `*`) that set it.
    #[serde(default)]
    pub words: Vec<String>,
    /// What it adds to the weight of dimensions.
    #[serde(default)]
    pub raises: BTreeMap<String, u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FollowUps {
    pub challenges: Vec<Challenge>,
    pub vague: Vec<Vague>,
    /// What is asked when two answers cannot both hold.
    pub contradiction: Saying,
    pub deepenings: Vec<Deepening>,
    /// How a question begins whose dimension was refused before: `{refusal}`, `{number}`, and `{question}` itself.
    pub refused: String,
    /// What belongs to a word, for contradictions: `database` has `postgres`.
    pub kinds: Kinds,
}

/// A follow-up's texts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saying {
    pub text: String,
    pub why: String,
    /// As in a probe; may quote what the follow-up quotes.
    pub lead: String,
    pub open: String,
    pub find_out: String,
    pub alternatives: Vec<Choice>,
}

/// One way to challenge a decision.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Challenge {
    #[serde(default)]
    pub when: Vec<String>,
    pub say: Saying,
}

/// A class of words that sound like an answer and measure nothing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vague {
    pub name: String,
    /// Heard at `standard` and above.
    pub words: Vec<String>,
    /// Heard at `hard` and above.
    #[serde(default)]
    pub weaker: Vec<String>,
    /// Phrases in which such a word is none.
    #[serde(default)]
    pub except: Vec<String>,
    /// What makes such a word measurable when it stands beside it.
    #[serde(default)]
    pub settled_by: Vec<Kind>,
    pub say: Saying,
}

/// A second question about the answer to a lens, at `adversarial`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Deepening {
    /// The probe whose answer it follows; the part behind the full stop names the follow-up.
    pub of: String,
    pub say: Saying,
}

const fn middling() -> u32 {
    2
}

/// The dimension files in the order in which progress lists them.
const DIMENSIONS: [&str; 13] = [
    include_str!("catalogue/objective.yaml"),
    include_str!("catalogue/audience.yaml"),
    include_str!("catalogue/scope.yaml"),
    include_str!("catalogue/constraints.yaml"),
    include_str!("catalogue/tradeoffs.yaml"),
    include_str!("catalogue/risks.yaml"),
    include_str!("catalogue/unknowns.yaml"),
    include_str!("catalogue/verification.yaml"),
    include_str!("catalogue/precedent.yaml"),
    include_str!("catalogue/terms.yaml"),
    include_str!("catalogue/upkeep.yaml"),
    include_str!("catalogue/outcome.yaml"),
    include_str!("catalogue/next.yaml"),
];

/// The catalogue.
pub(super) fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(|| Catalogue {
        dimensions: DIMENSIONS.iter().map(|text| embedded(text)).collect(),
        intents: embedded(include_str!("catalogue/intents.yaml")),
        signals: embedded(include_str!("catalogue/signals.yaml")),
        follow_ups: embedded(include_str!("catalogue/follow-ups.yaml")),
    })
}

fn embedded<T: for<'de> Deserialize<'de>>(text: &str) -> T {
    serde_yaml::from_str(text).expect("the embedded catalogue was parsed by the tests of this build")
}

impl Catalogue {
    /// The probe with this id and its dimension.
    pub fn probe(&self, id: &str) -> Option<(&Dimension, &Probe)> {
        self.dimensions
            .iter()
            .find_map(|dimension| dimension.probes.iter().find(|probe| probe.id == id).map(|probe| (dimension, probe)))
    }

    /// The dimension with this id.
    pub fn dimension(&self, id: &str) -> Option<&Dimension> {
        self.dimensions.iter().find(|dimension| dimension.id == id)
    }

    /// The weight of a dimension under an intent, before signals.
    pub fn weight(&self, intent: Intent, dimension: &str) -> u32 {
        self.intents.weights.get(intent.as_str()).and_then(|weights| weights.get(dimension)).copied().unwrap_or(0)
    }
}
