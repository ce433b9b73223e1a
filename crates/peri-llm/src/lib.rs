//! Asks language models, within a budget, and keeps a record of every call.
//!
//! A [`Client`] is made from [`Settings`] and asks any server that speaks OpenAI's chat completions, or Anthropic's
//! messages: [`Client::ask`] takes a [`Request`] and gives an [`Answer`] or says in a [`Refusal`] why there is none.
//! [`Answer::parse`] reads the answer as a type; half an answer or garbage is an error, never an empty value.
//!
//! What may be spent in a day is reserved in the [`Ledger`] before anything is sent, for the worst case, so that
//! neither several processes at once nor a killed one spend more. [`Prompts`] hands out texts that users may override.
//!
//! How a server is reached is told by `peri-remote`. The crate knows neither memories nor notes, and blocks its caller; it may be called from within an async runtime.
#![forbid(unsafe_code)]

mod answer;
mod attempt;
mod client;
#[doc(hidden)]
pub mod fuzzing;
mod json;
mod ledger;
mod prompts;
mod provider;
mod refusal;
mod request;
mod settings;

pub use answer::{Answer, ParseError};
pub use client::Client;
pub use json::Unreadable;
pub use ledger::{Call, Hold, Ledger, LedgerError, Outcome, ReserveError, Texts, Wanted};
pub use peri_remote::{Address, AddressError, Pace, PlainHttp, Secret, SecretError};
pub use prompts::{Prompt, PromptError, PromptFile, PromptSource, PromptStamp, Prompts};
pub use refusal::{Garbled, Refusal};
pub use request::{Message, Request, Role};
pub use settings::{KeptTexts, Provider, Settings, SettingsError};
