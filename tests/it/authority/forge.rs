//! Sessions that a hostile clone hands out: made by git grill as any other, then edited file by file and committed again.

use std::fs;
use std::path::PathBuf;

use super::rows::{Edit, Row};
use super::stories::Base;
use crate::bench::Bench;
use crate::tracker::stand_in::StandIn;

/// A program that leaves a mark beside the repository when it is started.
const LAUNCHED: &str = "#!/bin/sh\ntouch \"${0%/*}/../launched\"\n";

/// Where sessions are made and forged: `theirs` tells the stories, `evil.git` hands out what became of them.
pub struct Forge<'a> {
    bench: &'a Bench,
    ids: Vec<(Base, String, String)>,
}

impl<'a> Forge<'a> {
    /// Tells every story, in a clone in which scripts may approve, and makes ours the clone of it without that.
    pub fn new(bench: &'a Bench, gh: &StandIn) -> Self {
        bench.run("git remote add tracker https://github.com/octo/links.git").assert_code(0);
        bench.run("ln -s ../outside link && mkdir ../outside && git add link && git commit -qm link").assert_code(0);
        bench.run("printf 'all:\\n' > Makefile && git add Makefile && git commit -qm make").assert_code(0);
        // A program that a clone brings along.
        bench.write("evil", LAUNCHED);
        bench.run("chmod +x evil && git add evil && git commit -qm evil").assert_code(0);
        bench.scripts_may_approve();
        bench.run("git clone -q . ../theirs").assert_code(0);
        bench.run("git -C ../theirs remote set-url origin https://github.com/octo/links.git").assert_code(0);
        let path = gh.first_in_path();
        let told = |base: Base| {
            let lines = base.story().replace('@', &format!("{path} git grill"));
            bench.at("../theirs").run(&format!("set -e; {lines}")).assert_code(0);
            let tip = bench.at("../theirs").run("git symbolic-ref GRILL_HEAD && git rev-parse GRILL_HEAD");
            let tip = tip.assert_code(0);
            let (name, tip) = tip.stdout().trim().split_once('\n').expect("a ref and a commit").to_owned();
            let id = name.rsplit('/').next().expect("a name").to_owned();
            bench.at("../theirs").run("git grill stop || git grill stop --without-output").assert_code(0);
            (base, id, tip.to_owned())
        };
        let ids = Base::ALL.iter().copied().map(told).collect();
        bench.run("git clone -q --mirror ../theirs ../evil.git").assert_code(0);
        bench.run("git config --global --unset grill.approval").assert_code(0);
        gh.set("requests", "");
        let forge = Self { bench, ids };
        forge.canaries();
        forge
    }

    /// The session of a story.
    pub fn id(&self, base: Base) -> String {
        self.told(base).1.clone()
    }

    fn told(&self, base: Base) -> &(Base, String, String) {
        self.ids.iter().find(|(one, ..)| *one == base).expect("every story was told")
    }

    /// Programs that a launched agent would be.
    fn canaries(&self) {
        for name in ["claude", "codex", "gemini", "opencode", "pi", "grok", "evil"] {
            let path = format!("../canaries/{name}");
            self.bench.write(&path, LAUNCHED);
            self.bench.run(&format!("chmod +x {path}")).assert_code(0);
        }
    }

    /// Forges the row's session on top of its story, and fetches it into our clone by force.
    pub fn make(&self, row: &Row) {
        let (_, id, tip) = self.told(row.base);
        let folder = self.folder();
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        self.bench.run(&format!("git --git-dir=../evil.git archive {tip} | tar x -C ../forge")).assert_code(0);
        for edit in &row.edits {
            self.edit(row, edit);
        }
        let parents =
            if row.name.contains("two parents") { format!("-p {tip} -p {tip}^") } else { format!("-p {tip}") };
        let line = format!(
            "cd ../forge; export GIT_DIR=$PWD/../evil.git GIT_WORK_TREE=$PWD GIT_INDEX_FILE=$PWD/../forge-index; \
             rm -f $GIT_INDEX_FILE; git add -A -f . && git commit-tree $(git write-tree) {parents} -m \"$(git log -1 --format=%B {tip})\" \
             | xargs git update-ref refs/grill/sessions/{id}"
        );
        self.bench.run(&line).assert_code(0);
        // Our clone keeps the folder as it is; only the session comes in.
        let fetched = format!(
            "git -c core.hooksPath=/dev/null fetch -q ../evil.git '+refs/grill/sessions/{id}:refs/grill/sessions/{id}' && \
             git update-ref refs/hostile/tip refs/grill/sessions/{id}"
        );
        self.bench.run(&fetched).assert_code(0);
    }

    fn folder(&self) -> PathBuf {
        self.bench.root().join("forge")
    }

    fn edit(&self, row: &Row, edit: &Edit) {
        let at = |path: &str| self.folder().join(path);
        let filled = |text: &str| self.filled(row, text);
        match edit {
            Edit::Swap(path, from, to) => {
                let text = fs::read_to_string(at(path)).unwrap();
                assert!(text.contains(from), "{}: {path} has no {from:?}:\n{text}", row.name);
                fs::write(at(path), text.replacen(from, &filled(to), 1)).unwrap();
            }
            Edit::Put(path, text) => {
                let path = at(&filled(path));
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, filled(text)).unwrap();
            }
            Edit::Link(path, to) => {
                let path = at(path);
                let _ = fs::remove_file(&path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::os::unix::fs::symlink(to, path).unwrap();
            }
        }
    }

    /// `{id}` is the session's, `{root}` the world's folder, `{blob:text}` the blob id of that text.
    fn filled(&self, row: &Row, text: &str) -> String {
        let mut text = text.replace("{id}", &self.id(row.base)).replace("{root}", self.bench.root().to_str().unwrap());
        while let Some((before, rest)) = text.split_once("{blob:") {
            let (named, after) = rest.split_once('}').expect("it is closed");
            let named_text = named.replace("\\n", "\n").replace("\\t", "\t");
            let blob = self.bench.run_with_input("git hash-object --stdin", named_text).assert_code(0);
            text = format!("{before}{}{after}", blob.stdout().trim());
        }
        text
    }
}
