//! Where the data folder is.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use serde::Serialize;

use crate::error::CliError;

/// The environment variable that names the data folder.
pub(crate) const VARIABLE: &str = "PERI_HOME";

/// The data folder, and who said so.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Home {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// Who chose it.
    pub(crate) origin: &'static str,
}

/// The folder of `--home`, or of `PERI_HOME`, or the platform's own place for data.
pub(crate) fn find(argument: Option<&PathBuf>) -> Result<Home, CliError> {
    if let Some(folder) = argument {
        return Ok(Home { folder: whole(folder)?, origin: "argument --home" });
    }
    if let Some(folder) = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) {
        return Ok(Home { folder: whole(Path::new(&folder))?, origin: "environment PERI_HOME" });
    }
    let strategy = etcetera::choose_base_strategy().map_err(|_| {
        CliError::input("your home folder cannot be found", "set PERI_HOME, or pass --home DIR")
    })?;
    Ok(Home { folder: whole(&strategy.data_dir().join("perihelion"))?, origin: "default" })
}

/// The folder from the root on, so that every message names it in full.
pub(crate) fn whole(folder: &Path) -> Result<PathBuf, CliError> {
    // Shells leave ~ alone in --home=~/x and in quotes; a folder called ~ is never what was meant.
    if folder.starts_with("~") {
        let message = format!("{} begins with a ~ that the shell did not replace", folder.display());
        return Err(CliError::input(message, "write $HOME in its place"));
    }
    std::path::absolute(folder).map_err(|source| CliError::read("the current folder", source))
}
