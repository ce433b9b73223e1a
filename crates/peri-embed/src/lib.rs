//! Turns texts into vectors, on the spot and without a network.
//!
//! [`Engine`] is what the rest of Perihelion sees: a vector space and texts in, vectors out.
//! [`StaticEngine`] is part of the program: a table of 29,525 word pieces distilled from all-MiniLM-L6-v2,
//! microseconds a text. [`TransformerEngine`] runs all-MiniLM-L6-v2 itself, or another BERT encoder, from a
//! folder: milliseconds a text, and a better judge of meaning.
//!
//! ```
//! use peri_embed::{Engine, StaticEngine};
//!
//! let engine = StaticEngine::bundled()?;
//! let vectors = engine.embed(&[
//!     "What does he drink in the morning?",
//!     "He likes a cup of tea for breakfast.",
//!     "The certificate expired on Sunday.",
//!     "인증서가 일요일에 만료되었다.",
//! ])?;
//! let [Some(question), Some(tea), Some(certificate), None] = &vectors[..] else {
//!     panic!("three of them are English, and one is not");
//! };
//! let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
//! assert!(cosine(question, tea) > cosine(question, certificate));
//! # Ok::<(), peri_embed::EmbedError>(())
//! ```
//!
//! # Languages
//!
//! Both models know English only. In other languages their vectors mostly say which letters a text has, and
//! a ranking that listens to them gets worse, so an engine answers `None` there.
//!
//! It goes by [`StaticEngine::coverage`]: the share of a text's letters that lie in Latin words which the
//! vocabulary holds whole. Common words of English and of other European languages count three times, the
//! latter against the text. Identifiers (`getUserById`, `k8s`) and numbers are neutral, and a letter of East
//! Asia counts as three. A text needs .3, or .1 if it shows no common foreign word and no letter of another
//! script. One that has nothing to judge by, such as `k8s?`, is embedded; one with nothing but punctuation
//! or emoji is not, nor is a lone word that the vocabulary lacks, such as `Reedis`: the words find it.
//!
//! Coverage of the sentences in `tests/fixtures/languages.jsonl`, which were written for this test and which
//! the thresholds were chosen with (`cargo run -p peri-embed --example coverage`):
//!
//! | sentences | lowest | median | highest | embedded |
//! |---|---|---|---|---|
//! | English | .50 | 1.00 | 1.00 | 20 of 20 |
//! | English with code | .31 | .67 | 1.00 | 20 of 20 |
//! | English, badly misspelt | .07 | .41 | .78 | 5 of 6 |
//! | German | .00 | .05 | .42 | 1 of 16 |
//! | Spanish | .00 | .08 | .36 | 1 of 16 |
//! | French | .00 | .13 | .37 | 2 of 12 |
//! | Korean | .00 | .00 | .12 | 0 of 12 |
//! | Chinese | .00 | .00 | .12 | 0 of 12 |
//! | Japanese | .00 | .00 | .00 | 0 of 12 |
//! | Russian | .00 | .00 | .00 | 0 of 4 |
//!
//! Text in another Latin script that happens to be full of names and international words may pass; text in
//! another script cannot, unless most of it is English.
//!
//! # Where to go next
//!
//! Engines that ask a server are in the crate `peri-embed-remote`, so that nobody needs a network for this one.
//! `bench/distill/README.md` tells how the table is made; `examples/embed_speed.rs` measures both engines.
#![forbid(unsafe_code)]

mod asset;
pub mod base64;
mod engine;
mod error;
mod kernel;
mod similar;
mod static_engine;
mod text;
mod transformer;

pub use engine::{Engine, Reading, unit};
pub use error::EmbedError;
pub use similar::Similarities;
pub use static_engine::{Row, StaticEngine};
pub use text::TokenId;
pub use transformer::TransformerEngine;
