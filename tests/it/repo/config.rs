//! Configuration: precedence over all scopes, compared with git itself, and whose word `grill.approval` takes.

use git_grill::domain::settings::{Approval, Intensity, Intent};
use git_grill::repo::config::{Account, Colour, Config, ConfigError, Origin, keys};

use super::Bench;

impl Bench {
    fn config(&self, folder: &str) -> Config {
        self.try_config(folder).unwrap_or_else(|error| panic!("{error}"))
    }

    fn try_config(&self, folder: &str) -> Result<Config, ConfigError> {
        let var = |name: &str| self.vars.get(name).cloned();
        Config::load(Some(&self.opened(folder)), &var, &self.account())
    }

    /// The account whose home the bench's `HOME` is, where no test says otherwise.
    fn account(&self) -> Account {
        Account::at(self.path("home"), self.path("no-system"))
    }
}

/// Every scope that git knows, lowest first, each setting its own value.
#[test]
fn g4_the_highest_scope_wins_as_in_git() {
    let mut bench = Bench::with_files(&[]);
    bench.vars.remove("GIT_CONFIG_NOSYSTEM");
    bench.set("GIT_CONFIG_SYSTEM", bench.path("system"));
    let mut expected = Vec::new();
    let check = |bench: &Bench, expected: &mut Vec<String>, value: &str| {
        expected.push(value.to_owned());
        let ours = bench.config("r").string("grill.probe");
        assert_eq!(ours.as_deref(), Some(value));
        let all = bench.git("r", &["config", "--get-all", "grill.probe"]);
        assert_eq!(all.lines().collect::<Vec<_>>(), *expected, "git sees the same");
    };
    bench.write("system", "[grill]\nprobe = system\n");
    check(&bench, &mut expected, "system");
    bench.write("home/.config/git/config", "[grill]\nprobe = xdg\n");
    check(&bench, &mut expected, "xdg");
    bench.write("home/.gitconfig", "[Grill]\n\tProbe = user # with a comment\n");
    check(&bench, &mut expected, "user");
    bench.git("r", &["config", "grill.probe", "local"]);
    check(&bench, &mut expected, "local");
    bench.git("r", &["config", "extensions.worktreeConfig", "true"]);
    bench.git("r", &["config", "--worktree", "grill.probe", "worktree"]);
    check(&bench, &mut expected, "worktree");
    bench.set("GIT_CONFIG_COUNT", "1");
    bench.set("GIT_CONFIG_KEY_0", "grill.probe");
    bench.set("GIT_CONFIG_VALUE_0", "counted # no comment");
    check(&bench, &mut expected, "counted # no comment");
    bench.set("GIT_CONFIG_PARAMETERS", r"'grill.probe'='it'\''s typed'");
    check(&bench, &mut expected, "it's typed");
}

#[test]
fn the_variables_that_move_files_are_honoured() {
    let mut bench = Bench::with_files(&[]);
    bench.write("home/.gitconfig", "[grill]\nintent = learn\n");
    bench.write("home/.config/git/config", "[grill]\nintensity = hard\n");
    bench.write("other", "[grill]\nintent = decide\n");
    let settings = bench.config("r").settings().unwrap();
    assert_eq!((settings.intent, settings.intensity), (Intent::Learn, Intensity::Hard));
    bench.set("GIT_CONFIG_GLOBAL", bench.path("other"));
    let settings = bench.config("r").settings().unwrap();
    assert_eq!(
        (settings.intent, settings.intensity),
        (Intent::Decide, Intensity::Standard),
        "it stands for both of the user's files"
    );
    bench.set("GIT_CONFIG_SYSTEM", bench.path("other"));
    bench.set("GIT_CONFIG_GLOBAL", "/dev/null");
    assert_eq!(bench.config("r").settings().unwrap().intent, Intent::Auto, "NOSYSTEM is set");
}

#[test]
fn includes_are_followed_also_conditional_ones() {
    let bench = Bench::with_files(&[]);
    let git_dir = bench.path("r/.git").display().to_string();
    bench.write(
        "home/.gitconfig",
        &format!(
            "[include]\npath = extra\n[includeIf \"gitdir:{git_dir}\"]\npath = here\n\
             [includeIf \"onbranch:main\"]\npath = branch\n[includeIf \"onbranch:other\"]\npath = wrong\n\
             [include]\npath = ~/tilde\n[include]\npath = missing\n"
        ),
    );
    bench.write("home/extra", "[grill]\nintent = plan\n");
    bench.write("home/here", "[grill]\nintensity = gentle\n");
    bench.write("home/branch", "[grill]\nresearch = ask\n");
    bench.write("home/wrong", "[grill]\nintent = learn\n");
    bench.write("home/tilde", "[grill]\nfsync = yes\n");
    let config = bench.config("r");
    let settings = config.settings().unwrap();
    assert_eq!(
        (settings.intent.as_str(), settings.intensity.as_str(), settings.research.as_str()),
        ("plan", "gentle", "ask")
    );
    assert!(config.fsync().unwrap());
}

#[test]
fn g30_only_the_persons_own_files_say_who_may_approve() {
    let mut bench = Bench::with_files(&[]);
    let approval = |bench: &Bench| bench.config("r").settings().unwrap().approval;
    bench.git("r", &["config", "grill.approval", "agent"]);
    assert_eq!(approval(&bench), Approval::Person, "not the repository's");
    bench.set("GIT_CONFIG_COUNT", "1");
    bench.set("GIT_CONFIG_KEY_0", "grill.approval");
    bench.set("GIT_CONFIG_VALUE_0", "agent");
    assert_eq!(approval(&bench), Approval::Person, "not the environment's");
    bench.set("GIT_CONFIG_PARAMETERS", "'grill.approval'='agent'");
    assert_eq!(approval(&bench), Approval::Person, "not git -c");
    let ignored = bench.config("r").ignored().unwrap();
    assert_eq!(ignored.len(), 3);
    assert_eq!(ignored[0].origin, Origin::Repository(bench.path("r/.git/config")));
    assert_eq!(ignored[2].origin, Origin::CommandLine);

    bench.write("r/shared-config", "[grill]\napproval = agent\n");
    let include = format!("[include]\npath = {}\n", bench.path("r/shared-config").display());
    bench.write("home/.gitconfig", &include);
    assert_eq!(approval(&bench), Approval::Person, "nor a file of the repository that the user includes");

    bench.write("home/.gitconfig", "[grill]\napproval = script\n");
    assert_eq!(approval(&bench), Approval::Script);
}

#[test]
fn commands_are_allowed_by_the_account_only_and_every_value_counts() {
    let mut bench = Bench::with_files(&[]);
    bench.write("home/.gitconfig", "[grill]\nallow = just lint\nallow = cargo check\n");
    bench.git("r", &["config", "--add", "grill.allow", "cargo clippy"]);
    bench.set("GIT_CONFIG_PARAMETERS", "'grill.allow'='rm'");
    let config = bench.config("r");
    assert_eq!(config.allowed_commands().unwrap(), ["just lint", "cargo check"]);
    assert_eq!(config.ignored().unwrap().len(), 2, "the others are passed over, and said to be");
    bench.write("home/.gitconfig", "[grill]\nallow\n");
    assert!(bench.config("r").allowed_commands().unwrap_err().to_string().contains("grill.allow"));
}

#[test]
fn bad_values_name_the_key_the_place_and_what_is_allowed() {
    let bench = Bench::with_files(&[]);
    bench.git("r", &["config", "grill.intensity", "loud"]);
    let error = bench.config("r").settings().unwrap_err();
    let place = bench.path("r/.git/config");
    assert_eq!(
        error.to_string(),
        format!("grill.intensity is 'loud' in {}; allowed: gentle, standard, hard, adversarial", place.display())
    );
    assert_eq!(error.hint(), "git config --show-origin --get-all grill.intensity");

    for (key, value) in [("grill.output", "pdf"), ("grill.interviewer", "agent:"), ("grill.research", "")] {
        let bench = Bench::with_files(&[]);
        bench.git("r", &["config", key, value]);
        let error = bench.config("r").settings().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{key} is '{value}'")), "{error}");
    }
    // A number out of its range is told the range.
    for (key, value, range) in [
        ("grill.packetLimit", "1999", "<characters, 2000 to 200000>"),
        ("grill.packetLimit", "300k", "<characters, 2000 to 200000>"),
        ("grill.turnTimeout", "0", "<seconds, 1 to 86400>"),
        ("grill.snapshotLimit", "-1", "<bytes, 0 or more>"),
    ] {
        let bench = Bench::with_files(&[]);
        bench.git("r", &["config", key, value]);
        let config = bench.config("r");
        let limits = [
            config.packet_limit().map(drop),
            config.time_limit(&keys::TURN_TIMEOUT).map(drop),
            config.snapshot_limit().map(drop),
        ];
        let error = limits.into_iter().find_map(Result::err).unwrap().to_string();
        assert!(error.starts_with(&format!("{key} is '{value}'")) && error.contains(range), "{error}");
    }
    bench.git("r", &["config", "grill.failClosed", "maybe"]);
    assert!(bench.config("r").fail_closed().is_err());
    bench.write("r/.git/config", "[core\n");
    // libgit2 refuses it first; as a user's file only we see it.
    let bench = Bench::with_files(&[]);
    bench.write("home/.gitconfig", "[grill\nx");
    let Err(error) = bench.try_config("r") else {
        panic!("a broken file was taken");
    };
    assert!(error.to_string().contains(".gitconfig is no valid git configuration"), "{error}");
}

#[test]
fn switches_and_colours_are_gits() {
    for (lines, fsync) in [
        ("", false),
        ("[core]\nfsync = all\n", true),
        ("[core]\nfsync = committed,-loose-object\n", false),
        ("[core]\nfsync = none\n", false),
        ("[core]\nfsyncObjectFiles\n", true),
        ("[core]\nfsync = all\n[grill]\nfsync = off\n", false),
        ("[grill]\nfsync\n", true),
    ] {
        let bench = Bench::with_files(&[]);
        bench.write("home/.gitconfig", lines);
        assert_eq!(bench.config("r").fsync().unwrap(), fsync, "{lines}");
    }
    for (lines, colour) in [
        ("", Colour::Auto),
        ("[color]\nui = always\n", Colour::Always),
        ("[color]\nui = always\ngrill = false\n", Colour::Never),
        ("[color]\nui = true\n", Colour::Auto),
    ] {
        let bench = Bench::with_files(&[]);
        bench.write("home/.gitconfig", lines);
        assert_eq!(bench.config("r").colour().unwrap(), colour, "{lines}");
    }
}

#[test]
fn keys_that_nobody_reads_are_told() {
    let bench = Bench::with_files(&[]);
    bench.write("home/.gitconfig", "[grill]\nintensty = hard\nFAILCLOSED = true\n[grill \"x\"]\ny = 1\n");
    let unknown = bench.config("r").unknown_keys();
    let told: Vec<_> = unknown.iter().map(|key| key.name.as_str()).collect();
    assert_eq!(told, ["grill.intensty", "grill.x.y"]);
}

#[test]
fn outside_a_repository_the_users_files_still_count() {
    let bench = Bench::new();
    bench.write("home/.gitconfig", "[color]\nui = never\n[includeIf \"gitdir:/x\"]\npath = y\n");
    let var = |name: &str| bench.vars.get(name).cloned();
    let config = Config::load(None, &var, &bench.account()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(config.colour().unwrap(), Colour::Never);
}
