//! The settings of the vault.

use std::path::{Path, PathBuf};

use peri_vault::Vault;
use perihelion::Namespace;

use super::ConfigError;
use super::keys::Keys;

/// Whether there is a vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// If its folder exists.
    Auto,
    /// Yes; the folder is made if need be.
    On,
    /// No, whatever is there.
    Off,
}

/// Where the vault is, and where its knowledge is remembered.
#[derive(Debug, Clone)]
pub(crate) struct VaultSettings {
    wanted: Use,
    folder: PathBuf,
    namespace: Namespace,
}

impl VaultSettings {
    /// The vault that is followed, if there is one.
    pub(crate) fn followed(&self) -> Option<Vault> {
        match self.wanted {
            Use::Off => None,
            Use::Auto => self.named().filter(Vault::exists),
            Use::On => self.named(),
        }
    }

    /// The vault whether or not it exists, since it may come into being; none if it is switched off.
    pub(crate) fn named(&self) -> Option<Vault> {
        (self.wanted != Use::Off).then(|| Vault::new(&self.folder, self.namespace.clone()))
    }

    /// Whether the folder is to be made if it does not exist.
    pub(crate) fn is_on(&self) -> bool {
        self.wanted == Use::On
    }
}

impl Keys<'_> {
    /// The vault.
    pub(super) fn vault(&self, home: &Path) -> Result<VaultSettings, ConfigError> {
        let wanted = match self.text("vault.enabled")? {
            "auto" => Use::Auto,
            "on" => Use::On,
            "off" => Use::Off,
            other => {
                return Err(self.bad("vault.enabled", format!("{other:?} is none of: auto, on, off")));
            }
        };
        let folder = self.text("vault.folder")?;
        if folder.is_empty() {
            return Err(self.bad("vault.folder", "it names the folder of the vault, such as vault"));
        }
        if folder.starts_with('~') {
            return Err(self.bad("vault.folder", "write the whole path; a ~ is not replaced here"));
        }
        let namespace = self.text("vault.namespace")?.parse::<Namespace>();
        let namespace = namespace.map_err(|error| self.bad("vault.namespace", error.to_string()))?;
        Ok(VaultSettings { wanted, folder: home.join(folder), namespace })
    }
}
