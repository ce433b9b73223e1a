//! After a switch: what the rows of memories say of their own meaning follows in pieces, by whoever comes along.

use std::sync::atomic::Ordering;

use peri_store::{Write, Written};

use crate::engine::Core;
use crate::{Error, Pace};

impl Core {
    /// Brings memories along to the space that answers, piece by piece, until all have followed or somebody wants to stop.
    pub(super) fn bring_along(
        &self,
        after_piece: &mut dyn FnMut() -> Result<Pace, Error>,
    ) -> Result<Pace, Error> {
        loop {
            let Some(current) = self.store.current_space()? else { return Ok(Pace::GoOn) };
            // Choosing what is chosen already takes along what has not followed yet.
            let (read, at) = (current.revision, self.now());
            let write = Write::SwitchSpace { to: Box::new(current), read, at };
            match self.store.write(vec![write])?.pop() {
                Some(Written::SpaceSwitched(true)) if after_piece()? == Pace::Stop => return Ok(Pace::Stop),
                Some(Written::SpaceSwitched(true)) => {}
                _ => return Ok(Pace::GoOn),
            }
        }
    }

    /// The same, once for each space that this process sees answering: whoever switched may have died.
    pub(crate) fn bring_along_once(&self, go_on: &dyn Fn() -> bool) -> Result<(), Error> {
        let sense = self.sense();
        if sense.has_followed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let pace = self.bring_along(&mut || Ok(if go_on() { Pace::GoOn } else { Pace::Stop }))?;
        sense.has_followed.store(pace == Pace::GoOn, Ordering::Relaxed);
        Ok(())
    }
}
