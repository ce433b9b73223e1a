//! What is in this folder of code?
//!
//! [`Workspace`] lists the files of a folder; its methods look at them: [`Workspace::map`] tells what is where,
//! [`Workspace::dependencies`] who uses whom, [`Workspace::duplicates`] what was written twice,
//! [`Workspace::test_gaps`] what no test mentions, and [`Workspace::secrets`] where keys and passwords lie. Text goes in
//! and facts come out: nothing is ever written, no compiler is asked, and the crate knows nothing of memories. Whoever calls
//! can stop any of it between two files; every answer says in its [`Coverage`] what it rests on.
//!
//! ```
//! use peri_workspace::{Limits, Workspace};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! std::fs::create_dir(folder.path().join("src"))?;
//! std::fs::write(folder.path().join("Cargo.toml"), "[package]\nname = \"tea\"\n")?;
//! std::fs::write(folder.path().join("src/lib.rs"), "//! Brews tea.\nmod leaf;\npub use leaf::Leaf;\n")?;
//! std::fs::write(folder.path().join("src/leaf.rs"), "/// A leaf.\npub struct Leaf;\n")?;
//!
//! let go_on = || true;
//! let workspace = Workspace::open(folder.path(), &Limits::default(), &go_on)?;
//! let map = workspace.map(&go_on);
//! assert_eq!(map.file("src/lib.rs").and_then(|file| file.purpose.as_deref()), Some("Brews tea."));
//! let dependencies = workspace.dependencies(&map, &go_on);
//! assert_eq!(dependencies.most_used(1)[0].path, "src/leaf.rs");
//! assert!(!dependencies.coverage.is_partial());
//! # Ok(())
//! # }
//! ```
//!
//! The example `look` prints all of it for a folder.
#![forbid(unsafe_code)]

mod coverage;
mod dependencies;
mod duplicates;
mod error;
mod language;
mod map;
mod role;
mod secrets;
mod source;
mod testing;
mod workspace;

pub use coverage::{Coverage, Ending, Unread, UnreadReason};
pub use dependencies::{
    Cycle, Dependencies, Edge, EdgeKind, FileNode, Package, Requirement, RequirementKind,
};
pub use duplicates::{Duplicate, DuplicateLimits, Duplicates, Likeness, Place};
pub use error::WorkspaceError;
pub use language::{Language, LanguageClass};
pub use map::{EntryKind, EntryPoint, FileMap, FolderMap, Map, Symbol, SymbolKind, Visibility};
pub use role::Role;
pub use secrets::{Certainty, Hazard, HazardKind, SecretAllowances, SecretPlace, Secrets};
pub use source::Lines;
pub use testing::{GapExtent, TestGap, TestGaps};
pub use workspace::{
    Changes, File, LeftOut, LeftOutFile, LeftOutReason, Limits, Origin, Tracking, Workspace,
};
