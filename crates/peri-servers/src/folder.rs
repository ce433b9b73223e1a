//! Where a private server keeps its files, and the templates that are copied instead of made anew each time.

use std::fs::{self, File};
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The user that servers run as when we are root, which both of them refuse to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) user: u32,
    pub(crate) group: u32,
}

/// The unprivileged account to run as; none when we are not root and run servers as ourselves.
pub(crate) fn account() -> Result<Option<Account>, String> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let users = read(Path::new("/etc/passwd"))?;
    let nobody = users.lines().find(|line| line.starts_with("nobody:"));
    let mut fields =
        nobody.ok_or("there is no user \"nobody\" to run database servers as")?.split(':').skip(2);
    let mut number = || fields.next().and_then(|field| field.parse().ok());
    match (number(), number()) {
        (Some(user), Some(group)) => Ok(Some(Account { user, group })),
        _ => Err("the user \"nobody\" has no number in /etc/passwd".to_owned()),
    }
}

/// What `tests/servers/install` made, and our templates.
pub(crate) fn installed() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/servers");
    root.canonicalize().unwrap_or(root)
}

/// A new temporary folder that the account may write.
pub(crate) fn temporary(prefix: &str, account: Option<Account>) -> Result<TempDir, String> {
    temporary_in(&std::env::temp_dir(), prefix, account)
}

/// The same below a folder of the caller's.
pub(crate) fn temporary_in(above: &Path, prefix: &str, account: Option<Account>) -> Result<TempDir, String> {
    let folder =
        tempfile::Builder::new().prefix(prefix).tempdir_in(above).map_err(|error| error.to_string())?;
    give(folder.path(), account)?;
    Ok(folder)
}

/// Makes a file or folder the account's.
pub(crate) fn give(path: &Path, account: Option<Account>) -> Result<(), String> {
    let Some(account) = account else { return Ok(()) };
    chown(path, Some(account.user), Some(account.group))
        .map_err(|error| format!("{}: {error}", path.display()))
}

pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Copies a server's first data into `target`. Who comes first makes them, with `make`, in a folder of its own.
pub(crate) fn copy_template(
    name: &str,
    target: &Path,
    make: impl FnOnce() -> Result<(TempDir, PathBuf), String>,
) -> Result<(), String> {
    let templates = installed().join("templates");
    fs::create_dir_all(&templates).map_err(|error| format!("{}: {error}", templates.display()))?;
    let template = templates.join(name);
    if !template.exists() {
        let lock = File::create(templates.join("lock")).map_err(|error| error.to_string())?;
        lock.lock().map_err(|error| format!("the templates of servers cannot be locked: {error}"))?;
        if !template.exists() {
            let (folder, data) = make()?;
            let unfinished = templates.join(format!("{name}.unfinished"));
            if unfinished.exists() {
                fs::remove_dir_all(&unfinished).map_err(|error| error.to_string())?;
            }
            copy(&data, &unfinished)?;
            fs::rename(&unfinished, &template).map_err(|error| error.to_string())?;
            drop(folder);
        }
    }
    copy(&template, target)
}

/// Owners and permissions are copied too.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let mut command = Command::new("cp");
    command.arg("-a").arg(from).arg(to);
    crate::process::run(&mut command)
}
