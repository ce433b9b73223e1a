//! What is in this folder of code?
#![forbid(unsafe_code)]

mod coverage;
mod dependencies;
mod error;
mod language;
mod map;
mod role;
mod source;
mod workspace;

pub use coverage::{Coverage, Ending, Unread, UnreadReason};
pub use dependencies::{Dependencies, Edge, EdgeKind, FileNode, Package, Requirement, RequirementKind};
pub use error::WorkspaceError;
pub use language::{Language, LanguageClass};
pub use map::{EntryKind, EntryPoint, FileMap, FolderMap, Map, Symbol, SymbolKind, Visibility};
pub use role::Role;
pub use source::Lines;
pub use workspace::{
    Changes, File, LeftOut, LeftOutFile, LeftOutReason, Limits, Origin, Tracking, Workspace,
};
