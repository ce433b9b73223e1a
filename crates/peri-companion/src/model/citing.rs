//! Which messages a note was made from.

use peri_notes::{Message, Origin};

use crate::likeness::share;

/// A message that says so little of a note is not where it came from.
const SHARE_MIN: f64 = 0.3;

/// What a model knows a message by.
pub(super) fn name(place: usize) -> String {
    format!("m{}", place + 1)
}

/// The entries of the messages that a model names for a note. If it names none, the only message there is, or those
/// that say most of the note.
pub(super) fn cited(messages: &[Message], named: &[String], text: &str) -> Vec<Origin> {
    let is_named = |place: usize| named.iter().any(|own| own.trim() == name(place));
    let mut from: Vec<&Message> =
        messages.iter().enumerate().filter(|(place, _)| is_named(*place)).map(|(_, own)| own).collect();
    if from.is_empty() {
        from = likeliest(messages, text);
    }
    from.into_iter().filter_map(|message| message.entry).map(Origin::Entry).collect()
}

fn likeliest<'a>(messages: &'a [Message], text: &str) -> Vec<&'a Message> {
    if let [only] = messages {
        return vec![only];
    }
    let shares: Vec<f64> = messages.iter().map(|message| share(text, &message.text)).collect();
    let most = shares.iter().copied().fold(SHARE_MIN, f64::max);
    messages.iter().zip(shares).filter(|(_, share)| *share >= most).map(|(message, _)| message).collect()
}

#[cfg(test)]
mod tests {
    use peri_notes::Speaker;
    use peri_types::{EntryId, Timestamp};

    use super::*;

    fn entry(number: u8) -> EntryId {
        EntryId::from_bytes([number; 16])
    }

    fn said(number: u8, text: &str) -> Message {
        let message = Message::new(Speaker::User, text, Timestamp::UNIX_EPOCH);
        Message { entry: Some(entry(number)), ..message }
    }

    #[track_caller]
    fn check(messages: &[Message], named: &[&str], text: &str, expected: &[u8]) {
        let named: Vec<String> = named.iter().map(|own| (*own).to_owned()).collect();
        let expected: Vec<Origin> = expected.iter().map(|own| Origin::Entry(entry(*own))).collect();
        assert_eq!(cited(messages, &named, text), expected, "{named:?} {text}");
    }

    #[test]
    fn a_note_cites_what_the_model_names_or_what_says_most_of_it() {
        let messages = [said(1, "금요일에는 배포하지 말자"), said(2, "好的，周五不发布"), said(3, "Thanks!")];
        check(&messages, &["m2", " m1 "], "배포 금지", &[1, 2]);
        check(&messages, &["m9", "n1", ""], "금요일에는 배포하지 않는다", &[1]);
        check(&messages, &[], "周五不发布", &[2]);
        check(&messages, &[], "전혀 다른 이야기", &[]);
        check(&messages[2..], &[], "전혀 다른 이야기", &[3]);
        check(&[], &["m1"], "x", &[]);
        let unknown = Message { entry: None, ..messages[0].clone() };
        check(&[unknown], &["m1"], "금요일", &[]);
    }
}
