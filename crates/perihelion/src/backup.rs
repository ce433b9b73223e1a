//! What a backup needs of the engine: a copy of the store, and the way back.

use std::path::Path;
use std::time::Duration;

use peri_store::{
    CopyInterrupt, Ready, Replaced, Replacement, SqliteSettings, SqliteStore, Store, StoreError, StoreFacts,
    Told, Write,
};
use peri_types::Happening;

use crate::diff::{self, Difference, NamespaceDifference};
use crate::engine::Perihelion;
use crate::{Error, StoreChoice};

/// Held by the process that makes the backups, so that of many one does.
const LEASE: &str = "backup";

impl Perihelion {
    /// Writes a copy of the store to a new file, as of one moment, while everybody goes on. Before it begins, `begun`
    /// gets what ends it early.
    pub fn copy_store(&self, to: &Path, begun: &dyn Fn(CopyInterrupt)) -> Result<(), Error> {
        let core = &self.core;
        if !core.store.is_read_only() {
            core.usage.flush(&*core.store)?;
        }
        Ok(self.embedded()?.copy_to(to, begun)?)
    }

    /// What tells the present state of the store from every other.
    pub fn store_facts(&self) -> Result<StoreFacts, Error> {
        Ok(self.embedded()?.facts()?)
    }

    /// Puts what a copy holds in the place of what is here, in one transaction. Every process that has the folder open
    /// follows at its next call.
    pub fn replace_store(&self, replacement: &Replacement, ready: Ready<'_>) -> Result<Replaced, Error> {
        let replaced = self.embedded()?.replace_with(replacement, ready)?;
        self.core.nudge();
        self.core.publish();
        Ok(replaced)
    }

    /// What this store and another one differ in: what it would take to get from the first to the other.
    pub fn compare_with(
        &self,
        other: &dyn Store,
        found: &mut dyn FnMut(Difference),
    ) -> Result<Vec<NamespaceDifference>, Error> {
        Ok(diff::compare(&*self.core.store, other, found)?)
    }

    /// Tells of something that happened outside of any change, such as a backup.
    pub fn tell(&self, what: Happening) -> Result<(), Error> {
        let told = Told { namespace: None, at: self.core.now(), what };
        self.core.store.write(vec![Write::Tell(told)])?;
        self.core.publish();
        Ok(())
    }

    /// Takes on the backups of all processes for a while. `false`: another one has them.
    pub fn take_on_backups(&self, time_to_live: Duration) -> Result<bool, Error> {
        let core = &self.core;
        core.take_lease(LEASE, time_to_live)
    }

    /// Leaves the backups to whoever comes next.
    pub fn leave_backups(&self) -> Result<(), Error> {
        Ok(self.core.store.release_lease(LEASE, &self.core.holder)?)
    }

    /// The embedded store of the data folder, through a connection of its own.
    fn embedded(&self) -> Result<SqliteStore, Error> {
        let path = self.database();
        if let StoreChoice::Server { address, .. } = &self.core.options.store {
            return Err(Error::OnServer { place: address.to_string() });
        }
        if !path.is_file() {
            let detail = "only the embedded store can be copied".to_owned();
            return Err(StoreError::CannotOpen { path, detail }.into());
        }
        let (busy_timeout, key) = (self.core.options.busy_timeout, self.core.options.encryption.clone());
        let settings = SqliteSettings { busy_timeout, key };
        Ok(SqliteStore::open_or_read(&path, &settings)?)
    }
}
