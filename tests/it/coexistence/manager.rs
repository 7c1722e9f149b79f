//! The managers as data: what a project that uses one holds, and how it is installed.

/// A program that manages git hooks.
pub struct Manager {
    pub name: &'static str,
    /// Writes the project's files. Its hook notes that it ran in `$HOME/ran`, and says no while `forbidden` exists.
    pub project: &'static str,
    pub install: &'static str,
    /// What a commit that went through adds to `$HOME/ran`.
    pub notes: &'static str,
    pub can_refuse: bool,
    /// Whether it owns `pre-push`, which is a hook of ours, too.
    pub wants_pre_push: bool,
    /// Whether it points `core.hooksPath` to a folder of its own, where git then looks for every hook.
    pub moves_hooks: bool,
    /// Its exit code when it will not install.
    pub refuses: i32,
}

pub const MANAGERS: &[Manager] = &[
    Manager {
        name: "husky",
        project: r#"echo '{"name":"demo","private":true}' >package.json
            mkdir .husky
            printf 'echo ran >>"$HOME/ran"\ntest ! -e forbidden\n' >.husky/pre-commit"#,
        install: "husky",
        notes: "ran\n",
        can_refuse: true,
        wants_pre_push: false,
        moves_hooks: true,
        refuses: 1,
    },
    Manager {
        name: "lefthook",
        project: r#"printf 'pre-commit:\n  jobs:\n    - run: echo ran >>"$HOME/ran" && test ! -e forbidden\n' >lefthook.yml"#,
        install: "lefthook install",
        notes: "ran\n",
        can_refuse: true,
        wants_pre_push: false,
        moves_hooks: false,
        refuses: 1,
    },
    Manager {
        name: "pre-commit",
        project: r#"cat >.pre-commit-config.yaml <<'END'
repos:
  - repo: local
    hooks:
      - id: note
        name: note
        entry: sh -c 'echo ran >>"$HOME/ran" && test ! -e forbidden'
        language: system
        always_run: true
        pass_filenames: false
END"#,
        install: "pre-commit install",
        notes: "ran\n",
        can_refuse: true,
        wants_pre_push: false,
        moves_hooks: false,
        refuses: 1,
    },
    Manager {
        name: "git-lfs",
        project: "printf '*.bin filter=lfs diff=lfs merge=lfs -text\\n' >.gitattributes",
        install: "git lfs install --local",
        notes: "post-commit\n",
        can_refuse: false,
        wants_pre_push: true,
        moves_hooks: false,
        refuses: 2,
    },
];
