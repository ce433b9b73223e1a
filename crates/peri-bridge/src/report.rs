//! What a bridge tells of what it did, or would do.

use std::path::PathBuf;

use perihelion::{MemoryId, Namespace};
use serde::Serialize;

use crate::Rehearsal;

/// Longer texts are told by how they begin.
const TOLD_CHARS_MAX: usize = 160;

/// What happened to a statement or a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// It became a memory.
    Remembered,
    /// A memory said so already.
    Joined,
    /// Its memory says now what the file says.
    Revised,
    /// The same, although the memory had been changed too; what that said is in its history.
    Overruled,
    /// It went from the file, and its memory to the trash.
    Forgotten,
    /// It went from the file, and its memory stays.
    Kept,
    /// It was taken out of the section, and is not shown there again. Its memory stays.
    Hidden,
    /// It was put back into the section, and is shown again.
    ShownAgain,
    /// It cannot be a memory.
    Refused,
    /// There was no room for it.
    LeftOut,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What happened.
    pub what: What,
    /// To which statement or line, or how it begins. Secrets are taken out.
    pub text: String,
    /// Its memory, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<MemoryId>,
    /// Why, where that is not plain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Change {
    pub(crate) fn new(what: What, text: &str, id: Option<MemoryId>) -> Self {
        let mut told: String = text.chars().take(TOLD_CHARS_MAX).collect();
        if told.len() < text.len() {
            told.push('…');
        }
        Self { what, text: told, id, why: None }
    }

    pub(crate) fn because(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }
}

/// How often each thing happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// New memories.
    pub remembered: usize,
    /// Statements that a memory said already.
    pub joined: usize,
    /// Memories that were revised.
    pub revised: usize,
    /// Memories that were revised although they had been changed too.
    pub overruled: usize,
    /// Memories that went to the trash.
    pub forgotten: usize,
    /// Memories that stay although the file no longer states them.
    pub kept: usize,
    /// Lines that are not shown any more.
    pub hidden: usize,
    /// Lines that are shown again.
    pub shown_again: usize,
    /// Statements that cannot be memories.
    pub refused: usize,
    /// Statements that there was no room for.
    pub left_out: usize,
}

impl Counts {
    pub(crate) fn of(changes: &[Change]) -> Self {
        let mut counts = Self::default();
        for change in changes {
            let count = match change.what {
                What::Remembered => &mut counts.remembered,
                What::Joined => &mut counts.joined,
                What::Revised => &mut counts.revised,
                What::Overruled => &mut counts.overruled,
                What::Forgotten => &mut counts.forgotten,
                What::Kept => &mut counts.kept,
                What::Hidden => &mut counts.hidden,
                What::ShownAgain => &mut counts.shown_again,
                What::Refused => &mut counts.refused,
                What::LeftOut => &mut counts.left_out,
            };
            *count += 1;
        }
        counts
    }
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// The file, links followed.
    pub path: PathBuf,
    /// Where its memories are.
    pub namespace: Namespace,
    /// Whether it was done.
    pub rehearsal: Rehearsal,
    /// The statements of the file, outside the section.
    pub statements: usize,
    /// Those that nothing had to be done for.
    pub unchanged: usize,
    /// How often each thing happened.
    pub counts: Counts,
    /// What happened, in order.
    pub changes: Vec<Change>,
    /// Files that the file asks agents to read too. They were not read.
    pub imports: Vec<String>,
    /// Blocks of code and tables without a statement or heading above them.
    pub blocks_left_out: usize,
    /// Why what was known of the file was found out anew, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rebuilt: Option<String>,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileFate {
    /// It was created.
    Created,
    /// Its section was written.
    Written,
    /// It says what it should already.
    Unchanged,
}

/// What an export did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// The file, links followed.
    pub path: PathBuf,
    /// Where the memories are.
    pub namespace: Namespace,
    /// Whether it was done.
    pub rehearsal: Rehearsal,
    /// What became of the file.
    pub file: FileFate,
    /// The lines of the section, its frame included.
    pub lines: usize,
    /// The bytes of the section, as it is written with plain newlines.
    pub bytes: usize,
    /// The tokens of what it shows.
    pub tokens: usize,
    /// The memories it shows.
    pub memories: usize,
    /// The durable notes it shows.
    pub notes: usize,
    /// What would be shown if there were room.
    pub left_out: usize,
    /// What is not shown because somebody took it out.
    pub hidden: usize,
    /// Lines that are new in the section.
    pub added: Vec<String>,
    /// Lines that are no longer in it.
    pub removed: Vec<String>,
    /// What somebody should know.
    pub warnings: Vec<String>,
}

/// What was done about edits within the section.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Edits {
    /// How often each thing happened.
    pub counts: Counts,
    /// What happened, in order.
    pub changes: Vec<Change>,
}

/// What a sync did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Synced {
    /// What people wrote outside the section.
    pub imported: Imported,
    /// What they edited within it.
    pub edits: Edits,
    /// What was written into it.
    pub exported: Exported,
}

impl Synced {
    /// Whether everything was in step already.
    pub fn is_nothing(&self) -> bool {
        let is_quiet = |change: &Change| matches!(change.what, What::LeftOut | What::Refused);
        self.imported.changes.iter().all(is_quiet)
            && self.edits.changes.is_empty()
            && self.exported.file == FileFate::Unchanged
    }
}

/// How the section of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionState {
    /// There is none.
    None,
    /// As it was written here.
    AsWritten,
    /// As it was written elsewhere, such as on another machine.
    WrittenElsewhere,
    /// Somebody edited it.
    Edited,
}

/// How a file stands to the memories.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// The file, links followed.
    pub path: PathBuf,
    /// Where its memories are.
    pub namespace: Namespace,
    /// Whether there is such a file.
    pub exists: bool,
    /// How its section is.
    pub section: SectionState,
    /// The statements that are memories, as of the last time.
    pub known: usize,
    /// The lines that the section showed, as of the last time.
    pub shown: usize,
    /// The lines that somebody took out.
    pub hidden: Vec<String>,
    /// What a sync would do now; none if there is no file.
    pub pending: Option<Synced>,
}
