//! Tells the program which commit it is built from.
//!
//! Optimised builds alone know it: in those for work on the code a commit would make the next build link anew. A
//! build without a repository, such as one in a container, is told by the variables below.

use std::error::Error;
use std::io::Write as _;
use std::process::Command;

/// The commit and its day, for builds that have no repository at hand.
const GIVEN: [&str; 2] = ["PERI_BUILD_COMMIT", "PERI_BUILD_DATE"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout();
    writeln!(out, "cargo::rerun-if-changed=build.rs")?;
    for name in GIVEN {
        writeln!(out, "cargo::rerun-if-env-changed={name}")?;
    }
    let number = std::env::var("CARGO_PKG_VERSION")?;
    let build = given().or_else(|| from_repository(&mut out));
    let (version, date) = match build {
        Some((commit, date)) => (format!("{number} ({commit} {date})"), date),
        None => (number, String::new()),
    };
    writeln!(out, "cargo::rustc-env=PERI_VERSION={version}\ncargo::rustc-env=PERI_DATE={date}")?;
    Ok(())
}

fn given() -> Option<(String, String)> {
    let [commit, date] = GIVEN.map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    Some((commit?, date?))
}

fn from_repository(out: &mut impl std::io::Write) -> Option<(String, String)> {
    if std::env::var("PROFILE").ok()? != "release" {
        return None;
    }
    // A release unpacked inside somebody else's repository is not built from a commit of theirs.
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let date = git(&["show", "--no-patch", "--format=%cs", "HEAD"])?;
    // Written at every commit and checkout.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    writeln!(out, "cargo::rerun-if-changed={log}").ok()?;
    Some((commit, date))
}

/// What git prints, if it is there and has an answer.
fn git(arguments: &[&str]) -> Option<String> {
    let answer = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(answer.stdout).ok()?;
    answer.status.success().then(|| text.trim().to_owned())
}
