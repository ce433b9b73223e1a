//! Secrets in one text, line by line.

use peri_text::redact;

use super::fake::is_fake;

/// A secret on a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Spotted {
    pub(super) line: usize,
    pub(super) kind: &'static str,
    pub(super) hint: String,
    pub(super) verdict: Verdict,
}

/// What is thought of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Secret,
    Fake,
    Allowed,
}

/// What somebody writes on a line, or alone on the line before, to say that it is fine.
const ALLOWING: &[&str] = &["peri:allow-secret", "gitleaks:allow", "pragma: allowlist secret"];

/// Kinds whose first letters are the same for everybody, so that showing them gives nothing away.
const PREFIXED: &[&str] = &[
    "aws-access-key",
    "github-token",
    "gitlab-token",
    "slack-token",
    "stripe-key",
    "openai-key",
    "anthropic-key",
    "google-key",
    "peri-key",
    "npm-token",
    "pypi-token",
    "huggingface-token",
    "sendgrid-key",
    "twilio-key",
    "private-key",
];

/// All secrets of a text, examples among them. No secret spans lines but keys in blocks, whose first line gives them away.
pub(super) fn scan(text: &str) -> Vec<Spotted> {
    let mut found = Vec::new();
    let mut allowed_next = false;
    for (at, line) in text.lines().enumerate() {
        let says = ALLOWING.iter().any(|mark| line.contains(mark));
        let allowed = says || std::mem::take(&mut allowed_next);
        let redacted = redact(line);
        allowed_next = says && redacted.found.is_empty();
        if redacted.found.is_empty() {
            continue;
        }
        let values = values(line, &redacted.text);
        for (kind, value) in values {
            let fake = if kind == "private-key" {
                is_fake_block(text, at)
            } else {
                is_fake(value) || is_card_for_tests(kind, value)
            };
            let verdict = match (allowed, fake) {
                (true, _) => Verdict::Allowed,
                (_, true) => Verdict::Fake,
                _ => Verdict::Secret,
            };
            found.push(Spotted { line: at + 1, kind, hint: hint(kind, value), verdict });
        }
    }
    found
}

/// The replaced values, in order: what stands in the line where the redacted one has a mark.
fn values<'a>(line: &'a str, redacted: &str) -> Vec<(&'static str, &'a str)> {
    const MARK: &str = "[redacted:";
    let mut found = Vec::new();
    let (mut line_at, mut redacted_at) = (0, 0);
    while redacted_at < redacted.len() {
        let (left, right) = (&line[line_at..], &redacted[redacted_at..]);
        // A mark that stood there before is text like any other.
        if right.starts_with(MARK) && !left.starts_with(MARK) {
            let Some(kind_end) = right.find(']') else { break };
            let kind = known(&right[MARK.len()..kind_end]);
            redacted_at += kind_end + 1;
            let after = &redacted[redacted_at..];
            let until = after.find(MARK).map_or(after, |next| &after[..next]);
            let length = if until.is_empty() && after.is_empty() {
                left.len()
            } else {
                left.find(until).unwrap_or(left.len())
            };
            found.push((kind, &left[..length]));
            line_at += length;
        } else {
            let Some(c) = right.chars().next() else { break };
            redacted_at += c.len_utf8();
            line_at += c.len_utf8();
        }
        if line_at > line.len() || !line.is_char_boundary(line_at) {
            break;
        }
    }
    found
}

/// The name of a kind, from the table rather than from the text.
fn known(name: &str) -> &'static str {
    use peri_text::SecretKind as Kind;
    let kinds = [
        Kind::AwsAccessKey,
        Kind::AwsSecretKey,
        Kind::GithubToken,
        Kind::GitlabToken,
        Kind::SlackToken,
        Kind::StripeKey,
        Kind::OpenaiKey,
        Kind::AnthropicKey,
        Kind::GoogleKey,
        Kind::PeriKey,
        Kind::NpmToken,
        Kind::PypiToken,
        Kind::HuggingfaceToken,
        Kind::SendgridKey,
        Kind::TwilioKey,
        Kind::AzureKey,
        Kind::Jwt,
        Kind::PrivateKey,
        Kind::UrlPassword,
        Kind::Password,
        Kind::ApiKey,
        Kind::Authorization,
        Kind::CardNumber,
    ];
    kinds.iter().map(|kind| kind.name()).find(|known| *known == name).unwrap_or("secret")
}

/// What may be shown: how long it is, and its first letters where those are the same for everybody.
fn hint(kind: &str, value: &str) -> String {
    let chars = value.chars().count();
    let shown: String = match PREFIXED.contains(&kind) && chars >= 20 && kind != "private-key" {
        true => value.chars().take(4).collect(),
        false => String::new(),
    };
    if kind == "private-key" { "a key block".to_owned() } else { format!("{shown}… ({chars} characters)") }
}

/// Whether a key block holds no key: nothing, dots, or an example.
fn is_fake_block(text: &str, header: usize) -> bool {
    /// Real keys have at least this much in their first lines.
    const KEY_BYTES_MIN: usize = 64;
    // On one line, as in a setting, line ends are written out.
    let body: String = text.lines().skip(header).take(12).collect::<Vec<_>>().join("\n").replace("\\n", "\n");
    let Some((_, body)) = body.split_once("PRIVATE KEY-----") else { return true };
    let body = body.split("-----").next().unwrap_or(body);
    let dense: String = body.chars().filter(|c| !c.is_whitespace()).collect();
    let key =
        dense.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"+/=:,-".contains(byte)).count();
    key < KEY_BYTES_MIN || is_fake(&dense)
}

/// Numbers that payment companies publish for tests.
fn is_card_for_tests(kind: &str, value: &str) -> bool {
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    let published =
        ["4111111111111111", "4242424242424242", "5555555555554444", "378282246310005", "4012888888881881"];
    kind == "card-number" && published.contains(&digits.as_str())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Put together at run time, so that no scanner finds one here.
    fn token() -> String {
        ["ghp", "_q8Zr2vKx9Lm4Tn7Wp1YcB5dF3gH6jK0sA"].concat()
    }

    #[test]
    fn secrets_are_found_with_their_line_and_without_themselves() {
        let text = format!("# 설정\n\nkey = {}\n", token());
        let found = scan(&text);
        assert_eq!(
            (found.len(), found[0].line, found[0].kind, found[0].verdict),
            (1, 3, "github-token", Verdict::Secret)
        );
        assert!(found[0].hint.starts_with("ghp_…") && !found[0].hint.contains("q8Zr"));
    }

    #[test]
    fn several_on_a_line_are_told_apart() {
        let line = format!("a={} b=postgres://u:{}@h/d", token(), "Zq81kLmPw");
        let kinds: Vec<_> = scan(&line).into_iter().map(|spotted| (spotted.kind, spotted.hint)).collect();
        assert_eq!(kinds.len(), 2);
        assert_eq!((kinds[0].0, kinds[1].0), ("github-token", "url-password"));
        assert_eq!(kinds[1].1, "… (9 characters)");
    }

    #[test]
    fn a_comment_on_the_line_or_before_it_allows() {
        for text in [
            format!("key = {} # peri:allow-secret", token()),
            format!("# peri:allow-secret\nkey = {}", token()),
            format!("key = {} // gitleaks:allow", token()),
        ] {
            assert_eq!(scan(&text)[0].verdict, Verdict::Allowed, "{}", text.len());
        }
        let text = format!("# peri:allow-secret\n\nkey = {}", token());
        assert_eq!(scan(&text)[0].verdict, Verdict::Secret);
    }

    #[test]
    fn a_key_block_counts_only_with_a_key_in_it() {
        let block = |body: &str| {
            format!("{}BEGIN RSA PRIVATE KEY-----\n{body}\n{}END RSA PRIVATE KEY-----", "-----", "-----")
        };
        let real = "MIIEpAIBAAKCAQEA7bq98Zr2vKx9Lm4Tn7Wp1YcB5dF3gH6jK0sAq8Zr2vKx9Lm4Tn7Wp1YcB5dF3gH6jK";
        assert_eq!(scan(&block(real))[0].verdict, Verdict::Secret);
        assert_eq!(scan(&block("MIIE…"))[0].verdict, Verdict::Fake);
        assert_eq!(scan(&block(""))[0].verdict, Verdict::Fake);
    }

    proptest! {
        #[test]
        fn no_hint_ever_holds_the_secret(body in "[A-Za-z0-9]{36}", before in "[가-힣a-z =\"]{0,12}", after in "[ ,;中a-z\"]{0,12}") {
            let text = format!("{before} ghp_{body} {after} password: \"{}\"", &body[..12]);
            for spotted in scan(&text) {
                prop_assert!(!spotted.hint.contains(&body[..4]) || body[..4].bytes().all(|byte| b"ghp_characters".contains(&byte)));
            }
        }
    }
}
