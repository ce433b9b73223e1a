//! How files are written: whole, with their permissions, through links, and only if they are as they were planned from.

use std::fs;

use peri_agents::Agent;
use peri_agents::install::{self, ApplyError, InstallError};

use crate::support::{Machine, install, uninstall};

#[test]
fn a_file_that_changed_since_it_was_planned_is_not_written_and_no_other_is() {
    let machine = Machine::new();
    machine.write(".cursor/hooks.json", "{}");
    let plan = install::plan(&machine.request(Agent::Cursor)).unwrap();
    assert_eq!(plan.files.len(), 2);
    machine.write(".cursor/hooks.json", "{ \"다른\": 1 }");
    let before = machine.files();
    let error = install::apply(&plan).unwrap_err();
    assert!(matches!(&error, ApplyError::Changed { path } if path.ends_with("hooks.json")), "{error}");
    assert_eq!(machine.files(), before);
}

#[test]
fn a_file_that_appeared_or_vanished_since_is_not_written() {
    let machine = Machine::new();
    let request = machine.request(Agent::Gemini);
    let plan = install::plan(&request).unwrap();
    let file = machine.write(".gemini/settings.json", "{}");
    assert!(matches!(install::apply(&plan), Err(ApplyError::Changed { .. })));
    let plan = install::plan(&request).unwrap();
    fs::remove_file(file).unwrap();
    assert!(matches!(install::apply(&plan), Err(ApplyError::Changed { .. })));
    assert_eq!(machine.files(), []);
}

#[test]
fn a_failure_midway_says_what_was_changed_and_what_was_not() {
    let machine = Machine::new();
    fs::write(machine.project().join(".github"), "a file where a folder should be").unwrap();
    let plan = install::plan(&machine.project_request(Agent::VsCode)).unwrap();
    let error = install::apply(&plan).unwrap_err();
    let told = error.to_string();
    let ApplyError::Failed { changed, unchanged, .. } = error else { panic!("{told}") };
    assert_eq!(changed, [machine.project().join(".vscode/mcp.json")]);
    assert_eq!(unchanged, [machine.project().join(".github/hooks/perihelion.json")]);
    assert!(told.contains("; changed: ") && told.contains("; left as it was: "), "{told}");
    uninstall(&machine.project_request(Agent::VsCode));
    assert!(!machine.project().join(".vscode/mcp.json").exists());
}

#[test]
fn a_failure_after_the_write_counts_the_file_as_changed() {
    let machine = Machine::new();
    let file = machine.write(".gemini/settings.json", "{}");
    let request = machine.request(Agent::Gemini);
    install(&request);
    let plan = install::plan_removal(&request).unwrap();
    let copy = file.with_file_name("settings.json.peri-backup");
    fs::remove_file(&copy).unwrap();
    fs::create_dir(&copy).unwrap();
    let error = install::apply(&plan).unwrap_err();
    let ApplyError::Failed { changed, unchanged, .. } = error else { panic!("{error}") };
    assert_eq!((changed, unchanged), (vec![file], Vec::new()));
    assert_eq!(machine.read(".gemini/settings.json"), "{}");
}

#[test]
fn nothing_half_written_is_left_after_a_failure() {
    let machine = Machine::new();
    let plan = install::plan(&machine.request(Agent::Cursor)).unwrap();
    fs::write(machine.home().join(".cursor"), "in the way").unwrap();
    let before = machine.files();
    let error = install::apply(&plan).unwrap_err();
    assert!(error.to_string().contains("nothing was changed"), "{error}");
    assert_eq!(machine.files(), before);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn permissions_stay_and_the_copy_has_the_same() {
        let machine = Machine::new();
        let file = machine.write(".claude.json", "{\"oauth\": \"secret\"}");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        install(&machine.request(Agent::ClaudeCode));
        for path in [&file, &file.with_file_name(".claude.json.peri-backup")] {
            assert_eq!(
                fs::metadata(path).unwrap().permissions().mode() & 0o7777,
                0o600,
                "{}",
                path.display()
            );
        }
    }

    #[test]
    fn a_symbolic_link_stays_one_and_its_file_is_edited() {
        let machine = Machine::new();
        let real = machine.write("설정 모음/gemini.json", "{ \"a\": 1 }\n");
        let link = machine.home().join(".gemini/settings.json");
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink("../설정 모음/gemini.json", &link).unwrap();
        let request = machine.request(Agent::Gemini);
        assert_eq!(install(&request), std::slice::from_ref(&link));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::read_to_string(&real).unwrap().contains("perihelion"));
        assert!(machine.home().join("설정 모음/gemini.json.peri-backup").exists());
        uninstall(&request);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "{ \"a\": 1 }\n");
    }

    #[test]
    fn a_link_that_leads_elsewhere_since_is_not_followed() {
        let machine = Machine::new();
        let link = machine.home().join(".gemini/settings.json");
        machine.write("one.json", "{}");
        machine.write("two.json", "{}");
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink("../one.json", &link).unwrap();
        let plan = install::plan(&machine.request(Agent::Gemini)).unwrap();
        fs::remove_file(&link).unwrap();
        symlink("../two.json", &link).unwrap();
        assert!(matches!(install::apply(&plan), Err(ApplyError::Changed { .. })));
        assert_eq!((machine.read("one.json"), machine.read("two.json")), ("{}".to_owned(), "{}".to_owned()));
    }

    #[test]
    fn a_link_to_nothing_is_told() {
        let machine = Machine::new();
        fs::create_dir_all(machine.home().join(".gemini")).unwrap();
        symlink("/nirgendwo/settings.json", machine.home().join(".gemini/settings.json")).unwrap();
        let error = install::plan(&machine.request(Agent::Gemini)).unwrap_err();
        assert!(matches!(error, InstallError::DanglingLink { .. }), "{error}");
    }

    /// Whoever may write everywhere has no read-only folders.
    #[test]
    fn a_read_only_folder_is_told_and_nothing_is_left_in_it() {
        let machine = Machine::new();
        let file = machine.write(".gemini/settings.json", "{}");
        let folder = file.parent().unwrap();
        fs::set_permissions(folder, fs::Permissions::from_mode(0o555)).unwrap();
        let may_write_everywhere = fs::write(folder.join("probe"), "").is_ok();
        let before = machine.files();
        let plan = install::plan(&machine.request(Agent::Gemini)).unwrap();
        let applied = install::apply(&plan);
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        if may_write_everywhere {
            applied.unwrap();
        } else {
            let error = applied.unwrap_err();
            assert!(error.to_string().contains("nothing was changed"), "{error}");
            assert_eq!(machine.files(), before);
        }
    }
}
