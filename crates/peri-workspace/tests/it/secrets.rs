//! Secrets and dangerous files.

use peri_workspace::{Certainty, HazardKind, SecretAllowances};

use crate::folder::Folder;

/// Put together at run time, so that no scanner finds one here.
fn token() -> String {
    ["ghp", "_q8Zr2vKx9Lm4Tn7Wp1YcB5dF3gH6jK0sA"].concat()
}

#[test]
fn secrets_are_told_by_place_and_never_by_value() {
    let folder = Folder::with(&[
        ("config.toml", &format!("# 설정\nremote = \"{}\"\n", token())),
        ("docs/시작.md", &format!("export REMOTE={}\n", token())),
        ("README.md", "Use `AKIAIOSFODNN7EXAMPLE` and postgres://user:password@localhost/db.\n"),
    ]);
    let found = folder.open().secrets(&SecretAllowances::default(), &|| true);
    let flat: Vec<_> = found
        .found
        .iter()
        .map(|secret| (secret.path.as_str(), secret.line, secret.kind.as_str(), secret.certainty))
        .collect();
    assert_eq!(
        flat,
        [
            ("config.toml", 2, "github-token", Certainty::Likely),
            ("docs/시작.md", 1, "github-token", Certainty::Possible)
        ]
    );
    assert_eq!(found.examples, 2);
    assert!(!serde_json::to_string(&found).unwrap().contains(&token()[8..]));
}

#[test]
fn comments_and_allowances_silence_and_are_counted() {
    let folder = Folder::with(&[
        ("a.py", &format!("key = \"{}\"  # peri:allow-secret\n", token())),
        ("data/b.py", &format!("key = \"{}\"\n", token())),
        ("database.py", &format!("key = \"{}\"\n", token())),
    ]);
    let allowances = SecretAllowances { paths: vec!["data".to_owned()], kinds: Vec::new() };
    let found = folder.open().secrets(&allowances, &|| true);
    assert_eq!(found.found.iter().map(|secret| secret.path.as_str()).collect::<Vec<_>>(), ["database.py"]);
    assert_eq!(found.allowed, 2);
    let kinds = SecretAllowances { kinds: vec!["github-token".to_owned()], paths: Vec::new() };
    assert_eq!(folder.open().secrets(&kinds, &|| true).found, []);
}

#[cfg(unix)]
#[test]
fn dangerous_files_are_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::with(&[
        (".env", "A=1\n"),
        (".env.example", "A=\n"),
        ("open.sh", "echo\n"),
        ("keys/id_ed25519", "x"),
    ]);
    folder.write("store.p12", b"\0\x01");
    folder.commit();
    folder.write("sub/.env", "B=2\n");
    let open = folder.path().join("open.sh");
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o666)).unwrap();
    let found = folder.open().secrets(&SecretAllowances::default(), &|| true);
    let flat: Vec<_> = found.hazards.iter().map(|hazard| (hazard.path.as_str(), hazard.kind)).collect();
    assert_eq!(
        flat,
        [
            (".env", HazardKind::TrackedEnvironment),
            ("keys/id_ed25519", HazardKind::KeyFile),
            ("open.sh", HazardKind::WorldWritable),
            ("sub/.env", HazardKind::UnignoredEnvironment),
            ("store.p12", HazardKind::KeyFile),
        ]
    );
}
