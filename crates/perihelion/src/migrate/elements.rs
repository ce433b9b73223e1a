//! The elements of a JSON document that is a list, or an object that holds lists, without reading it whole.

use std::io::{self, BufRead};

use super::fields::TEXT;
use super::pieces::{Piece, Pieces, too_long};

/// The elements of a document, or of several one after the other. What they are is for others to read; here only
/// brackets and quotes count.
pub(super) struct Elements<R> {
    from: R,
    place: Place,
    read: u64,
    /// Whether the outermost object has a text of its own, as a record does.
    beside_text: bool,
    /// Whether it holds a list.
    holds_list: bool,
}

/// Where in a document reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before or after one.
    Outside,
    /// In the outermost object, which holds lists.
    Object,
    /// In a list, alone or in an object.
    List { inside: bool },
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Element,
    /// An object without a list has ended.
    Lone,
    Nothing,
}

impl<R: BufRead> Elements<R> {
    pub(super) fn new(from: R) -> Self {
        Self { from, place: Place::Outside, read: 0, beside_text: false, holds_list: false }
    }

    /// Whether what is here comes to a list of objects, and to no text before it.
    pub(super) fn begins_with_a_list(mut self) -> bool {
        matches!(self.advance(), Ok(Next::Element)) && !self.beside_text
    }

    /// Goes to the next element.
    fn advance(&mut self) -> io::Result<Next> {
        loop {
            let Some(byte) = self.peek()? else { return Ok(Next::Nothing) };
            match (self.place, byte) {
                (_, b' ' | b'\t' | b'\r' | b'\n' | b',') => self.bump(),
                (Place::Outside, b'[') => self.enter(Place::List { inside: false }),
                (Place::Outside, b'{') => {
                    (self.beside_text, self.holds_list) = (false, false);
                    self.enter(Place::Object);
                }
                (Place::Object, b'"') => self.field()?,
                (Place::Object, b'}') => {
                    self.enter(Place::Outside);
                    if !self.holds_list {
                        return Ok(Next::Lone);
                    }
                }
                (Place::List { inside: true }, b']') => self.enter(Place::Object),
                (Place::List { inside: false }, b']') => self.enter(Place::Outside),
                _ => return Ok(Next::Element),
            }
        }
    }

    fn enter(&mut self, place: Place) {
        self.bump();
        self.place = place;
    }

    /// Reads past a field of the outermost object, or into it if it is a list of objects.
    fn field(&mut self) -> io::Result<()> {
        let mut name = Vec::new();
        self.value(&mut name, NAME_BYTES_MAX)?;
        let name = str::from_utf8(&name).unwrap_or_default().trim_matches('"');
        self.skip_spaces(b":")?;
        match self.peek()? {
            Some(b'[') => {
                self.bump();
                self.skip_spaces(b"")?;
                self.holds_list |= matches!(self.peek()?, Some(b'{' | b']'));
                if self.peek()? == Some(b'{') {
                    self.place = Place::List { inside: true };
                    return Ok(());
                }
                self.rest_of_value(1, &mut Vec::new(), 0).map(drop)
            }
            Some(first) => {
                self.beside_text |= first == b'"' && TEXT.contains(&name);
                self.value(&mut Vec::new(), 0).map(drop)
            }
            None => Ok(()),
        }
    }

    fn skip_spaces(&mut self, also: &[u8]) -> io::Result<()> {
        while self.peek()?.is_some_and(|byte| byte.is_ascii_whitespace() || also.contains(&byte)) {
            self.bump();
        }
        Ok(())
    }

    /// Reads a value, of which so many bytes are kept. Whether it was complete is the answer.
    fn value(&mut self, into: &mut Vec<u8>, max: usize) -> io::Result<bool> {
        self.rest_of_value(0, into, max)
    }

    /// Reads on to the end of a value in which so many brackets are open.
    fn rest_of_value(&mut self, mut open: usize, into: &mut Vec<u8>, max: usize) -> io::Result<bool> {
        let (mut quoted, mut escaped, mut begun) = (false, false, open > 0);
        while let Some(byte) = self.peek()? {
            let ends_scalar = matches!(byte, b',' | b']' | b'}') || byte.is_ascii_whitespace();
            if open == 0 && begun && !quoted && ends_scalar {
                return Ok(true);
            }
            self.bump();
            // One byte more than is allowed tells that there are too many.
            if into.len() <= max {
                into.push(byte);
            }
            begun = true;
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                b'{' | b'[' if !quoted => open += 1,
                b'}' | b']' if !quoted => open = open.saturating_sub(1),
                _ => {}
            }
            if open == 0 && !quoted && matches!(byte, b'}' | b']' | b'"') {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.from.fill_buf()?.first().copied())
    }

    fn bump(&mut self) {
        self.from.consume(1);
        self.read += 1;
    }
}

/// A field's name is looked at as far as this.
const NAME_BYTES_MAX: usize = 64;

impl<R: BufRead> Pieces for Elements<R> {
    fn next(&mut self, into: &mut Vec<u8>, max: usize) -> io::Result<Option<(Piece, u64)>> {
        into.clear();
        let before = self.read;
        match self.advance()? {
            Next::Nothing => return Ok(None),
            Next::Lone => return Ok(Some((Piece::Refused(ONE_RECORD.to_owned()), self.read - before))),
            Next::Element => {}
        }
        self.value(into, max)?;
        let piece = if into.len() > max {
            into.clear();
            Piece::Refused(too_long(max))
        } else {
            Piece::Whole
        };
        Ok(Some((piece, self.read - before)))
    }

    fn name(&self, number: u64) -> String {
        format!("record {number}")
    }

    fn is_cut(&self) -> bool {
        self.place != Place::Outside
    }
}

/// Why a document is refused that holds a record instead of a list of them.
const ONE_RECORD: &str = "it is one object without a list of records; write each record on a line of its own";

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::pieces::tests::pieces;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-z\"\\\\{}\\[\\],:가-힣中文\n ]{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec(("[a-z\"}\\]가]{1,6}", inner), 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_elements_of_a_list_come_out_as_they_went_in(list in prop::collection::vec(values(), 1..6), pretty: bool) {
            let document = Value::from(list.clone());
            let text = if pretty { serde_json::to_string_pretty(&document) } else { serde_json::to_string(&document) };
            let found: Vec<Value> = pieces(&text.unwrap(), 1 << 20)
                .into_iter().map(|piece| serde_json::from_str(&piece.unwrap()).unwrap()).collect();
            prop_assert_eq!(found, list);
        }

        #[test]
        fn the_lists_of_objects_in_an_object_are_found_whatever_lies_beside_them(
            beside in values(), list in prop::collection::vec(values(), 1..4), pretty: bool,
        ) {
            let list: Vec<Value> = list.into_iter().map(|value| json!({"id": 1, "of": value})).collect();
            let beside = json!([beside]);
            let beside = if beside[0].is_object() { json!(0) } else { beside };
            let document = json!({"a": beside, "entries": list, "z": "end"});
            let text = if pretty { serde_json::to_string_pretty(&document) } else { serde_json::to_string(&document) };
            let found: Vec<Value> = pieces(&text.unwrap(), 1 << 20)
                .into_iter().map(|piece| serde_json::from_str(&piece.unwrap()).unwrap()).collect();
            prop_assert_eq!(found, list);
        }

        #[test]
        fn bytes_of_any_kind_come_to_an_end(text in "[\\[\\]{}\",:\\\\a가\n ]{0,200}", max in 0_usize..50) {
            pieces(&text, max);
        }
    }
}
