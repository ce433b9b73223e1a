//! A source in pieces, one record each, of which one at a time is in memory.

use std::io::{self, BufRead, Cursor, Read};

use serde_json::{Map, Value};

use super::elements::Elements;
use super::fields::Fields;

/// So much of the beginning is looked at to find out what it is.
const BEGINNING_BYTES: u64 = 64 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What came of reading a piece.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// It was read.
    Whole,
    /// It cannot be taken, for this reason.
    Refused(String),
}

/// Pieces, one after the other.
pub(super) trait Pieces {
    /// Reads the next piece of at most so many bytes, and how many bytes were read for it. None: there is none.
    fn next(&mut self, into: &mut Vec<u8>, max: usize) -> io::Result<Option<(Piece, u64)>>;

    /// What a person calls the piece of this number.
    fn name(&self, number: u64) -> String;

    /// What the pieces are kept under, if that says what they are.
    fn category(&self) -> Option<&str> {
        None
    }

    /// Whether the source breaks off in the middle of something.
    fn is_cut(&self) -> bool {
        false
    }

    /// Files that hold no memory.
    fn passed_over(&self) -> u64 {
        0
    }
}

/// The pieces of a stream: of a JSON document with a list, or one a line.
pub(super) fn of_stream<'a>(mut stream: &'a mut dyn BufRead) -> io::Result<Box<dyn Pieces + 'a>> {
    let mut beginning = Vec::new();
    while beginning.trim_ascii().is_empty() {
        let left = BEGINNING_BYTES.saturating_sub(beginning.len() as u64);
        match Read::take(&mut stream, left).read_until(b'\n', &mut beginning) {
            Ok(0) => break,
            Ok(_) => {}
            // What was compressed and cut ends in the middle of something, which is found again when it is read.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error),
        }
        if beginning.starts_with(BYTE_ORDER_MARK) {
            beginning.drain(..BYTE_ORDER_MARK.len());
        }
    }
    let is_document = is_document(&beginning);
    let whole = Cursor::new(beginning).chain(stream);
    Ok(if is_document { Box::new(Elements::new(whole)) } else { Box::new(Separate(whole)) })
}

/// Whether what begins like this is one JSON document, rather than one a line.
fn is_document(beginning: &[u8]) -> bool {
    let text = beginning.trim_ascii();
    if text.first() != Some(&b'{') {
        return text.first() == Some(&b'[');
    }
    match serde_json::from_slice::<Map<String, Value>>(text) {
        Ok(record) => {
            let mut fields = Fields::of(record);
            fields.take_text().is_none() && fields.0.values().any(is_list)
        }
        // A line that was cut seldom ends like one of a document that is spread over lines.
        Err(_) if beginning.ends_with(b"\n") => matches!(text.last(), Some(b'{' | b'[' | b',')),
        Err(_) => Elements::new(Cursor::new(text)).begins_with_a_list(),
    }
}

fn is_list(value: &Value) -> bool {
    value.as_array().and_then(|items| items.first()).is_some_and(Value::is_object)
}

/// One piece a line.
struct Separate<R>(R);

impl<R: BufRead> Pieces for Separate<R> {
    fn next(&mut self, into: &mut Vec<u8>, max: usize) -> io::Result<Option<(Piece, u64)>> {
        into.clear();
        // One byte more than is allowed tells that there are too many.
        let most = (max as u64).saturating_add(1);
        let read = Read::take(&mut self.0, most).read_until(b'\n', into)? as u64;
        if read == 0 {
            return Ok(None);
        }
        if into.len() <= max || into.ends_with(b"\n") {
            return Ok(Some((Piece::Whole, read)));
        }
        into.clear();
        let rest = skip_line(&mut self.0)?;
        Ok(Some((Piece::Refused(too_long(max)), read + rest)))
    }

    fn name(&self, number: u64) -> String {
        format!("line {number}")
    }
}

/// Reads past the end of a line without keeping it.
fn skip_line(from: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let here = from.fill_buf()?;
        let end = here.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(here.len(), |end| end + 1);
        from.consume(length);
        skipped += length as u64;
        if end.is_some() || length == 0 {
            return Ok(skipped);
        }
    }
}

pub(super) fn too_long(max: usize) -> String {
    format!("it has more than the {max} bytes allowed")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(super) mod tests {
    use super::*;

    /// The pieces of a text, those that are refused by why.
    pub fn pieces(text: &str, max: usize) -> Vec<Result<String, String>> {
        let mut bytes = text.as_bytes();
        let mut pieces = of_stream(&mut bytes).unwrap();
        let (mut into, mut all, mut total) = (Vec::new(), Vec::new(), 0);
        while let Some((piece, read)) = pieces.next(&mut into, max).unwrap() {
            total += read;
            all.push(match piece {
                Piece::Whole => Ok(String::from_utf8(into.clone()).unwrap().trim().to_owned()),
                Piece::Refused(why) => Err(why),
            });
        }
        assert!(total <= text.len() as u64, "{total}");
        all
    }

    fn whole(expected: &[&str]) -> Vec<Result<String, String>> {
        expected.iter().map(|piece| Ok((*piece).to_owned())).collect()
    }

    #[test]
    fn what_is_one_document_and_what_is_one_a_line_is_told_apart() {
        let (a, b) = (r#"{"text":"차"}"#, r#"{"text":"b"}"#);
        for text in [
            format!("{a}\n{b}\n"),
            format!("\u{feff}{a}\r\n{b}"),
            format!("[{a},{b}]"),
            format!("\n\n  [ {a} ,\n {b} ]\n"),
            format!("{{\"version\":1,\"entries\":[{a},{b}],\"count\":2}}"),
            format!("{{\n \"note\": \"[{{\",\n \"entries\": [\n{a},\n{b}\n ]\n}}\n"),
        ] {
            let mut found = pieces(&text, 1000);
            found.retain(|piece| piece != &Ok(String::new()));
            assert_eq!(found, whole(&[a, b]), "{text}");
        }
        assert_eq!(pieces("", 1000), []);
    }

    #[test]
    fn a_record_that_holds_a_list_is_still_a_record() {
        let record = r#"{"text":"차","turns":[{"a":1}]}"#;
        assert_eq!(pieces(&format!("{record}\n{record}"), 1000), whole(&[record, record]));
        let long = format!("{{\"text\":\"{}\",\"turns\":[{{\"a\":1}}]}}", "x".repeat(100_000));
        assert_eq!(pieces(&long, 1 << 20).len(), 1);
        let cut = r#"{"text":"half of"#;
        assert_eq!(pieces(&format!("{cut}\n{record}"), 1000), whole(&[cut, record]));
    }

    #[test]
    fn what_is_too_long_is_refused_alone() {
        let long = format!("{{\"text\":\"{}\"}}", "x".repeat(300_000));
        let why = || Err(too_long(50));
        for text in [format!("{{}}\n{long}\n{{}}"), format!("[{{}},{long},{{}}]")] {
            assert_eq!(pieces(&text, 50), [Ok("{}".to_owned()), why(), Ok("{}".to_owned())]);
        }
        let compact = format!("{{\"version\":2,\"entries\":[{long},{{\"a\":1}}]}}");
        assert_eq!(pieces(&compact, 50), [why(), Ok("{\"a\":1}".to_owned())]);
    }
}
