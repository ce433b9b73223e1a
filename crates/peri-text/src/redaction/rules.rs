//! The table of tokens that a prefix and an alphabet give away.

use super::{Secret, SecretKind, is_token_byte, values};

/// Which bytes may follow a prefix.
#[derive(Debug, Clone, Copy)]
enum Alphabet {
    /// Letters and digits.
    Alnum,
    /// Capitals and digits.
    Upper,
    /// Lower-case hexadecimal.
    Hex,
    /// Letters, digits, `-` and `_`.
    Url,
}

impl Alphabet {
    fn holds(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
            Self::Url => is_token_byte(byte),
        }
    }
}

struct Rule {
    prefix: &'static str,
    kind: SecretKind,
    alphabet: Alphabet,
    /// Bytes after the prefix, at least and at most.
    len: (usize, usize),
}

const fn rule(prefix: &'static str, kind: SecretKind, alphabet: Alphabet, min: usize, max: usize) -> Rule {
    Rule { prefix, kind, alphabet, len: (min, max) }
}

/// Longer prefixes come before the shorter ones they begin with.
const RULES: &[Rule] = &[
    rule("AKIA", SecretKind::AwsAccessKey, Alphabet::Upper, 16, 16),
    rule("ASIA", SecretKind::AwsAccessKey, Alphabet::Upper, 16, 16),
    rule("ABIA", SecretKind::AwsAccessKey, Alphabet::Upper, 16, 16),
    rule("ghp_", SecretKind::GithubToken, Alphabet::Alnum, 30, 255),
    rule("gho_", SecretKind::GithubToken, Alphabet::Alnum, 30, 255),
    rule("ghu_", SecretKind::GithubToken, Alphabet::Alnum, 30, 255),
    rule("ghs_", SecretKind::GithubToken, Alphabet::Alnum, 30, 255),
    rule("ghr_", SecretKind::GithubToken, Alphabet::Alnum, 30, 255),
    rule("github_pat_", SecretKind::GithubToken, Alphabet::Url, 40, 255),
    rule("glpat-", SecretKind::GitlabToken, Alphabet::Url, 20, 300),
    rule("gldt-", SecretKind::GitlabToken, Alphabet::Url, 20, 300),
    rule("glrt-", SecretKind::GitlabToken, Alphabet::Url, 20, 300),
    rule("glptt-", SecretKind::GitlabToken, Alphabet::Url, 20, 300),
    rule("xoxb-", SecretKind::SlackToken, Alphabet::Url, 20, 255),
    rule("xoxp-", SecretKind::SlackToken, Alphabet::Url, 20, 255),
    rule("xoxa-", SecretKind::SlackToken, Alphabet::Url, 20, 255),
    rule("xoxr-", SecretKind::SlackToken, Alphabet::Url, 20, 255),
    rule("xoxs-", SecretKind::SlackToken, Alphabet::Url, 20, 255),
    rule("xapp-", SecretKind::SlackToken, Alphabet::Url, 20, 255),
    rule("sk_live_", SecretKind::StripeKey, Alphabet::Alnum, 16, 255),
    rule("rk_live_", SecretKind::StripeKey, Alphabet::Alnum, 16, 255),
    rule("sk_test_", SecretKind::StripeKey, Alphabet::Alnum, 16, 255),
    rule("rk_test_", SecretKind::StripeKey, Alphabet::Alnum, 16, 255),
    rule("whsec_", SecretKind::StripeKey, Alphabet::Alnum, 24, 255),
    rule("sk-ant-", SecretKind::AnthropicKey, Alphabet::Url, 24, 255),
    rule("sk-proj-", SecretKind::OpenaiKey, Alphabet::Url, 24, 255),
    rule("sk-svcacct-", SecretKind::OpenaiKey, Alphabet::Url, 24, 255),
    rule("sk-admin-", SecretKind::OpenaiKey, Alphabet::Url, 24, 255),
    rule("sk-", SecretKind::OpenaiKey, Alphabet::Alnum, 32, 64),
    rule("AIza", SecretKind::GoogleKey, Alphabet::Url, 35, 35),
    rule("GOCSPX-", SecretKind::GoogleKey, Alphabet::Url, 24, 40),
    rule("peri_", SecretKind::PeriKey, Alphabet::Url, 61, 61),
    rule("npm_", SecretKind::NpmToken, Alphabet::Alnum, 36, 36),
    rule("pypi-", SecretKind::PypiToken, Alphabet::Url, 50, 400),
    rule("hf_", SecretKind::HuggingfaceToken, Alphabet::Alnum, 30, 40),
    rule("SK", SecretKind::TwilioKey, Alphabet::Hex, 32, 32),
];

/// Shorter runs hold no token of the table.
const RUN_BYTES_MIN: usize = 20;

/// The token that begins in the run of token bytes `start..end`.
pub(super) fn token(text: &str, start: usize, end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    match bytes[start] {
        b'S' if text[start..].starts_with("SG.") => return sendgrid(text, start),
        b'e' if text[start..].starts_with("eyJ") => return web_token(text, start, end),
        _ => {}
    }
    if bytes.get(end) == Some(&b'~') {
        return azure_secret(text, start, end);
    }
    if end - start < RUN_BYTES_MIN {
        return None;
    }
    // A name may be glued on in front: `key-ghp_…`.
    let is_start = |at: &usize| *at == start || matches!(bytes[*at - 1], b'_' | b'-');
    (start..end - RUN_BYTES_MIN + 1).filter(is_start).find_map(|at| matching(bytes, at, end))
}

fn matching(bytes: &[u8], start: usize, run_end: usize) -> Option<Secret> {
    RULES.iter().find_map(|rule| {
        let body = bytes[start..run_end].strip_prefix(rule.prefix.as_bytes())?;
        let len = body.iter().take(rule.len.1 + 1).take_while(|byte| rule.alphabet.holds(**byte)).count();
        let ends_cleanly = body.get(len).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        let fits =
            (rule.len.0..=rule.len.1).contains(&len) && ends_cleanly && values::is_random(&body[..len]);
        fits.then(|| Secret { kind: rule.kind, start, end: start + rule.prefix.len() + len })
    })
}

/// `SG.`, 22 bytes, a dot and 43 bytes.
fn sendgrid(text: &str, start: usize) -> Option<Secret> {
    let rest = &text.as_bytes()[start + 3..];
    let first = token_len(rest);
    let second = token_len(rest.get(first + 1..)?);
    let fits = first >= 16 && second >= 32 && rest[first] == b'.';
    fits.then(|| Secret { kind: SecretKind::SendgridKey, start, end: start + 3 + first + 1 + second })
}

/// Three parts with dots between, the first two JSON in base64.
fn web_token(text: &str, start: usize, header_end: usize) -> Option<Secret> {
    let claims = text.get(header_end..)?.strip_prefix(".eyJ")?;
    let claims_end = header_end + 4 + token_len(claims.as_bytes());
    let signature = text.get(claims_end..)?.strip_prefix('.')?;
    let signature_len = token_len(signature.as_bytes());
    let fits = header_end - start >= 12 && signature_len >= 16;
    fits.then(|| Secret { kind: SecretKind::Jwt, start, end: claims_end + 1 + signature_len })
}

/// Three characters, a digit, `Q~` and at least 31 more.
fn azure_secret(text: &str, start: usize, tilde: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let head = &bytes[start..tilde];
    let shaped = head.len() == 5 && head[3].is_ascii_digit() && head[4] == b'Q';
    let holds = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '~');
    let rest = &text[tilde + 1..];
    let tail = rest[..rest.find(|c| !holds(c)).unwrap_or(rest.len())].trim_end_matches('.').len();
    (shaped && (31..=40).contains(&tail)).then(|| Secret {
        kind: SecretKind::AzureKey,
        start,
        end: tilde + 1 + tail,
    })
}

fn token_len(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| is_token_byte(**byte)).count()
}
