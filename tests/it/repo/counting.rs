//! Whose word each setting is: every key of the table, set in every way there is, and whether the value counts.
//!
//! The account's home is `home`, and variables say another. Before, `HOME=elsewhere`, `XDG_CONFIG_HOME`, `GIT_CONFIG_GLOBAL`
//! and `GIT_CONFIG_SYSTEM` each counted for `grill.approval`, and a repository's own file for `grill.allow`.

use git_grill::repo::config::counts::{Counts, GIT_KEYS};
use git_grill::repo::config::keys::{self, KEYS, Key};
use git_grill::repo::config::{Account, Config, ConfigError};

use super::Bench;

/// Whose word a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// The account's own, or the system's: nothing that an agent's variables or a repository can say.
    Own,
    Variables,
    Repositorys,
}

/// The ways to set a key, and whose word a value is that is set so.
macro_rules! ways {
    ($($way:ident: $whose:ident;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Way {
            $($way),*
        }
        const WAYS: &[(Way, Whose)] = &[$((Way::$way, Whose::$whose)),*];
    };
}

ways! {
    System: Own;
    SystemByVariable: Variables;
    Account: Own;
    AccountXdg: Own;
    AccountIncludes: Own;
    AccountIncludesIf: Own;
    AccountIncludesInside: Repositorys;
    AccountIncludesIfInside: Repositorys;
    AccountIncludesGitDir: Repositorys;
    AccountIncludesAnotherTree: Repositorys;
    HomeElsewhere: Variables;
    XdgElsewhere: Variables;
    GlobalByVariable: Variables;
    Parameters: Variables;
    Counted: Variables;
    Local: Repositorys;
    LocalIncludes: Repositorys;
    Worktree: Repositorys;
}

use Way::*;

type Read = fn(&Config) -> Result<String, ConfigError>;

fn seconds(config: &Config, key: &Key) -> Result<String, ConfigError> {
    config.time_limit(key).map(|limit| limit.as_secs().to_string())
}

/// A key with a value that does something, and with what shows that it does.
const ROWS: &[(&str, &str, Read)] = &[
    ("grill.intent", "learn", |config| config.settings().map(|set| set.intent.to_string())),
    ("grill.intensity", "hard", |config| config.settings().map(|set| set.intensity.to_string())),
    ("grill.research", "ask", |config| config.settings().map(|set| set.research.to_string())),
    ("grill.output", "prd", |config| config.settings().map(|set| format!("{:?}", set.output_preference))),
    ("grill.interviewer", "agent:claude", |config| config.settings().map(|set| set.interviewer.to_string())),
    ("grill.agent.mine.command", "evil --acp", |config| config.agent_command("mine").map(|words| format!("{words:?}"))),
    ("grill.agent.default", "codex", |config| config.lent_agent().map(|agent| format!("{agent:?}"))),
    ("grill.agent.accept", "host", |config| config.may_accept().map(|may| may.to_string())),
    ("grill.agent.setup", "evil", |config| config.agent_setup().map(|line| format!("{line:?}"))),
    ("grill.agent.directory", "/evil", |config| config.agent_directory().map(|place| format!("{place:?}"))),
    ("grill.extension.mine.command", "evil --x", |config| {
        config.extension_command("mine").map(|words| format!("{words:?}"))
    }),
    ("grill.extension.mine.sandbox", "false", |config| {
        config.extension_sandboxed("mine").map(|sandboxed| sandboxed.to_string())
    }),
    ("grill.approval", "agent", |config| config.settings().map(|set| set.approval.to_string())),
    ("grill.allow", "cargo check", |config| config.allowed_commands().map(|all| format!("{all:?}"))),
    ("grill.fence", "true", |config| config.fencing().map(|fencing| format!("{fencing:?}"))),
    ("grill.failClosed", "true", |config| config.fail_closed().map(|closed| closed.to_string())),
    ("grill.guard.allowTool", "mcp__a__b", |config| config.allowed_tools().map(|all| format!("{all:?}"))),
    ("grill.guard.rewrite", "true", |config| config.rewrites().map(|rewrites| rewrites.to_string())),
    ("grill.fsync", "true", |config| config.fsync().map(|fsync| fsync.to_string())),
    ("grill.sign", "true", |config| config.signing(None).map(|signing| format!("{signing:?}"))),
    ("grill.snapshotLimit", "64m", |config| config.snapshot_limit().map(|limit| limit.to_string())),
    ("grill.packetLimit", "4000", |config| config.packet_limit().map(|limit| format!("{limit:?}"))),
    ("grill.handshakeTimeout", "5", |config| seconds(config, &keys::HANDSHAKE_TIMEOUT)),
    ("grill.firstTokenTimeout", "7", |config| seconds(config, &keys::FIRST_TOKEN_TIMEOUT)),
    ("grill.turnTimeout", "600", |config| seconds(config, &keys::TURN_TIMEOUT)),
    ("grill.cancelTimeout", "3", |config| seconds(config, &keys::CANCEL_TIMEOUT)),
    ("grill.agent.setupTimeout", "5", |config| seconds(config, &keys::SETUP_TIMEOUT)),
    ("grill.agent.silenceTimeout", "5", |config| {
        config.time_limit_if_set(&keys::SILENCE_TIMEOUT).map(|limit| format!("{limit:?}"))
    }),
    ("grill.agent.idleTimeout", "5", |config| seconds(config, &keys::IDLE_TIMEOUT)),
    ("grill.agent.askTimeout", "5", |config| seconds(config, &keys::ASK_TIMEOUT)),
    ("grill.notify", "bell", |config| config.notify().map(|notify| format!("{notify:?}"))),
    ("pager.grill", "evil", |config| config.paging("status").map(|paging| format!("{paging:?}"))),
    ("pager.grill.status", "evil", |config| config.paging("status").map(|paging| format!("{paging:?}"))),
    ("color.ui", "always", |config| config.colour().map(|colour| format!("{colour:?}"))),
    ("color.grill", "always", |config| config.colour().map(|colour| format!("{colour:?}"))),
    ("color.pager", "false", |config| config.coloured_pager().map(|coloured| coloured.to_string())),
    ("gpg.program", "evil", |config| signing(config, "openpgp")),
    ("gpg.openpgp.program", "evil", |config| signing(config, "openpgp")),
    ("gpg.x509.program", "evil", |config| signing(config, "x509")),
    ("gpg.ssh.program", "evil", |config| signing(config, "ssh")),
    ("gpg.ssh.defaultKeyCommand", "evil", |config| signing(config, "ssh")),
];

/// What signs; the format comes from the system's configuration of each world.
fn signing(config: &Config, _format: &str) -> Result<String, ConfigError> {
    config.signing(None).map(|signing| format!("{signing:?}"))
}

fn lines(key: &str, value: &str) -> String {
    let (path, name) = key.rsplit_once('.').unwrap();
    let heading = path.split_once('.').map_or_else(|| path.to_owned(), |(section, sub)| format!("{section} \"{sub}\""));
    format!("[{heading}]\n\t{name} = {value}\n")
}

/// Every value that holds in this world, in which `home` is the account's.
fn load(bench: &Bench) -> Config {
    let var = |name: &str| bench.vars.get(name).cloned();
    let account = Account::at(bench.path("home"), bench.path("system"));
    Config::load(Some(&bench.opened("r")), &var, &account).unwrap_or_else(|error| panic!("{error}"))
}

/// A world in which nothing is set, cleared for every row: making a repository takes longer than reading it.
struct World(Bench, String);

impl World {
    fn new() -> Self {
        let bench = Bench::with_files(&[]);
        bench.git("r", &["commit", "-qm", "one", "--allow-empty"]);
        let config = std::fs::read_to_string(bench.path("r/.git/config")).unwrap();
        Self(bench, config)
    }

    /// The world again as it was made. The signing format is the one that the row asks for.
    fn cleared(&mut self, key: &str) -> &mut Bench {
        let Self(bench, config) = self;
        for leftover in ["home", "elsewhere", "another", "r/deep"] {
            let _ = std::fs::remove_dir_all(bench.path(leftover));
        }
        for leftover in
            ["system", "elsewhere-system", "elsewhere-global", "r/shared", "r/.git/shared", "r/.git/config.worktree"]
        {
            let _ = std::fs::remove_file(bench.path(leftover));
        }
        bench.write("r/.git/config", config);
        bench.vars.clear();
        bench.set("HOME", bench.path("home"));
        bench.set("GIT_CONFIG_SYSTEM", bench.path("system"));
        let format = ["x509", "ssh"].into_iter().find(|format| key.contains(format)).unwrap_or("openpgp");
        if key.starts_with("gpg.") {
            bench.write("system", &format!("[commit]\n\tgpgSign = true\n[gpg]\n\tformat = {format}\n"));
        }
        bench
    }
}

fn append(bench: &Bench, file: &str, text: &str) {
    let before = std::fs::read_to_string(bench.path(file)).unwrap_or_default();
    bench.write(file, &(before + text));
}

fn set(bench: &mut Bench, way: Way, key: &str, value: &str) {
    let lines = lines(key, value);
    let include = |bench: &Bench, from: &str, condition: &str, to: &str| {
        append(bench, from, &format!("[include{condition}]\n\tpath = {}\n", bench.path(to).display()));
        append(bench, to, &lines);
    };
    let here = format!("If \"gitdir:{}\"", bench.path("r/.git").display());
    match way {
        System => append(bench, "system", &lines),
        SystemByVariable => {
            let system = std::fs::read_to_string(bench.path("system")).unwrap_or_default();
            bench.write("elsewhere-system", &(system + &lines));
            bench.set("GIT_CONFIG_SYSTEM", bench.path("elsewhere-system"));
        }
        Account => bench.write("home/.gitconfig", &lines),
        AccountXdg => bench.write("home/.config/git/config", &lines),
        AccountIncludes => include(bench, "home/.gitconfig", "", "home/more"),
        AccountIncludesIf => include(bench, "home/.gitconfig", &here, "home/here"),
        AccountIncludesInside => include(bench, "home/.gitconfig", "", "r/shared"),
        AccountIncludesIfInside => include(bench, "home/.gitconfig", &here, "r/deep/shared"),
        AccountIncludesGitDir => include(bench, "home/.gitconfig", "", "r/.git/shared"),
        AccountIncludesAnotherTree => {
            include(bench, "home/.gitconfig", "", "r/shared");
            std::fs::create_dir_all(bench.path("another")).unwrap();
            bench.set("GIT_DIR", bench.path("r/.git"));
            bench.set("GIT_WORK_TREE", bench.path("another"));
        }
        HomeElsewhere => {
            bench.write("elsewhere/.gitconfig", &lines);
            bench.set("HOME", bench.path("elsewhere"));
        }
        XdgElsewhere => {
            bench.write("elsewhere/git/config", &lines);
            bench.set("XDG_CONFIG_HOME", bench.path("elsewhere"));
        }
        GlobalByVariable => {
            bench.write("elsewhere-global", &lines);
            bench.set("GIT_CONFIG_GLOBAL", bench.path("elsewhere-global"));
        }
        Parameters => bench.set("GIT_CONFIG_PARAMETERS", format!("'{key}'='{value}'")),
        Counted => {
            bench.set("GIT_CONFIG_COUNT", "1");
            bench.set("GIT_CONFIG_KEY_0", key);
            bench.set("GIT_CONFIG_VALUE_0", value);
        }
        Local => append(bench, "r/.git/config", &lines),
        LocalIncludes => include(bench, "r/.git/config", "", "r/shared"),
        Worktree => {
            append(bench, "r/.git/config", "[extensions]\n\tworktreeConfig = true\n");
            bench.write("r/.git/config.worktree", &lines);
        }
    }
}

fn counts_of(key: &str) -> Counts {
    let ours = KEYS.iter().find(|one| one.is_called(key));
    ours.map(|key| key.counts).or_else(|| GIT_KEYS.iter().find(|one| one.name == key).map(|key| key.counts)).unwrap()
}

/// Whether a value that lets more through, or starts something, counts when it is set in this way.
fn may(counts: Counts, whose: Whose) -> bool {
    match counts {
        Counts::Everywhere => true,
        // The rows set a value that protects more.
        Counts::WhereItProtects => true,
        Counts::InTheAccount | Counts::WhereItStartsNothing => whose == Whose::Own,
        Counts::OutsideTheRepository => whose != Whose::Repositorys,
    }
}

#[test]
fn g30_every_key_counts_where_its_row_says_and_nowhere_else() {
    let mut wrong = String::new();
    let mut world = World::new();
    for (key, value, read) in ROWS {
        let unset = read(&load(world.cleared(key))).unwrap();
        for (way, whose) in WAYS {
            let bench = world.cleared(key);
            set(bench, *way, key, value);
            let config = load(bench);
            let counted = read(&config).unwrap() != unset;
            let wanted = may(counts_of(key), *whose);
            if counted != wanted {
                wrong += &format!("{key} by {way:?}: counted {counted}, wanted {wanted}\n");
            }
            let told = config.ignored().unwrap().iter().any(|ignored| *key == ignored.key);
            if told == counted {
                wrong += &format!("{key} by {way:?}: counted {counted}, said to be ignored {told}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_key_that_does_not_count_everywhere_has_a_row() {
    for key in KEYS {
        assert!(ROWS.iter().any(|(row, ..)| key.is_called(row)), "no row for {}", key.name);
    }
    for key in GIT_KEYS.iter().filter(|key| key.counts != Counts::Everywhere) {
        assert!(ROWS.iter().any(|(row, ..)| *row == key.name), "no row for {}", key.name);
    }
    assert!(GIT_KEYS.iter().all(|key| !key.why.is_empty()));
}

/// A value that protects less than what stands before it counts only where it is the account's word.
#[test]
fn what_protects_is_not_taken_back_by_variables_or_a_repository() {
    let mut world = World::new();
    for (key, strong, weak) in
        [("grill.fence", "true", "false"), ("grill.failClosed", "true", "false"), ("grill.snapshotLimit", "64m", "1k")]
    {
        let (.., read) = ROWS.iter().find(|(row, ..)| *row == key).unwrap();
        let foreign =
            [HomeElsewhere, XdgElsewhere, GlobalByVariable, Parameters, Counted, Local, LocalIncludes, Worktree];
        for before in [Account, System, Local] {
            for way in foreign.into_iter().filter(|way| *way != before) {
                let bench = world.cleared(key);
                set(bench, before, key, strong);
                let wanted = read(&load(bench)).unwrap();
                set(bench, way, key, weak);
                assert_eq!(read(&load(bench)).unwrap(), wanted, "{key}: {before:?} says {strong}, {way:?} {weak}");
                // What comes before the repository's own word is followed by it, and not passed over.
                let told = load(bench).ignored().unwrap().iter().any(|ignored| ignored.key == key);
                assert!(told || before == Local, "{key}: {before:?}, {way:?}");
            }
        }
        let bench = world.cleared(key);
        set(bench, System, key, strong);
        let before = read(&load(bench)).unwrap();
        set(bench, Account, key, weak);
        assert_ne!(read(&load(bench)).unwrap(), before, "{key}: the account may");
    }
}

#[test]
fn a_moved_home_is_told_which_files_were_read() {
    let mut world = World::new();
    let bench = world.cleared("grill.approval");
    set(bench, HomeElsewhere, "grill.approval", "agent");
    let ignored = load(bench).ignored().unwrap();
    let home = bench.path("home/.gitconfig");
    assert!(ignored[0].instead.contains(&home.display().to_string()), "{}", ignored[0].instead);
    let var = |name: &str| bench.vars.get(name).cloned();
    let nobody = git_grill::repo::config::Account::unknown("user 4711 is not in the password database");
    let config = Config::load(Some(&bench.opened("r")), &var, &nobody).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(config.settings().unwrap().approval.to_string(), "person");
    assert!(config.ignored().unwrap()[0].instead.contains("user 4711 is not in the password database"));
}

/// What the repository says protects it from nothing where a variable makes it another repository's.
#[test]
fn the_system_s_word_counts_whatever_variables_say_about_it() {
    let mut world = World::new();
    let bench = world.cleared("grill.approval");
    set(bench, System, "grill.approval", "script");
    bench.set("GIT_CONFIG_NOSYSTEM", "1");
    bench.set("GIT_CONFIG_SYSTEM", "/dev/null");
    assert_eq!(load(bench).settings().unwrap().approval.to_string(), "script");
}

/// The names are listed without any of them being started, so only what the account says is listed.
#[test]
fn p6_the_extensions_of_the_account_are_listed_and_no_other_s() {
    let mut world = World::new();
    let bench = world.cleared("grill.extension.mine.command");
    append(bench, "home/.gitconfig", &lines("grill.extension.mine.command", "mine --serve 'two words'"));
    append(bench, "home/.gitconfig", &lines("grill.extension.mine.sandbox", "no"));
    append(bench, "home/.gitconfig", &lines("grill.extension.torn.command", "\\\"torn"));
    append(bench, "r/.git/config", &lines("grill.extension.theirs.command", "evil"));
    let config = load(bench);
    assert_eq!(config.extensions().unwrap(), ["mine", "torn"]);
    assert_eq!(config.extension_command("mine").unwrap().unwrap(), ["mine", "--serve", "two words"]);
    assert!(!config.extension_sandboxed("mine").unwrap() && config.extension_sandboxed("other").unwrap());
    assert!(config.extension_command("torn").unwrap_err().to_string().contains("quotes are closed"));
    assert_eq!(config.extension_command("theirs").unwrap(), None);
}
