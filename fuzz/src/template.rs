//! Templates of a user's own: they come to an end, within a size, and hold nothing that could grow without a limit.

use git_grill::domain::checkpoint::Checkpoint;
use git_grill::domain::production::TargetPath;
use git_grill::output::{Cannot, Existing, TemplateError, documents, paths, strategy_for};

use super::{document, text};

const CHECKPOINT: &str = "# Shared Understanding\n\n## Topic\n\nrate limiting\n\n## Decisions\n\n- By key.\n  - Reason: One key is one \
                          customer.\n- Beside the router.\n\n## Risks\n\n- Clocks may differ.\n";
/// The largest document.
const LARGEST: usize = 4 * 1024 * 1024 + 1024;

pub fn run(data: &[u8]) {
    let Some(template) = text(data) else { return };
    let session = document::session("rate limiting", Checkpoint::parse(CHECKPOINT).expect("a document"));
    let destination = "custom:t.md.j2".parse().expect("an output");
    let mut existing = Existing::default();
    existing.file(TargetPath::parse("t.md.j2").expect("a path"), Some(template.to_owned()));
    let strategy = strategy_for(&destination, None, None, &session);
    let out = paths(&destination, &strategy, None, &session, &existing).expect("there is a template");
    match documents(&destination, &strategy, &out, &session, &existing) {
        Ok(documents) => {
            for one in documents {
                assert!(one.text.len() <= LARGEST, "{} bytes", one.text.len());
            }
        }
        Err(Cannot::Template {
            why: TemplateError::Wrong { line, .. } | TemplateError::Withheld { line, .. }, ..
        }) => {
            assert!(line >= 1 && line <= template.lines().count().max(1) + 1, "line {line}");
        }
        Err(_) => {}
    }
}
