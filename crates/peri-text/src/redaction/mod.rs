//! Takes secrets out of a text before anything is stored.
//!
//! The scanner is written by hand instead of with regular expressions: nearly every secret is a fixed
//! prefix and an alphabet, which is a table ([`rules`]), and a process that stores one line should not
//! compile forty patterns first. One pass, linear time, no set-up cost.
//!
//! A false alarm destroys what somebody wanted remembered, so commit hashes, UUIDs, version numbers,
//! telephone numbers and prose about passwords stay. Marks are never redacted again: redacting twice
//! is redacting once.

mod assignment;
mod card;
mod rules;
mod values;

use std::borrow::Cow;

use crate::boundary;

/// What kind of secret was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SecretKind {
    /// An AWS access key id.
    AwsAccessKey,
    /// An AWS secret access key, known by the name it is assigned to.
    AwsSecretKey,
    /// A GitHub token of any sort.
    GithubToken,
    /// A GitLab token of any sort.
    GitlabToken,
    /// A Slack token.
    SlackToken,
    /// A Stripe key.
    StripeKey,
    /// An OpenAI key.
    OpenaiKey,
    /// An Anthropic key.
    AnthropicKey,
    /// A Google API key or OAuth secret.
    GoogleKey,
    /// One of our own keys.
    PeriKey,
    /// An npm token.
    NpmToken,
    /// A PyPI token.
    PypiToken,
    /// A Hugging Face token.
    HuggingfaceToken,
    /// A SendGrid key.
    SendgridKey,
    /// A Twilio key.
    TwilioKey,
    /// An Azure account key or client secret.
    AzureKey,
    /// A signed JSON web token.
    Jwt,
    /// A private key block.
    PrivateKey,
    /// The password inside a URL.
    UrlPassword,
    /// A value assigned to a name such as `password`.
    Password,
    /// A value assigned to a name such as `api_key`, `token` or `secret`.
    ApiKey,
    /// The credentials of an `Authorization` header.
    Authorization,
    /// A payment card number.
    CardNumber,
}

impl SecretKind {
    /// The name as it stands in the mark.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AwsAccessKey => "aws-access-key",
            Self::AwsSecretKey => "aws-secret-key",
            Self::GithubToken => "github-token",
            Self::GitlabToken => "gitlab-token",
            Self::SlackToken => "slack-token",
            Self::StripeKey => "stripe-key",
            Self::OpenaiKey => "openai-key",
            Self::AnthropicKey => "anthropic-key",
            Self::GoogleKey => "google-key",
            Self::PeriKey => "peri-key",
            Self::NpmToken => "npm-token",
            Self::PypiToken => "pypi-token",
            Self::HuggingfaceToken => "huggingface-token",
            Self::SendgridKey => "sendgrid-key",
            Self::TwilioKey => "twilio-key",
            Self::AzureKey => "azure-key",
            Self::Jwt => "jwt",
            Self::PrivateKey => "private-key",
            Self::UrlPassword => "url-password",
            Self::Password => "password",
            Self::ApiKey => "api-key",
            Self::Authorization => "authorization",
            Self::CardNumber => "card-number",
        }
    }
}

/// How often one kind of secret was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// The kind.
    pub kind: SecretKind,
    /// How many were replaced.
    pub count: usize,
}

/// A text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// The text, borrowed when nothing had to be replaced.
    pub text: Cow<'a, str>,
    /// What was replaced, in the order of [`SecretKind`].
    pub found: Vec<Finding>,
}

/// A secret at a byte range of the text.
#[derive(Debug, Clone, Copy)]
struct Secret {
    kind: SecretKind,
    start: usize,
    end: usize,
}

/// Replaces each secret by a mark such as `[redacted:github-token]`.
pub fn redact(text: &str) -> Redacted<'_> {
    let secrets = find(text);
    if secrets.is_empty() {
        return Redacted { text: Cow::Borrowed(text), found: Vec::new() };
    }
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for secret in &secrets {
        out.push_str(&text[copied..secret.start]);
        out.push_str("[redacted:");
        out.push_str(secret.kind.name());
        out.push(']');
        copied = secret.end;
    }
    out.push_str(&text[copied..]);
    Redacted { text: Cow::Owned(out), found: tally(&secrets) }
}

fn tally(secrets: &[Secret]) -> Vec<Finding> {
    let mut kinds: Vec<SecretKind> = secrets.iter().map(|secret| secret.kind).collect();
    kinds.sort_unstable();
    kinds.chunk_by(|a, b| a == b).map(|same| Finding { kind: same[0], count: same.len() }).collect()
}

/// Whether a byte can be part of a token; runs of these are what the rules look at.
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// All secrets, in order and without overlap.
fn find(text: &str) -> Vec<Secret> {
    find_from(text, 0, Urls::Read)
}

/// What becomes of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Urls {
    Read,
    PassedOver,
}

fn find_from(text: &str, begin: usize, urls: Urls) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let mut secrets: Vec<Secret> = Vec::new();
    let mut at = begin;
    while at < bytes.len() {
        let run = bytes[at..].iter().take_while(|byte| is_token_byte(**byte)).count();
        let floor = secrets.last().map_or(begin, |secret| secret.end);
        let secret = match run {
            0 if urls == Urls::PassedOver && bytes[at..].starts_with(b"://") => None,
            0 => at_mark(text, at, floor),
            _ => in_run(text, at, at + run),
        };
        match secret {
            Some(secret) if secret.start >= floor => {
                // Where the user's name should be in an address, there may be a secret of another kind.
                if secret.kind == SecretKind::UrlPassword {
                    secrets.extend(find_from(&text[..secret.start], at + "://".len(), Urls::PassedOver));
                }
                at = secret.end;
                secrets.push(secret);
            }
            _ => at += run.max(1),
        }
    }
    secrets
}

/// A secret that begins in a run of token bytes.
fn in_run(text: &str, start: usize, end: usize) -> Option<Secret> {
    match text.as_bytes()[start] {
        b'-' if text[start..].starts_with("-----BEGIN") => return private_key(text, start),
        b'0'..=b'9' => {
            if let Some(secret) = card::card_number(text, start) {
                return Some(secret);
            }
        }
        _ => {}
    }
    rules::token(text, start, end).or_else(|| assignment::bearer(text, start, end))
}

/// A secret that a punctuation mark gives away: an assignment or a URL with a password.
fn at_mark(text: &str, at: usize, floor: usize) -> Option<Secret> {
    match text.as_bytes()[at] {
        b':' if text[at..].starts_with("://") => assignment::url_password(text, at + 3),
        b':' | b'=' => assignment::assigned(text, floor, at, at + 1),
        0xEF if text.is_char_boundary(at) && text[at..].starts_with('：') => {
            assignment::assigned(text, floor, at, at + '：'.len_utf8())
        }
        _ => None,
    }
}

/// A whole private key block, or all that is there of it.
fn private_key(text: &str, start: usize) -> Option<Secret> {
    /// Longer than any private key in use; a block that never ends must not swallow a document.
    const BLOCK_BYTES_MAX: usize = 16 * 1024;
    let block = &text[start..boundary::floor(text, start + BLOCK_BYTES_MAX)];
    let header = block.lines().next().unwrap_or_default();
    let label_end = header["-----BEGIN".len()..].find("-----")? + "-----BEGIN".len() + 5;
    if !header[..label_end].contains("PRIVATE KEY") {
        return None;
    }
    let end = match block[label_end..].find("-----END") {
        Some(at) => {
            let footer = label_end + at + "-----END".len();
            block[footer..].find("-----").map_or(block.len(), |dashes| footer + dashes + 5)
        }
        None => label_end + block[label_end..].bytes().take_while(|byte| values::is_key_text(*byte)).count(),
    };
    Some(Secret { kind: SecretKind::PrivateKey, start, end: start + end })
}
