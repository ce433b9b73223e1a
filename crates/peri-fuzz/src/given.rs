//! What targets share: reading the bytes, and what every message must be.

use std::borrow::Cow;
use std::fmt::{Debug, Display};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The longest message, in characters, that a person is asked to read about one input.
const MESSAGE_CHARS_MAX: usize = 2_000;

/// The bytes as text, whatever they are.
pub(crate) fn text(data: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(data)
}

/// Two texts, divided by the first byte that no text holds.
pub(crate) fn two_texts(data: &[u8]) -> (Cow<'_, str>, Cow<'_, str>) {
    let at = data.iter().position(|byte| *byte == 0xff);
    let (first, second) = at.map_or((data, &data[..0]), |at| (&data[..at], &data[at + 1..]));
    (text(first), text(second))
}

/// The first byte, to choose by, and the rest.
pub(crate) fn choice(data: &[u8]) -> (usize, &[u8]) {
    data.split_first().map_or((0, data), |(first, rest)| (usize::from(*first), rest))
}

/// A message is for people: it says something, and it is no longer than they would read.
#[track_caller]
pub(crate) fn is_for_people(error: &impl Display) {
    let message = error.to_string();
    assert!(!message.trim().is_empty(), "a refusal without a word");
    let length = message.chars().count();
    assert!(length <= MESSAGE_CHARS_MAX, "a refusal of {length} characters: {}", head(&message));
}

/// The beginning of a message.
pub(crate) fn head(message: &str) -> String {
    message.chars().take(200).collect()
}

/// What was read as JSON is written as JSON that reads as the same.
#[track_caller]
pub(crate) fn stays_as_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let written = serde_json::to_string(value).expect("what was read can be written");
    let again: T =
        serde_json::from_str(&written).unwrap_or_else(|error| panic!("{error}: {}", head(&written)));
    assert_eq!(&again, value, "{}", head(&written));
}

/// What was read as text is written as text that reads as the same.
#[track_caller]
pub(crate) fn stays_as_text<T: Display + std::str::FromStr<Err: Display> + PartialEq + Debug>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => {
            let written = value.to_string();
            let again = written.parse::<T>();
            assert_eq!(again.ok().as_ref(), Some(&value), "{text:?} became {written:?}");
        }
        // A name that is none may be repeated once, with what cannot be seen written out.
        Err(error) => assert!(error.to_string().chars().count() <= MESSAGE_CHARS_MAX + 10 * text.len()),
    }
}
