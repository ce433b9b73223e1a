//! Prompts, and the files that override them.

use std::path::Path;

use peri_llm::{PromptError, PromptFile, PromptSource, Prompts};

const FILES: [PromptFile; 2] = [
    PromptFile {
        name: "observer",
        version: 2,
        text: "Notes:\n{{notes}}\nMessages: {{messages}} ({{notes}})",
    },
    PromptFile { name: "reflector", version: 1, text: "No places, but {\"json\": {\"a\": 1}} and }}." },
];

fn load(folder: &Path) -> Result<Prompts, PromptError> {
    Prompts::load(&FILES, Some(folder))
}

#[test]
fn places_are_filled_and_what_is_filled_in_is_not_looked_at_again() {
    let prompts = Prompts::load(&FILES, None).unwrap();
    let observer = prompts.get("observer").unwrap();
    let filled = observer.fill(&[("messages", "{{notes}} {{더}}"), ("notes", "🔴 {{messages}}")]).unwrap();
    assert_eq!(filled, "Notes:\n🔴 {{messages}}\nMessages: {{notes}} {{더}} (🔴 {{messages}})");
    assert_eq!(prompts.get("reflector").unwrap().fill(&[]).unwrap(), FILES[1].text);
    let stamp = observer.stamp();
    assert_eq!((stamp.version, stamp.digest.len(), &stamp.source), (2, 16, &PromptSource::BuiltIn));
}

#[test]
fn what_is_missing_or_has_no_place_is_an_error() {
    let prompts = Prompts::load(&FILES, None).unwrap();
    let observer = prompts.get("observer").unwrap();
    for values in [&[("notes", "x")][..], &[("notes", "x"), ("messages", "y"), ("extra", "z")], &[]] {
        assert!(matches!(observer.fill(values), Err(PromptError::Filling { .. })), "{values:?}");
    }
    let missing = observer.fill(&[("notes", "x")]).unwrap_err();
    assert!(missing.to_string().contains("{{messages}}"), "{missing}");
    assert!(matches!(prompts.get("nobody"), Err(PromptError::NoPrompt { .. })));
}

#[test]
fn a_file_overrides_the_prompt_of_its_name_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("observer.md");
    std::fs::write(&path, "메모 {{notes}} 대화 {{messages}}").unwrap();
    std::fs::write(folder.path().join("README.txt"), "not a prompt").unwrap();
    let prompts = load(folder.path()).unwrap();
    let observer = prompts.get("observer").unwrap();
    assert_eq!(observer.fill(&[("notes", "하나"), ("messages", "둘")]).unwrap(), "메모 하나 대화 둘");
    assert_eq!(observer.stamp().source, PromptSource::File(path));
    let built_in = Prompts::load(&FILES, None).unwrap();
    assert_ne!(observer.stamp().digest, built_in.get("observer").unwrap().stamp().digest);
    assert_eq!(prompts.get("reflector").unwrap().stamp().source, PromptSource::BuiltIn);
    assert!(load(&folder.path().join("no such folder")).is_ok());
}

#[test]
fn files_that_cannot_be_used_are_errors_that_name_them() {
    for (name, content, message) in [
        ("obsrever.md", &b"{{notes}}"[..], "there are observer, reflector"),
        ("observer.md", b"only {{notes}}", "messages, notes; it has: notes"),
        ("observer.md", b"{{notes}} {{messages}} {{more}}", "it has: messages, more, notes"),
        ("observer.md", b"{{notes}}\n{{messages}}\n{{ spaced }}", "in line 3"),
        ("observer.md", b"{{notes}} {{messages", "in line 1"),
        ("observer.md", b" \n", "it is empty"),
        ("observer.md", b"\xff\xfe", "UTF-8"),
        ("observer.md", &[b'x'; 300_000], "more than 262144 bytes"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), content).unwrap();
        let error = load(folder.path()).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains(message), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("observer.md")).unwrap();
    assert!(matches!(load(folder.path()), Err(PromptError::Unreadable { .. })));
}
