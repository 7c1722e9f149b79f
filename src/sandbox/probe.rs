//! What this machine can do, found out in a process of its own: mounts are tried for real, and whoever tries them has
//! left the mounts of everybody else.

use std::path::Path;
use std::time::Duration;

use crate::app::ports::{Process, Run};

use super::Abilities;

/// The first argument of the process that tries; no verb, since nobody types it.
pub const PROBE: &str = "sandbox-probe";

const LIMIT: Duration = Duration::from_secs(10);

/// Asks `program`, our own, what can be built here.
pub fn probe(process: &dyn Process, program: &Path) -> Abilities {
    let run = Run { limit: Some(LIMIT), ..Run::new(program, [PROBE]) };
    let told = process.run(&run).map_err(|error| error.to_string());
    told.and_then(|ran| read(&String::from_utf8_lossy(&ran.stdout)).ok_or_else(|| "nothing was found out".to_owned()))
        .unwrap_or_else(|why| Abilities { landlock: Err(why.clone()), mounts: Err(why) })
}

/// What the process that tries prints.
pub fn told(abilities: &Abilities) -> String {
    let landlock = match &abilities.landlock {
        Ok(version) => format!("landlock\t{version}"),
        Err(why) => format!("no landlock\t{why}"),
    };
    let mounts = match &abilities.mounts {
        Ok(()) => "mounts\t".to_owned(),
        Err(why) => format!("no mounts\t{why}"),
    };
    format!("{landlock}\n{mounts}\n")
}

fn read(text: &str) -> Option<Abilities> {
    let (first, second) = text.trim_end_matches('\n').split_once('\n')?;
    let landlock = match first.split_once('\t')? {
        ("landlock", version) => Ok(version.parse().ok()?),
        ("no landlock", why) => Err(why.to_owned()),
        _ => return None,
    };
    let mounts = match second.split_once('\t')? {
        ("mounts", "") => Ok(()),
        ("no mounts", why) => Err(why.to_owned()),
        _ => return None,
    };
    Some(Abilities { landlock, mounts })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_read_and_nothing_else_is() {
        let (yes, no) = (|| Ok(()), || Err("cannot: why".to_owned()));
        for (landlock, mounts, words) in [
            (Ok(7), yes(), "kernel: landlock v7 + mount"),
            (Ok(4), no(), "kernel: landlock v4 only"),
            (Err("none".to_owned()), yes(), "kernel: mount only"),
            (Err("none".to_owned()), no(), "kernel: none"),
        ] {
            let abilities = Abilities { landlock, mounts };
            assert_eq!(abilities.to_string(), words);
            assert_eq!(read(&told(&abilities)), Some(abilities));
        }
        for wrong in ["", "landlock\t7", "landlock\tx\nmounts\t\n", "landlock\t7\nmounts\tmaybe\n"] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }
}
