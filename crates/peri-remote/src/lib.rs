//! Asks servers of models: over a connection that is bounded in time and size, as often as it makes sense, and not at
//! all for a while after it failed again and again.
//!
//! A [`Transport`] sends one question to an [`Address`] and waits for the answer. [`Backoff`] says how long to wait
//! before the next attempt, [`Breaker`] whether there is one, and [`Pace`] lets tests do without waiting. A [`Secret`]
//! is sent and never shown.
//!
//! The crate does not know what is asked, and blocks its caller; it may be called from within an async runtime.
#![forbid(unsafe_code)]

mod address;
mod breaker;
mod complaint;
mod pace;
mod retry;
mod secret;
mod transport;

pub use address::{Address, AddressError, PlainHttp};
pub use breaker::{Admission, Breaker, Health};
pub use complaint::{complaint, message_of, shortened};
pub use pace::{Pace, Watch};
pub use reqwest::Url;
pub use retry::{Backoff, Waits, is_transient, may_have_charged, retry_after};
pub use secret::{Secret, SecretError};
pub use transport::{Body, Question, Reached, Reply, Transport, TransportError, Trouble};
