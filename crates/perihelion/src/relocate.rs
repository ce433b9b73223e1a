//! Moving a whole store to another place.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use peri_queue::Queues;
use peri_store::{MoveProgress, Place, RelocateError, Relocation};

use crate::notes::relocate::Carriage;
use crate::{Error, queue};

/// Moves everything that a store holds to another place: from a file to a server, from one server to another, or back.
/// The source is only read. The target is empty, or holds a part of the same move, which goes on; it can be opened when
/// the move is finished and both sides were compared.
///
/// Notes come along: a file has them in files beside it, a server in its tables. They are read back and compared before
/// the target can be used. What else lies beside the store in a data folder stays there: documents, logs, backups,
/// snapshots.
///
/// # Errors
/// [`Error::Relocate`] says why it was not finished; [`Error::WritesWait`] that writes wait for the source in its data
/// folder.
pub fn relocate(
    from: &Place,
    to: &Place,
    progress: &mut dyn FnMut(MoveProgress),
    halt: &AtomicBool,
) -> Result<Relocation, Error> {
    if let Place::File(path) = from
        && let Some(folder) = path.parent()
    {
        refuse_waiting(folder)?;
    }
    let carriage = Carriage::new(from, to).map_err(Error::Relocate)?;
    let mut carry = |held| carriage.carry(held);
    let carry = carriage.is_needed().then_some(&mut carry as peri_store::CarryNotes<'_>);
    peri_store::relocate_with(from, to, carry, progress, halt).map_err(|error| match error {
        RelocateError::Store(error) => Error::Store(error),
        error => Error::Relocate(error),
    })
}

/// Refuses to go on while writes wait in a data folder: they would be made in the store that was left.
///
/// # Errors
/// [`Error::WritesWait`] if there are any.
pub fn refuse_waiting(folder: &Path) -> Result<(), Error> {
    let root = folder.join(queue::FOLDER);
    if !peri_private::is_folder(&root).map_err(|source| Error::Record { path: root.clone(), source })? {
        return Ok(());
    }
    let (_, _, waiting) = Queues::new(&root, peri_queue::QueueSettings::default()).look(0)?;
    match waiting.depth {
        0 => Ok(()),
        writes => Err(Error::WritesWait { writes, folder: root }),
    }
}

/// What to do when a move was not finished.
pub(crate) fn hint(error: &RelocateError) -> Option<String> {
    let hint = match error {
        RelocateError::Store(error) => return Error::Store(error.clone()).hint(),
        RelocateError::SamePlace { .. } => "name another place with --to",
        RelocateError::NoSource { .. } => {
            "a data folder holds its store in perihelion.db; nothing was created or changed"
        }
        RelocateError::Older { .. } => {
            "open it once with this release, as `peri stats` does; so far it was left as it is"
        }
        RelocateError::Occupied { .. } => {
            "nothing was changed; name an empty folder or database, or import an export into this one"
        }
        RelocateError::OtherSource { .. } => {
            "nothing was changed; finish that move, or remove what it left and begin with an empty place"
        }
        RelocateError::Disturbed { .. } => {
            "stop whatever else uses the target, then run the same command again; the source is as it was"
        }
        RelocateError::Unstorable { .. } => {
            "revise or forget what holds it, then run the same command again; the source is as it was"
        }
        RelocateError::Differs { .. } => {
            "the target is not used; run the same command again, which begins anew; the source is as it was"
        }
        RelocateError::Halted => "run the same command again: it goes on where it was",
    };
    Some(hint.to_owned())
}
