//! The question catalogue: data files that a person can read and extend without reading Rust, packed by `build.rs`,
//! embedded in the binary and read once. `catalogue/README.md` explains the format; `catalogue_tests` hold the files to it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::domain::settings::{Intensity, Intent};

use super::reading::Kind;

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
    pub id: &'static str,
    /// What progress and gate call it.
    pub name: &'static str,
    /// The checkpoint's section for its answers, unless a probe names another.
    pub section: &'static str,
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
    pub id: &'static str,
    /// Conditions that must all hold for it to be asked.
    #[serde(default, borrow)]
    pub when: Vec<&'static str>,
    /// The least intensity that asks it; such a probe comes on top of the usual number.
    #[serde(default)]
    pub from: Option<Intensity>,
    /// Cost of a wrong guess and how hard it is to reverse, 1 to 3.
    #[serde(default = "middling")]
    pub stakes: u32,
    #[serde(default)]
    pub form: Form,
    #[serde(default)]
    pub section: Option<&'static str>,
    /// What stands before an answer in the person's own words.
    pub lead: &'static str,
    /// The question in one line, for open questions.
    pub open: &'static str,
    /// How to find out when nobody knows.
    pub find_out: &'static str,
    pub why: &'static str,
    /// Wordings; the first whose conditions hold is used.
    pub ask: Vec<Wording>,
    pub alternatives: Vec<Choice>,
}

/// How an answer stands in the checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Form {
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
    #[serde(default, borrow)]
    pub when: Vec<&'static str>,
    pub text: &'static str,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Choice {
    #[serde(default, borrow)]
    pub when: Vec<&'static str>,
    pub label: &'static str,
    /// What is sent and what the checkpoint says: a whole sentence.
    pub value: &'static str,
    pub because: &'static str,
    /// The first one marked whose conditions hold is the recommendation.
    #[serde(default)]
    pub recommended: bool,
    /// Signals that taking it sets.
    #[serde(default, borrow)]
    pub raises: Vec<&'static str>,
    /// Choices of other probes that cannot hold beside it, as `probe-id/label`; said on one side, it counts for both.
    #[serde(default, borrow)]
    pub excludes: Vec<&'static str>,
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
    Later,
    /// The decision that was challenged.
    Followed,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Intents {
    /// Weight of each dimension, 0 to 10, by intent.
    #[serde(borrow)]
    pub weights: BTreeMap<&'static str, BTreeMap<&'static str, u32>>,
    /// Words that speak for an intent, with how loudly.
    #[serde(borrow)]
    pub cues: BTreeMap<&'static str, BTreeMap<&'static str, u32>>,
}

/// Something that topic or answers reveal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Signal {
    pub name: &'static str,
    /// Words (or beginnings of words, with `*`) that set it.
    #[serde(default, borrow)]
    pub words: Vec<&'static str>,
    /// What it adds to the weight of dimensions.
    #[serde(default, borrow)]
    pub raises: BTreeMap<&'static str, u32>,
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
    pub refused: &'static str,
    /// What belongs to a word: `database` has `postgres`. A checkpoint that names another one than the answer misstates it.
    #[serde(borrow)]
    pub kinds: BTreeMap<&'static str, Vec<&'static str>>,
}

/// A follow-up's texts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saying {
    pub text: &'static str,
    pub why: &'static str,
    /// As in a probe; may quote what the follow-up quotes.
    pub lead: &'static str,
    pub open: &'static str,
    pub find_out: &'static str,
    pub alternatives: Vec<Choice>,
}

/// One way to challenge a decision.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Challenge {
    #[serde(default, borrow)]
    pub when: Vec<&'static str>,
    pub say: Saying,
}

/// A class of words that sound like an answer and measure nothing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vague {
    pub name: &'static str,
    /// Heard at `standard` and above.
    #[serde(borrow)]
    pub words: Vec<&'static str>,
    /// Heard at `hard` and above.
    #[serde(default, borrow)]
    pub weaker: Vec<&'static str>,
    /// Phrases in which such a word is none.
    #[serde(default, borrow)]
    pub except: Vec<&'static str>,
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
    pub of: &'static str,
    pub say: Saying,
}

const fn middling() -> u32 {
    2
}

/// A file of the catalogue as the build packed it.
macro_rules! file {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".msgpack")).as_slice()
    };
}

/// The dimension files in the order in which progress lists them.
const DIMENSIONS: [&[u8]; 13] = [
    file!("objective"),
    file!("audience"),
    file!("scope"),
    file!("constraints"),
    file!("tradeoffs"),
    file!("risks"),
    file!("unknowns"),
    file!("verification"),
    file!("precedent"),
    file!("terms"),
    file!("upkeep"),
    file!("outcome"),
    file!("next"),
];

pub(super) fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(|| Catalogue {
        dimensions: DIMENSIONS.into_iter().map(embedded).collect(),
        intents: embedded(file!("intents")),
        signals: embedded(file!("signals")),
        follow_ups: embedded(file!("follow-ups")),
    })
}

fn embedded<T: Deserialize<'static>>(packed: &'static [u8]) -> T {
    rmp_serde::from_slice(packed).expect("the embedded catalogue was read by the tests of this build")
}

impl Catalogue {
    pub fn probe(&self, id: &str) -> Option<(&Dimension, &Probe)> {
        self.dimensions
            .iter()
            .find_map(|dimension| dimension.probes.iter().find(|probe| probe.id == id).map(|probe| (dimension, probe)))
    }

    pub fn dimension(&self, id: &str) -> Option<&Dimension> {
        self.dimensions.iter().find(|dimension| dimension.id == id)
    }

    /// The weight of a dimension under an intent, before signals.
    pub fn weight(&self, intent: Intent, dimension: &str) -> u32 {
        self.intents.weights.get(intent.as_str()).and_then(|weights| weights.get(dimension)).copied().unwrap_or(0)
    }
}
