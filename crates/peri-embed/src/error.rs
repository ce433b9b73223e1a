//! What can go wrong when an engine is loaded or run.

use std::path::{Path, PathBuf};

/// An engine could not be loaded, or could not embed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// A model folder lacks a file. The caller should complete the folder or name another one.
    #[error("the model folder lacks {}", path.display())]
    MissingFile {
        /// The file that was looked for.
        path: PathBuf,
    },
    /// A file is there but cannot be read. The caller should mend its permissions or the disk.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file does not hold what its name promises. The caller should fetch the model again.
    #[error("{} is malformed: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The weights lack a tensor that the configuration calls for. The caller should check that
    /// `config.json` and `model.safetensors` belong together and describe a BERT encoder.
    #[error("the weights lack the tensor {tensor}")]
    MissingTensor {
        /// Its name, without the `bert.` that some files put before it.
        tensor: String,
    },
    /// A tensor's shape contradicts the configuration. The caller should check that `config.json` and
    /// `model.safetensors` belong together.
    #[error("the tensor {tensor} has the shape {found:?} where the configuration calls for {expected:?}")]
    WrongShape {
        /// The tensor.
        tensor: String,
        /// What `config.json` implies.
        expected: Vec<usize>,
        /// What `model.safetensors` holds.
        found: Vec<usize>,
    },
    /// The model is of a kind that this crate cannot run. The caller should choose another model.
    #[error("the model is not supported: {reason}")]
    Unsupported {
        /// What is unusual about it.
        reason: String,
    },
    /// The table compiled into the program is damaged, or of another format than the program expects.
    /// The caller can do nothing but report it: the program was built wrongly.
    #[error("the bundled table is damaged: {reason}")]
    DamagedAsset {
        /// What does not fit.
        reason: &'static str,
    },
    /// The model gave something that is not a number. The caller should fetch the weights again: sound
    /// ones never do this.
    #[error("the model {model} gave a vector that is not finite")]
    NotFinite {
        /// The model.
        model: String,
    },
    /// An engine of another crate failed, such as one that asks a server. What it says tells the caller what to do.
    #[error(transparent)]
    Elsewhere(Box<dyn std::error::Error + Send + Sync>),
}

impl EmbedError {
    /// The failure of an engine of another crate.
    pub fn elsewhere(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Elsewhere(Box::new(error))
    }

    /// Tells a missing file, whose cure is another one, from the other failures of reading.
    pub(crate) fn reading(path: &Path, source: std::io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            std::io::ErrorKind::NotFound => Self::MissingFile { path },
            _ => Self::Unreadable { path, source },
        }
    }

    pub(crate) fn malformed(path: &Path, reason: impl ToString) -> Self {
        Self::Malformed { path: path.to_owned(), reason: reason.to_string() }
    }
}
