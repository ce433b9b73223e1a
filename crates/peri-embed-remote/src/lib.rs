//! Embedding engines that ask a server, and what to do while it is away.
//!
//! [`OpenAiEngine`] asks any server that speaks OpenAI's `/v1/embeddings`, among them `peri serve`: in batches, again
//! where that makes sense, and not at all for a while after it failed several times in a row. What it answers is checked
//! before it is believed. [`HybridEngine`] asks one engine and, while that does not answer, another **of the same
//! space**; that both give the same vectors is tried out on a few sentences before the first is trusted.
//!
//! ```no_run
//! use peri_embed::Engine;
//! use peri_embed_remote::{Address, OpenAiEngine, RemoteSettings};
//!
//! let address = Address::parse("http://localhost:11434/v1")?;
//! let engine = OpenAiEngine::start(RemoteSettings::new(address, "all-minilm"), None)?;
//! let vectors = engine.embed(&["He likes a cup of tea for breakfast.", "아침에는 차를 마신다."])?;
//! assert_eq!(vectors.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate does not know what is done with vectors, keeps nothing, and blocks its caller.
#![forbid(unsafe_code)]

mod client;
mod error;
#[doc(hidden)]
pub mod fuzzing;
mod hybrid;
mod likeness;
mod openai;
mod settings;
mod wire;

pub use error::RemoteError;
pub use hybrid::HybridEngine;
pub use openai::{OpenAiEngine, Understands};
pub use peri_remote::{Address, AddressError, Pace, PlainHttp, Secret, SecretError};
pub use settings::RemoteSettings;
