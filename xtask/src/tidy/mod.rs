//! The rules of the repository that no compiler checks, one file a rule.

mod edges;
mod migrations;
mod modules;
mod names;
mod opening;
mod pages;
mod phrases;
mod size;
mod source;
mod traces;
mod tree;
mod unsafety;

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use tree::Tree;

/// Every rule; each looks at the whole tree and lists what it finds.
const CHECKS: &[fn(&Tree) -> Vec<Finding>] = &[
    edges::check,
    size::check,
    phrases::check,
    names::check,
    opening::check,
    traces::check,
    unsafety::check,
    pages::check,
    migrations::check,
    modules::check,
];

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Severity {
    /// A place to look; it does not fail the run.
    Warning,
    /// A broken rule.
    Breach,
}

/// Something that a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    severity: Severity,
    path: String,
    line: usize,
    message: String,
}

impl Finding {
    fn breach(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { severity: Severity::Breach, path: path.to_owned(), line, message: message.into() }
    }

    fn warning(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::breach(path, line, message) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Warning => "warning: ",
            Severity::Breach => "",
        };
        write!(f, "{}:{}: {word}{}", self.path, self.line, self.message)
    }
}

/// Runs every rule and prints what it finds; the exit code tells whether one is broken.
pub(crate) fn run(root: &Path) -> Result<ExitCode, String> {
    let tree = Tree::read(root)?;
    let mut findings: Vec<Finding> = CHECKS.iter().flat_map(|check| check(&tree)).collect();
    findings.sort_by(|a, b| {
        let key = |finding: &Finding| (finding.severity, finding.path.clone(), finding.line);
        key(a).cmp(&key(b))
    });
    findings.iter().for_each(|finding| println!("{finding}"));
    let breaches = findings.iter().filter(|finding| finding.severity == Severity::Breach).count();
    let (files, warnings) = (tree.files.len(), findings.len() - breaches);
    println!("tidy: {files} files, {breaches} breaches, {warnings} warnings");
    Ok(if breaches == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the table rows of the migrations that are there.
pub(crate) fn print_digests(root: &Path) -> Result<ExitCode, String> {
    migrations::rows(&Tree::read(root)?).iter().for_each(|row| println!("{row}"));
    Ok(ExitCode::SUCCESS)
}
