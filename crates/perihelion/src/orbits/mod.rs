//! Orbits to look at: where the memories of a namespace are, how they came there, and where they will go.
//!
//! The present is read from the store in one look, the past from the audit log, and the future from the rules alone.
//! Looking moves nothing.

mod ahead;
mod label;
mod moves;
mod one;
mod picture;
mod walk;

pub use self::moves::{MoveCause, MovesQuery, OrbitMove, OrbitMoves};
pub use self::one::{MemoryOrbit, OrbitPart};
pub use self::picture::{OrbitingMemory, OrbitingZone, Orbits};

pub(crate) use self::label::{BEGINNING_CHARS, label};

use crate::Error;
use crate::engine::Core;

impl Core {
    /// Notes in the store what was recalled, so that whoever looks sees it.
    fn note_recalls(&self) -> Result<(), Error> {
        if !self.store.is_read_only() {
            self.usage.flush(&*self.store)?;
        }
        Ok(())
    }
}

/// To six digits: more would tell apart what nobody can see, and takes room on the wire.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
