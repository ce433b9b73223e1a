//! Coding agents are told of the program, and no longer.

use super::support::{Peri, text};

/// A home folder in which some agents live.
fn home(peri: Peri, folders: &[&str]) -> (Peri, std::path::PathBuf) {
    let home = peri.home().with_file_name("사용자");
    std::fs::create_dir_all(&home).unwrap();
    for folder in folders {
        std::fs::create_dir_all(home.join(folder)).unwrap();
    }
    let named = home.to_str().unwrap().to_owned();
    (peri.with("HOME", &named), home)
}

/// Every file below a folder with what is in it.
fn files(folder: &std::path::Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_dry_run_shows_the_differences_and_changes_nothing() {
    let (peri, home) = home(Peri::new(), &[".claude", ".cursor"]);
    std::fs::write(home.join(".claude/settings.json"), "{\"model\": \"x\"}\n").unwrap();
    let before = files(&home);
    let run = peri.run(&["install", "--dry-run"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("found Claude Code, Cursor"), "{}", run.err);
    assert!(run.out.contains("Claude Code would change:") && run.out.contains("\n+"), "{}", run.out);
    assert!(run.out.contains("hook claude-code SessionStart"), "{}", run.out);
    assert_eq!(files(&home), before);
}

#[test]
fn what_is_installed_is_taken_back_to_the_byte() {
    let (peri, home) = home(Peri::new(), &[".claude"]);
    std::fs::write(home.join(".claude/settings.json"), "{\"model\": \"내 모델\"}\n").unwrap();
    let before = files(&home);
    let told = peri.json(&["install", "claude-code"]);
    assert_eq!(
        (text(&told["agents"][0]["agent"]), &told["dry_run"]),
        ("claude-code".to_owned(), &false.into())
    );
    assert_eq!(
        text(&told["command"]),
        env!("CARGO_BIN_EXE_peri"),
        "nothing of that name is on the search path"
    );
    let settings = std::fs::read_to_string(home.join(".claude/settings.json")).unwrap();
    assert!(settings.contains("내 모델") && settings.contains("hook claude-code Stop"), "{settings}");
    assert!(settings.contains(peri.home().to_str().unwrap()), "hooks come to the same memories: {settings}");
    let again = peri.ok(&["install", "claude-code"]);
    assert_eq!(again, "Claude Code: everything is as it should be\n");
    peri.ok(&["uninstall", "claude-code"]);
    assert_eq!(files(&home), before);
    assert_eq!(peri.ok(&["uninstall", "claude-code"]), "Claude Code: there is nothing of ours\n");
}

#[test]
fn parts_can_be_left_out() {
    for (without, missing, there) in
        [("--no-hooks", "hook claude-code", "\"mcp\""), ("--no-mcp", "\"mcp\"", "hook claude-code")]
    {
        let (peri, home) = home(Peri::new(), &[".claude"]);
        peri.ok(&["install", "claude-code", without]);
        let all: String = files(&home).into_iter().map(|(_, text)| text).collect();
        assert!(all.contains(there) && !all.contains(missing), "{without}: {all}");
    }
}

#[test]
fn a_project_gets_settings_of_its_own() {
    let (peri, home) = home(Peri::new(), &[]);
    let project = peri.home().with_file_name("project");
    std::fs::create_dir_all(&project).unwrap();
    peri.ok(&["install", "cursor", "--project", project.to_str().unwrap(), "-n", "team/shop"]);
    assert!(files(&home).is_empty());
    let all: String = files(&project).into_iter().map(|(_, text)| text).collect();
    assert!(all.contains("team/shop") && !all.contains(peri.home().to_str().unwrap()), "{all}");
}

#[test]
fn a_program_on_the_search_path_is_called_by_its_name() {
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_peri")).parent().unwrap();
    let (peri, _) = home(Peri::new(), &[".codex"]);
    let peri = peri.with("PATH", folder.to_str().unwrap());
    assert_eq!(text(&peri.json(&["install", "--dry-run"])["command"]), "peri");
}

#[test]
fn what_cannot_be_edited_changes_nothing_anywhere() {
    let (peri, home) = home(Peri::new(), &[".claude", ".codex"]);
    std::fs::write(home.join(".claude/settings.json"), "{ this is no JSON").unwrap();
    let before = files(&home);
    for (args, code, said) in [
        (&["install", "codex", "claude-code"][..], 2, "settings.json cannot be understood: line 1"),
        (&["install", "notepad"], 2, "claude-code"),
        (&["install", "codex", "--no-hooks", "--no-mcp"], 2, "cannot be used with"),
        (&["install", "codex", "--project", "nowhere"], 2, "there is no folder"),
        (&["install", "codex", "-n", "team/*"], 2, "exactly one namespace"),
    ] {
        let run = peri.run(args);
        assert_eq!(run.code, code, "{args:?}: {run:?}");
        assert!(run.err.contains(said), "{args:?}: {run:?}");
        assert_eq!(files(&home), before);
    }
}

#[test]
fn without_any_agent_nothing_is_guessed() {
    let (peri, home) = home(Peri::new(), &[]);
    let run = peri.run(&["install"]);
    assert!(run.code == 2 && run.err.contains("no coding agent was found"), "{run:?}");
    assert!(files(&home).is_empty());
}
