//! Sends a question and waits for the answer, within bounds, on a thread of its own.

use std::io::Read as _;
use std::sync::mpsc;
use std::time::Duration;

use reqwest::blocking::{Client, RequestBuilder, Response};
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;

use crate::{Address, Secret, Url};

/// What is still waited for when the time is over, so that the reason can be told.
const GRACE: Duration = Duration::from_millis(500);

/// A way to reach one server.
#[derive(Debug)]
pub struct Transport {
    client: Client,
    bytes_max: usize,
}

/// What is sent.
pub struct Question<'a> {
    /// Where to.
    pub url: Url,
    /// Headers besides those of the content; a key may be among them.
    pub headers: Vec<(&'static str, String)>,
    /// Name and password, where the server wants those.
    pub login: Option<(&'a str, &'a Secret)>,
    /// JSON.
    pub body: String,
}

/// The system gives no way to reach servers. Look at what it says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("servers cannot be reached from here: {detail}")]
pub struct TransportError {
    /// What it said.
    pub detail: String,
}

/// What a server sent.
#[derive(Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// How long it asks to wait, as it says.
    pub retry_after: Option<String>,
    /// What it sent as its answer.
    pub body: Body,
}

/// What a server sent as its answer.
#[derive(Debug)]
pub enum Body {
    /// All of it.
    Whole(Vec<u8>),
    /// More than is read.
    TooLong,
}

/// Why there is no answer.
#[derive(Debug)]
pub struct Trouble {
    /// Whether the server may have worked on the question.
    pub reached: Reached,
    /// What happened.
    pub detail: String,
}

/// Whether a server that did not answer may have worked on the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// It never got it.
    No,
    /// Nobody can say.
    Perhaps,
}

impl Trouble {
    fn perhaps(detail: impl Into<String>) -> Self {
        Self { reached: Reached::Perhaps, detail: detail.into() }
    }

    fn no(detail: impl Into<String>) -> Self {
        Self { reached: Reached::No, detail: detail.into() }
    }
}

impl Transport {
    /// Prepares to ask a server. Of an answer at most so many bytes are read. Nothing is sent yet.
    pub fn new(address: &Address, bytes_max: usize) -> Result<Self, TransportError> {
        // Whoever came first chose; it is the same choice everywhere in this program.
        if rustls::crypto::ring::default_provider().install_default().is_err() {
            tracing::trace!("the cryptography was chosen before");
        }
        let loopback = address.is_loopback();
        // Building it blocks, which async runtimes do not allow on their threads.
        let built = std::thread::spawn(move || {
            let client = Client::builder()
                .redirect(Policy::none())
                .retry(reqwest::retry::never())
                .user_agent(concat!("perihelion/", env!("CARGO_PKG_VERSION")));
            // What goes to this machine is not shown to a proxy on another.
            if loopback { client.no_proxy() } else { client }.build()
        });
        let failed = |detail: String| TransportError { detail };
        let client = built.join().map_err(|_| failed("the connection could not be prepared".to_owned()))?;
        let client = client.map_err(|error| failed(told(error)))?;
        Ok(Self { client, bytes_max })
    }

    /// Sends a question and waits for the answer at most so long.
    pub fn post(&self, question: Question<'_>, timeout: Duration) -> Result<Reply, Trouble> {
        let request = self.request(question)?.timeout(timeout);
        let bytes_max = self.bytes_max;
        let (send, receive) = mpsc::channel();
        let thread = std::thread::Builder::new().name("peri-remote".to_owned());
        let spawned = thread.spawn(move || {
            let reply = request.send().map_err(failed).and_then(|response| read(response, bytes_max));
            if send.send(reply).is_err() {
                tracing::debug!("an answer came too late");
            }
        });
        spawned.map_err(|error| Trouble::no(error.to_string()))?;
        // A server that sends a byte now and then could stretch the time of each read.
        match receive.recv_timeout(timeout.saturating_add(GRACE)) {
            Ok(reply) => reply,
            Err(mpsc::RecvTimeoutError::Timeout) => Err(Trouble::perhaps("it took too long")),
            Err(mpsc::RecvTimeoutError::Disconnected) => Err(Trouble::perhaps("the connection broke down")),
        }
    }

    fn request(&self, question: Question<'_>) -> Result<RequestBuilder, Trouble> {
        let mut request = self.client.post(question.url).header(CONTENT_TYPE, "application/json");
        for (name, value) in question.headers {
            let mut value = HeaderValue::from_str(&value)
                .map_err(|_| Trouble::no("the key holds characters that no key has"))?;
            value.set_sensitive(true);
            request = request.header(HeaderName::from_static(name), value);
        }
        if let Some((name, password)) = question.login {
            request = request.basic_auth(name, Some(password.reveal()));
        }
        Ok(request.body(question.body))
    }
}

fn read(response: Response, bytes_max: usize) -> Result<Reply, Trouble> {
    let status = response.status().as_u16();
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|header| header.to_str().ok());
    let retry_after = retry_after.map(str::to_owned);
    let mut body = Vec::new();
    let mut bounded = response.take(bytes_max as u64 + 1);
    bounded.read_to_end(&mut body).map_err(|error| {
        Trouble::perhaps(format!("its answer broke off after {} bytes: {}", body.len(), chain(&error)))
    })?;
    let body = if body.len() > bytes_max { Body::TooLong } else { Body::Whole(body) };
    Ok(Reply { status, retry_after, body })
}

fn failed(error: reqwest::Error) -> Trouble {
    // Only a connection that never came about is certain not to have carried the question.
    let reached = if error.is_connect() || error.is_builder() { Reached::No } else { Reached::Perhaps };
    let detail = if error.is_timeout() { "it took too long".to_owned() } else { told(error) };
    Trouble { reached, detail }
}

/// What went wrong, without the address, which may hold secrets.
fn told(error: reqwest::Error) -> String {
    chain(&error.without_url())
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let inner_text = inner.to_string();
        if !told.contains(&inner_text) {
            told = format!("{told}: {inner_text}");
        }
        source = inner.source();
    }
    told
}
