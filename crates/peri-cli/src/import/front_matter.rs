//! What a note says about itself between two lines of dashes: the part of YAML that people write there.

/// What stands under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Field {
    /// One value.
    Text(String),
    /// Several.
    List(Vec<String>),
}

impl Field {
    /// The value, if it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// The values; one text may hold several, with commas between them.
    pub(super) fn list(&self) -> Vec<String> {
        let parts: Vec<&str> = match self {
            Self::Text(text) => text.split(',').collect(),
            Self::List(list) => list.iter().map(String::as_str).collect(),
        };
        let parts = parts.into_iter().map(|part| part.trim().trim_start_matches('#').to_owned());
        parts.filter(|part| !part.is_empty()).collect()
    }
}

/// The keys with their values, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FrontMatter {
    /// The fields.
    pub(super) fields: Vec<(String, Field)>,
    /// How many lines of the file it takes.
    pub(super) lines: usize,
}

impl FrontMatter {
    /// Reads it off the beginning of a note. A note that does not begin with it, or never ends it, has none.
    pub(super) fn of(text: &str) -> Self {
        let mut lines = text.lines();
        if lines.next().map(str::trim_end) != Some("---") {
            return Self::default();
        }
        let inner: Vec<&str> =
            lines.clone().take_while(|line| !matches!(line.trim_end(), "---" | "...")).collect();
        if lines.count() == inner.len() {
            return Self::default();
        }
        Self { lines: inner.len() + 2, fields: fields(&inner) }
    }

    /// What stands under a key.
    pub(super) fn get(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|(own, _)| own == key).map(|(_, field)| field)
    }
}

fn fields(lines: &[&str]) -> Vec<(String, Field)> {
    let (mut fields, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        // What is indented belongs to a key that holds more than a value or a list, which nobody needs here.
        let Some((key, value)) = key_of(line) else { continue };
        let more = lines[at..].iter().take_while(|line| belongs(line)).count();
        let (below, value) = (&lines[at..at + more], value.trim());
        at += more;
        if let Some(field) = field(value, below) {
            fields.push((key, field));
        }
    }
    fields
}

/// Whether a line goes on with what the key above it began.
fn belongs(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with([' ', '\t']) || line.starts_with("- ") || line.starts_with(']')
}

fn key_of(line: &str) -> Option<(String, &str)> {
    let (key, value) = line.split_once(':')?;
    let begins =
        !key.starts_with([' ', '\t', '#', '-']) && (value.is_empty() || value.starts_with([' ', '\t']));
    let key = key.trim().trim_matches(['"', '\'']);
    (begins && !key.is_empty()).then(|| (key.to_owned(), value))
}

fn field(value: &str, below: &[&str]) -> Option<Field> {
    if value.starts_with('[') {
        let whole = [&[value], below].concat().join(" ");
        let inner = whole.trim().trim_start_matches('[');
        let inner = inner.rfind(']').map_or(inner, |end| &inner[..end]);
        return Some(Field::List(split_flow(inner).iter().map(|item| scalar(item)).collect()));
    }
    if value.starts_with(['|', '>']) {
        let between = if value.starts_with('|') { "\n" } else { " " };
        let lines: Vec<&str> = below.iter().map(|line| line.trim()).collect();
        return Some(Field::Text(lines.join(between).trim().to_owned()));
    }
    let plain = scalar(value);
    if !plain.is_empty() {
        return Some(Field::Text(plain));
    }
    let items = below.iter().filter_map(|line| line.trim_start().strip_prefix("- "));
    let items: Vec<String> = items.map(scalar).filter(|item| !item.is_empty()).collect();
    (!items.is_empty()).then_some(Field::List(items))
}

/// Cuts a list at its commas, but not within quotes.
fn split_flow(text: &str) -> Vec<String> {
    let (mut items, mut item, mut quote) = (Vec::new(), String::new(), None);
    for c in text.chars() {
        match (quote, c) {
            (None, ',') => items.push(std::mem::take(&mut item)),
            (None, '"' | '\'') if item.trim().is_empty() => {
                quote = Some(c);
                item.push(c);
            }
            (Some(open), _) if open == c => {
                quote = None;
                item.push(c);
            }
            _ => item.push(c),
        }
    }
    items.push(item);
    items.retain(|item| !item.trim().is_empty());
    items
}

/// A value without its quotes, or without the remark that follows it.
fn scalar(text: &str) -> String {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('"') {
        let (mut value, mut escaped) = (String::new(), false);
        for c in inner.chars() {
            match (escaped, c) {
                (true, 'n') => value.push('\n'),
                (true, 't') => value.push('\t'),
                (true, _) => value.push(c),
                (false, '"') => break,
                (false, '\\') => {}
                (false, _) => value.push(c),
            }
            escaped = !escaped && c == '\\';
        }
        return value;
    }
    if let Some(inner) = text.strip_prefix('\'') {
        let inner = inner.rfind('\'').map_or(inner, |end| &inner[..end]);
        return inner.replace("''", "'");
    }
    let value = text.find(" #").map_or(text, |remark| &text[..remark]).trim();
    if matches!(value, "null" | "~") || value.starts_with('#') { String::new() } else { value.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_people_write_a_field_is_read() {
        let text = "---\ntitle: Coffee: how # a remark\ntype: note\ntags: [커피, \"a, b\", 'it''s']\naliases:\n  - 咖啡\n  - \"say \\\"hi\\\"\"\nnested:\n  key: value\nempty:\nnothing: null\nlist:\n- one\n# a remark\nabout: |\n  first\n  second\nlong: [a,\n  b\n]\nurl: http://x/y#z\n---\nbody\n";
        let read = FrontMatter::of(text);
        let list = |items: &[&str]| Field::List(items.iter().map(|item| (*item).to_owned()).collect());
        let one = |text: &str| Field::Text(text.to_owned());
        let expected = [
            ("title", one("Coffee: how")),
            ("type", one("note")),
            ("tags", list(&["커피", "a, b", "it's"])),
            ("aliases", list(&["咖啡", "say \"hi\""])),
            ("list", list(&["one"])),
            ("about", one("first\nsecond")),
            ("long", list(&["a", "b"])),
            ("url", one("http://x/y#z")),
        ];
        let expected: Vec<_> = expected.into_iter().map(|(key, field)| (key.to_owned(), field)).collect();
        assert_eq!(read.fields, expected);
        assert_eq!(text.lines().nth(read.lines), Some("body"));
    }

    #[test]
    fn a_note_without_an_end_of_it_has_none() {
        for text in ["", "body", "---", "---\ntitle: x\n", "----\ntitle: x\n---\n"] {
            assert_eq!(FrontMatter::of(text), FrontMatter::default(), "{text:?}");
        }
        assert_eq!(FrontMatter::of("---\r\ntitle: x\r\n---\r\n").get("title").unwrap().text(), Some("x"));
        assert_eq!(Field::Text("a, #b,".to_owned()).list(), ["a", "b"]);
    }
}
