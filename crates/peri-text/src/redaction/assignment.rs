//! Secrets known by what stands before them: `password=…`, `api_key: …`, `Bearer …`, `user:…@host`.

use super::values::{is_password, is_random, is_token};
use crate::boundary;

use super::{Secret, SecretKind, is_token_byte, values};

/// Names end in one of these, whatever stands in front, as in `DB_PASSWORD`. Letters are compared
/// without case, and without `_`, `-` and spaces.
const NAMES: &[(&str, SecretKind)] = &[
    ("password", SecretKind::Password),
    ("passwd", SecretKind::Password),
    ("passphrase", SecretKind::Password),
    ("pwd", SecretKind::Password),
    ("비밀번호", SecretKind::Password),
    ("패스워드", SecretKind::Password),
    ("密码", SecretKind::Password),
    ("密碼", SecretKind::Password),
    ("パスワード", SecretKind::Password),
    ("secretaccesskey", SecretKind::AwsSecretKey),
    ("accountkey", SecretKind::AzureKey),
    ("sharedaccesskey", SecretKind::AzureKey),
    ("accesskey", SecretKind::ApiKey),
    ("apikey", SecretKind::ApiKey),
    ("secretkey", SecretKind::ApiKey),
    ("privatekey", SecretKind::ApiKey),
    ("encryptionkey", SecretKind::ApiKey),
    ("signingkey", SecretKind::ApiKey),
    ("credential", SecretKind::ApiKey),
    ("credentials", SecretKind::ApiKey),
    ("secret", SecretKind::ApiKey),
    ("token", SecretKind::ApiKey),
    ("authorization", SecretKind::Authorization),
];

/// Names are short; looking further back would only cost time.
const NAME_BYTES_MAX: usize = 48;
/// Shorter values behind `token` or `api_key` are more often names than keys.
const TOKEN_BYTES_MIN: usize = 16;

/// The value assigned by the separator at `separator`, when the name before it asks for secrecy. The
/// name may not reach back over `floor`, where the secret before ended.
pub(super) fn assigned(text: &str, floor: usize, separator: usize, mut at: usize) -> Option<Secret> {
    let kind = name_before(&text[floor..separator])?;
    // `:=`, `=>` and `==` are separators too.
    if matches!(text.as_bytes().get(at), Some(b'=' | b'>')) {
        at += 1;
    }
    at += text[at..].bytes().take(4).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if kind == SecretKind::Authorization {
        return scheme_value(text, at);
    }
    let (start, end, quoted) = value_at(text, at);
    let value = &text[start..end];
    let is_secret = match kind {
        SecretKind::Password => is_password(value, quoted),
        _ => is_token(value, TOKEN_BYTES_MIN),
    };
    is_secret.then_some(Secret { kind, start, end })
}

fn name_before(before: &str) -> Option<SecretKind> {
    if ends_in_mark(before) {
        return None;
    }
    let trimmed = before.trim_end_matches([' ', '\t', '"', '\'', '`', ']', '*']);
    let last = trimmed.chars().next_back()?.to_ascii_lowercase();
    // One look at the last letter spares nearly all text the rest.
    if !NAMES.iter().any(|(name, _)| name.ends_with(last)) {
        return None;
    }
    let window = &trimmed[boundary::ceil(trimmed, trimmed.len().saturating_sub(NAME_BYTES_MAX))..];
    let name: String =
        window.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).map(|c| c.to_ascii_lowercase()).collect();
    NAMES.iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, kind)| *kind)
}

/// Whether a mark stands there instead of a name: `[redacted:password]` names nothing, it was a value.
fn ends_in_mark(before: &str) -> bool {
    let bare = before.trim_end_matches([' ', '\t', '"', '\'', '`', '*']);
    if !bare.ends_with(']') {
        return false;
    }
    let window = &bare[boundary::ceil(bare, bare.len().saturating_sub(NAME_BYTES_MAX))..];
    window.rfind('[').is_some_and(|at| window[at..].starts_with("[redacted:"))
}

/// The value at `at`: its range without quotes, and whether it had them.
fn value_at(text: &str, at: usize) -> (usize, usize, bool) {
    let rest = &text[at..boundary::floor(text, at + values::TOKEN_BYTES_MAX + 3)];
    if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`')) {
        let inside = &rest[1..];
        if let Some(len) = inside.find([quote, '\n']).filter(|len| inside[*len..].starts_with(quote)) {
            return (at + 1, at + 1 + len, true);
        }
    }
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';' | '&' | '\\');
    let len = rest.find(ends).unwrap_or(rest.len());
    let value = rest[..len].trim_end_matches(['.', ')', ']', '}', '!', '?', ':']);
    (at, at + value.len(), false)
}

/// The credentials behind `Basic`, `Bearer` or `token`, or a bare value.
fn scheme_value(text: &str, at: usize) -> Option<Secret> {
    let rest = &text[at..];
    let opening = rest.bytes().take_while(|byte| matches!(byte, b'"' | b'\'' | b'`')).count();
    let word = rest[opening..].bytes().take_while(u8::is_ascii_alphabetic).count();
    let known =
        matches!(rest[opening..opening + word].to_ascii_lowercase().as_str(), "basic" | "bearer" | "token");
    let skip = if known && rest[opening + word..].starts_with(' ') { opening + word + 1 } else { opening };
    let start = at + skip;
    let end = start + credential_len(&text[start..]);
    let value = &text[start..end];
    let long = value.len() >= TOKEN_BYTES_MIN || (known && value.len() >= 8);
    let varied = value.bytes().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase() || byte == b'=');
    (long && varied && is_random(value.as_bytes())).then_some(Secret {
        kind: SecretKind::Authorization,
        start,
        end,
    })
}

/// `Bearer` and a long token anywhere, as in a pasted command line.
pub(super) fn bearer(text: &str, start: usize, end: usize) -> Option<Secret> {
    if !text[start..end].eq_ignore_ascii_case("bearer") || !text[end..].starts_with(' ') {
        return None;
    }
    let start = end + 1;
    let end = start + credential_len(&text[start..]);
    is_token(&text[start..end], TOKEN_BYTES_MIN).then_some(Secret {
        kind: SecretKind::Authorization,
        start,
        end,
    })
}

fn credential_len(text: &str) -> usize {
    text.bytes()
        .take(values::TOKEN_BYTES_MAX + 1)
        .take_while(|byte| is_token_byte(*byte) || b"+/=.~".contains(byte))
        .count()
}

/// The password in `user:password@host`, which begins at `start` behind the scheme.
pub(super) fn url_password(text: &str, start: usize) -> Option<Secret> {
    /// Longer stretches are not credentials.
    const AUTHORITY_BYTES_MAX: usize = 512;
    let window = &text[start..boundary::floor(text, start + AUTHORITY_BYTES_MAX)];
    let ends =
        |c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | '"' | '\'' | '<' | '>' | '`' | '\\');
    let authority = &window[..window.find(ends).unwrap_or(window.len())];
    let at_sign = authority.rfind('@')?;
    // The colon of a mark, where the user's name was a secret, parts nothing.
    let is_of_mark = |at: &usize| authority[..=*at].ends_with(values::MARK);
    let colon = authority[..at_sign].match_indices(':').map(|(at, _)| at).find(|at| !is_of_mark(at))?;
    let password = &authority[colon + 1..at_sign];
    // `$PASSWORD` and `<password>` show where a password goes.
    let is_shown = password.starts_with(['$', '{', '<', '%', '*']) && !password.starts_with("%25")
        || password.contains(values::MARK);
    let fits = !password.is_empty() && !is_shown;
    fits.then_some(Secret { kind: SecretKind::UrlPassword, start: start + colon + 1, end: start + at_sign })
}
