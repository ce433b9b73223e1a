//! Encryption at rest: the [`Key`] of a store, and a [`Seal`] for what lies in files beside its database.
//!
//! The database itself is encrypted by SQLCipher under the same key. Everything else that holds what memories say is
//! sealed here, a whole file or a line at a time, by AES-256-GCM. Each sealed piece has a key of its own, drawn by HKDF
//! from the store's key, 32 fresh random bytes and what the piece is for. So no nonce is ever used twice, however many
//! pieces there are, and a piece that is put in the place of one for something else does not open.
//!
//! Opening hands back what was never sealed as it is, so that files from before the encryption, and after it, are read
//! alike. Sealing keeps secrets; whether a file is the latest of its name it cannot tell.
//!
//! The crate knows neither stores nor memories, and reads no environment.
#![forbid(unsafe_code)]

mod base64;
mod key;
mod lines;
mod seal;

pub use key::{Key, KeyError};
pub use lines::{LineKind, convert_file, convert_lines};
pub use seal::{Purpose, Seal, SealError};
