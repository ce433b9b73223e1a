//! Secrets are never noted.

use crate::cues::Cue;
use crate::folding::Folded;
use crate::matcher::{self, Cues};

/// What becomes of a sentence that may hold a secret.
pub(crate) enum Secrecy {
    /// It holds none.
    Open,
    /// Its secrets were replaced by marks.
    Redacted(String),
    /// It says a secret in plain words, so nothing of it is kept.
    Withheld,
}

/// Whether a line says a secret in plain words, such as a password; nothing of it should be kept. Keys and tokens that
/// can be told by their form are for `peri_text::redact`.
pub fn tells_secret(line: &str) -> bool {
    let folded = Folded::new(line);
    let cues = matcher::find(&folded.signs);
    cues.spans(Cue::Secret).any(|span| gives_value(&folded.signs[span.end..]))
}

/// Looks for secrets in a sentence.
pub(crate) fn secrecy(sentence: &str, signs: &[char], cues: &Cues) -> Secrecy {
    let names_value = cues.spans(Cue::Secret).any(|span| gives_value(&signs[span.end..]));
    if names_value {
        return Secrecy::Withheld;
    }
    let redacted = peri_text::redact(sentence);
    if redacted.found.is_empty() { Secrecy::Open } else { Secrecy::Redacted(redacted.text.into_owned()) }
}

/// Whether what follows the name of a secret reads like its value: "is hunter2", ": 1234", "은 abcd1234".
fn gives_value(rest: &[char]) -> bool {
    let text: String = rest.iter().take(60).collect();
    let text = text.trim_start();
    let links = ["is ", "are ", "was ", ":", "=", "는 ", "은 ", "는", "은", "是", "为", "for "];
    let after = links.iter().find_map(|link| text.strip_prefix(link)).map(str::trim_start);
    let Some(after) = after else {
        // "The token is" holds its own link.
        return rest.first() == Some(&' ') && text.split(' ').next().is_some_and(is_value);
    };
    after.split([' ', ',', '.']).take(3).any(is_value)
}

/// Whether a word looks like no word: digits among letters, or a long run of digits.
fn is_value(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.chars().filter(|sign| sign.is_alphabetic() && sign.is_ascii()).count();
    digits >= 4 && letters == 0 || digits >= 1 && letters >= 3 || word.len() >= 24 && word.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sentence: &str) -> Secrecy {
        let folded = Folded::new(sentence);
        secrecy(sentence, &folded.signs, &matcher::find(&folded.signs))
    }

    #[test]
    fn secrets_in_plain_words_are_withheld() {
        for sentence in [
            "My password is hunter2hunter2.",
            "We decided that the password is tr0ub4dor.",
            "비밀번호는 abcd1234야",
            "密码：hunter2hunter2",
            "my pin is 4821",
        ] {
            assert!(matches!(check(sentence), Secrecy::Withheld) && tells_secret(sentence), "{sentence}");
        }
    }

    #[test]
    fn known_shapes_are_redacted_and_talk_about_secrets_stays() {
        let Secrecy::Redacted(text) = check("Always use postgres://ann:hunter2@db/app for staging.") else {
            panic!("the password in the address was not found");
        };
        assert!(!text.contains("hunter2"), "{text}");
        for sentence in
            ["Never store passwords in plain text.", "The password must be rotated.", "密码必须加密存储。"]
        {
            assert!(matches!(check(sentence), Secrecy::Open), "{sentence}");
        }
    }
}
