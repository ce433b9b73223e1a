//! Nobody else on the machine reads what is remembered, whatever the umask is.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::support::Peri;

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

/// Everything below a folder, and itself.
fn all(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(all(&path)) } else { found.push(path) }
    }
    found
}

/// What of a data folder others can read, change or enter.
pub fn open_to_others(folder: &Path) -> Vec<PathBuf> {
    all(folder).into_iter().filter(|path| mode(path) & 0o077 != 0).collect()
}

/// Runs the program under a umask.
fn run(peri: &Peri, umask: &str, args: &[&str], input: &str) {
    let script = format!("umask {umask}; exec \"$0\" \"$@\"");
    let program = peri.process();
    let mut command = std::process::Command::new("/bin/sh");
    command.env_clear().args(["-c", &script]).arg(program.get_program()).args(args);
    command.current_dir(peri.home().parent().unwrap());
    command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = assert_cmd::Command::from_std(command).write_stdin(input).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
}

/// Does what makes every kind of file that there is.
fn use_everything(peri: &Peri, umask: &str) {
    let turns =
        peri.file("turns.jsonl", "{\"role\":\"user\",\"text\":\"기억해: 금요일에는 배포하지 않는다.\"}\n");
    let agents = peri.file("AGENTS.md", "# 规则\n");
    fs::set_permissions(&agents, Permissions::from_mode(0o644)).unwrap();
    let hook = r#"{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"안녕","cwd":"/","transcript_path":"/t.jsonl"}"#;
    let commands: [(&[&str], &str); 14] = [
        (&["remember", "도자기를 굽는 날은 일요일이다", "--pin"], ""),
        (&["recall", "도자기"], ""),
        (&["hear", "--session", "s", "--file", &turns, "--now"], ""),
        (&["work", "set", "자리", "三", "--session", "s"], ""),
        (&["journal", "append", "회의를 했다"], ""),
        (&["maintain"], ""),
        (&["report", "--write"], ""),
        (&["snapshot", "create"], ""),
        (&["vault", "put", "knowledge/facts/차", "-"], "녹차를 마신다"),
        (&["vault", "sync"], ""),
        (&["bridge", "export", &agents], ""),
        (&["hook", "claude-code", "UserPromptSubmit"], hook),
        (&["backup", "create"], ""),
        (&["export", "alles.jsonl"], ""),
    ];
    for (args, input) in commands {
        run(peri, umask, args, input);
    }
    run(peri, umask, &["backup", "restore", "latest", "--overwrite", "-y"], "");
}

/// Leaves a write in the queue, since somebody holds the store.
fn leave_waiting(peri: &Peri, umask: &str) {
    let holder = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    run(peri, umask, &["remember", "白鹭在湖边"], "");
    holder.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn whatever_is_made_is_for_its_owner_alone() {
    for umask in ["000", "077"] {
        let peri = Peri::new().with("PERI_VAULT_ENABLED", "on").with("PERI_STORE_BUSY_TIMEOUT_MS", "200");
        use_everything(&peri, umask);
        leave_waiting(&peri, umask);
        let made = all(&peri.home());
        assert_eq!(open_to_others(&peri.home()), [] as [PathBuf; 0], "umask {umask}");
        for name in ["perihelion.db", "logs", "notes", "bridge", "backups", "vault", "queue"] {
            assert!(peri.home().join(name).exists(), "{name} was looked at: {made:?}");
        }
        let beside = peri.home().parent().unwrap().to_owned();
        assert_eq!(mode(&beside.join("alles.jsonl")), 0o600, "an export");
        assert_eq!(mode(&beside.join("AGENTS.md")), 0o644, "a file of the user's stays as it was");
    }
}

#[test]
fn a_folder_that_everybody_could_read_is_closed_and_one_that_a_group_shares_is_not() {
    for (before, folder, file) in [
        (0o755, 0o700, 0o600),
        (0o777, 0o700, 0o600),
        (0o770, 0o770, 0o660),
        (0o2770, 0o2770, 0o660),
        (0o2775, 0o2770, 0o660),
    ] {
        let peri = Peri::new();
        fs::create_dir(peri.home()).unwrap();
        fs::set_permissions(peri.home(), Permissions::from_mode(before)).unwrap();
        run(&peri, "000", &["remember", "Ana prefers tea"], "");
        assert_eq!(mode(&peri.home()), folder, "{before:o}");
        assert_eq!(mode(&peri.home().join("perihelion.db")), file, "{before:o}");
        assert!(!peri.ok(&["doctor"]).contains("chmod"));
    }
}

#[test]
fn in_a_folder_of_other_things_our_own_files_are_closed() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea"]);
    fs::write(peri.home().join("index.html"), "a page").unwrap();
    for name in ["", "perihelion.db", "index.html"] {
        let open = if name.is_empty() { 0o755 } else { 0o644 };
        fs::set_permissions(peri.home().join(name), Permissions::from_mode(open)).unwrap();
    }
    assert_eq!(peri.recall(&["tea"]), ["Ana prefers tea"]);
    let modes = ["", "perihelion.db", "index.html"].map(|name| mode(&peri.home().join(name)));
    assert_eq!(modes, [0o755, 0o600, 0o644]);
    assert!(!peri.ok(&["doctor"]).contains("chmod"));
}

#[test]
fn what_install_makes_is_written_by_nobody_else_whatever_the_umask_is() {
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), Permissions::from_mode(0o755)).unwrap();
    let peri = Peri::new().with("HOME", home.path().to_str().unwrap());
    for agent in ["cursor", "codex", "claude-code"] {
        run(&peri, "000", &["install", agent], "");
    }
    let made: Vec<PathBuf> = all(home.path()).into_iter().filter(|path| path != home.path()).collect();
    assert!(made.len() > 4, "{made:?}");
    let others: Vec<_> = made.iter().filter(|path| mode(path) & 0o022 != 0).collect();
    assert!(others.is_empty(), "agents run what these say: {others:?}");
}
