//! Keys, tokens and passwords that lie in files, and files that are dangerous as they lie there.

mod fake;
mod hazards;
mod scan;

use serde::{Deserialize, Serialize};

pub use hazards::{Hazard, HazardKind};

use crate::coverage::Coverage;
use crate::language::Language;
use crate::role::Role;
use crate::workspace::Workspace;
use scan::Verdict;

/// What is known to be fine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SecretAllowances {
    /// Paths of files and folders whose secrets are not told, as `tests/data`.
    pub paths: Vec<String>,
    /// Kinds that are not told, as `card-number`.
    pub kinds: Vec<String>,
}

/// Secrets in a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secrets {
    /// What this rests on.
    pub coverage: Coverage,
    /// What was found, the most certain first, then by path and line.
    pub found: Vec<SecretPlace>,
    /// How many were passed over because they are obviously examples.
    pub examples: usize,
    /// How many were passed over because somebody allows them.
    pub allowed: usize,
    /// Files that are dangerous as they lie there.
    pub hazards: Vec<Hazard>,
}

/// Where a secret lies. The secret itself is never kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecretPlace {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// What kind it is, such as `github-token`.
    pub kind: String,
    /// How long it is, and its first letters where those are the same for everybody.
    pub hint: String,
    /// How certain it is.
    pub certainty: Certainty,
}

/// How certain it is that a secret is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// It lies where secrets are used.
    Likely,
    /// It lies in a test, a document or an example, where people invent some.
    Possible,
}

impl Workspace {
    /// Looks for secrets in all text files. Those that are obviously examples are counted, not listed; so are those with
    /// `peri:allow-secret` on their line or alone on the line before, and what the allowances name.
    pub fn secrets(&self, allowances: &SecretAllowances, go_on: &dyn Fn() -> bool) -> Secrets {
        let mut secrets = Secrets::default();
        secrets.coverage = self.each(self.files().iter(), go_on, |file, text| {
            secrets.look(&file.path, &text, allowances);
        });
        secrets.found.sort_by(|a, b| (a.certainty, &a.path, a.line).cmp(&(b.certainty, &b.path, b.line)));
        secrets.hazards = hazards::hazards(self);
        secrets
    }
}

impl Secrets {
    fn look(&mut self, path: &str, text: &str, allowances: &SecretAllowances) {
        let is_below = |folder: &String| {
            path.strip_prefix(folder.trim_end_matches('/'))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let path_allowed = allowances.paths.iter().any(is_below);
        let language = Language::of(path, text);
        let role = Role::of(path, language, text);
        let tests_from = tests_from(text, language);
        for spotted in scan::scan(text) {
            match spotted.verdict {
                Verdict::Fake => self.examples += 1,
                Verdict::Allowed => self.allowed += 1,
                Verdict::Secret
                    if path_allowed || allowances.kinds.iter().any(|kind| kind == spotted.kind) =>
                {
                    self.allowed += 1
                }
                Verdict::Secret => {
                    let invented = matches!(role, Role::Test | Role::Document | Role::Example)
                        || spotted.line >= tests_from;
                    self.found.push(SecretPlace {
                        path: path.to_owned(),
                        line: spotted.line,
                        kind: spotted.kind.to_owned(),
                        hint: spotted.hint,
                        certainty: if invented { Certainty::Possible } else { Certainty::Likely },
                    });
                }
            }
        }
    }
}

/// The line from which on a Rust file holds its tests, by habit the last thing in it.
fn tests_from(text: &str, language: Language) -> usize {
    let line =
        text.lines().position(|line| line.trim() == "#[cfg(test)]").filter(|_| language == Language::Rust);
    line.map_or(usize::MAX, |line| line + 1)
}
