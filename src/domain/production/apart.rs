//! Each file of a plan is a file of its own: of two outputs with one file, the second is written over the first (G31).

use std::collections::BTreeMap;

use super::{Plan, PlannedOutput, Refusal, TargetPath};

/// Why two files of a plan cannot both be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Collision {
    #[error("both are the same file")]
    Same,
    /// They differ in upper and lower case alone.
    #[error("both are the same file where upper and lower case count alike")]
    Alike,
    #[error("the one would have to be a folder for the other")]
    Within,
}

impl Plan {
    /// Refuses a plan in which two files are one on some disk, or one lies in the other.
    pub fn check_apart(&self) -> Result<(), Refusal> {
        let mut taken: BTreeMap<String, (&PlannedOutput, &TargetPath)> = BTreeMap::new();
        for output in &self.outputs {
            for path in &output.paths {
                if let Some(there) = taken.insert(path.folded(), (output, path)) {
                    let why = if there.1 == path { Collision::Same } else { Collision::Alike };
                    return Err(collide(there, (output, path), why));
                }
            }
        }
        for (name, file) in &taken {
            let folder = name.match_indices('/').find_map(|(slash, _)| taken.get(&name[..slash]));
            if let Some(folder) = folder {
                return Err(collide(*folder, *file, Collision::Within));
            }
        }
        Ok(())
    }
}

fn collide(first: (&PlannedOutput, &TargetPath), second: (&PlannedOutput, &TargetPath), why: Collision) -> Refusal {
    let named = |(output, path): (&PlannedOutput, &TargetPath)| (output.destination.clone(), path.clone());
    let ((first, first_path), (second, second_path)) = (named(first), named(second));
    Refusal::PathsCollide { first, first_path, second, second_path, why }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(outputs: &[(&str, &[&str])]) -> Plan {
        let output = |(destination, paths): &(&str, &[&str])| PlannedOutput {
            destination: destination.parse().unwrap(),
            strategy: "vertical-slices".parse().unwrap(),
            paths: paths.iter().map(|path| TargetPath::parse(path).unwrap()).collect(),
            tracker: None,
        };
        Plan { outputs: outputs.iter().map(output).collect(), prose: None, permitted: Vec::new() }
    }

    #[test]
    fn g31_no_two_outputs_are_one_file() {
        for (first, second, expected) in [
            (&["docs/a.md"][..], &["docs/b.md"][..], None),
            (&["docs/a.md"], &["docs/a.md.md", "docs/a/b.md"], None),
            (&["docs/a.md"], &["docs/a.md"], Some(Collision::Same)),
            (&["docs/API.md"], &["docs/x.md", "docs/api.md"], Some(Collision::Alike)),
            (&["docs/\u{e9}.md"], &["docs/e\u{301}.md"], Some(Collision::Alike)),
            (&["docs/a.md", "docs/A.md"], &[], Some(Collision::Alike)),
            (&["docs/a.md"], &["docs/A.md/b.md"], Some(Collision::Within)),
            (&["docs/a/b/c.md"], &["docs/a"], Some(Collision::Within)),
        ] {
            let found = match plan(&[("custom:a", first), ("custom:b", second)]).check_apart() {
                Ok(()) => None,
                Err(Refusal::PathsCollide { why, .. }) => Some(why),
                Err(other) => panic!("{other}"),
            };
            assert_eq!(found, expected, "{first:?} {second:?}");
        }
    }

    #[test]
    fn g31_the_refusal_names_both_outputs_with_their_files() {
        let refused = plan(&[("adr", &["docs/X.md"]), ("custom:a poster", &["docs/x.md"])]).check_apart().unwrap_err();
        assert_eq!(
            refused.to_string(),
            "adr as docs/X.md and custom:a poster as docs/x.md cannot be produced together: both are the same file where \
             upper and lower case count alike"
        );
    }
}
