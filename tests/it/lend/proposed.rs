//! What accepting would do, in a parent that the user went on working in (A16, A39). Nothing is done yet.

use git_grill::lend::changes::changes;
use git_grill::lend::plan::{Act, Clash};
use git_grill::lend::standing::propose;

use super::Yard;

#[test]
fn a39_what_the_user_changed_meanwhile_is_weighed_path_by_path() {
    let yard = Yard::new();
    yard.place();
    yard.sh(
        &yard.copy(),
        "echo agent >>src/a && rm lib/c && echo n >src/new && chmod +x src/in/b && mkdir d && echo x >d/x",
    );
    yard.sh(&yard.repo(), "sed -i '1s/^/user /' src/a && echo mine >src/other && echo staged >s && git add s");
    let before = yard.bytes();
    let found = changes(&yard.parent(), &yard.folder()).unwrap();
    let plan = propose(&yard.parent(), &yard.folder(), &found).unwrap();
    let steps: Vec<(&[u8], &str)> = plan
        .steps
        .iter()
        .map(|step| {
            let word = match step.act {
                Act::Write { .. } => "write",
                Act::Delete => "delete",
                Act::Mode { .. } => "mode",
                Act::Merge { .. } => "merge",
            };
            (step.path.as_slice(), word)
        })
        .collect();
    let expected: [(&[u8], &str); 5] =
        [(b"src/in/b", "mode"), (b"d/x", "write"), (b"lib/c", "delete"), (b"src/a", "merge"), (b"src/new", "write")];
    assert_eq!(steps, expected);
    assert!(plan.clashes.is_empty(), "{:?}", plan.clashes);
    assert_eq!(yard.bytes(), before, "a proposal writes nothing into the parent");
}

#[test]
fn a39_what_does_not_fit_is_a_clash() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo agent >>src/a && echo n >new && mkdir d && echo x >d/x && echo same >same");
    yard.sh(&yard.repo(), "rm src/a && mkdir new && echo u >new/u.log && echo file >d && echo same >same");
    let found = changes(&yard.parent(), &yard.folder()).unwrap();
    let plan = propose(&yard.parent(), &yard.folder(), &found).unwrap();
    let clashes: Vec<(&[u8], &Clash)> = plan.clashes.iter().map(|(path, clash)| (path.as_slice(), clash)).collect();
    let (below, above) = (Clash::InTheWay(b"new/u.log".to_vec()), Clash::InTheWay(b"d".to_vec()));
    let expected: [(&[u8], &Clash); 3] = [(b"d/x", &above), (b"new", &below), (b"src/a", &Clash::Removed)];
    assert_eq!(clashes, expected);
    assert!(plan.already.contains(b"same".as_slice()));
}
