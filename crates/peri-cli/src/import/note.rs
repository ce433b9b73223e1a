//! A note in Markdown as basic-memory writes it: what it states, and what it points to.

use peri_vault::front_matter;
use serde_json::{Map, Value};

/// A note that was read.
#[derive(Debug, Default)]
pub(super) struct Note {
    /// What it says about itself, numbers as they are written. What is empty is left out.
    pub(super) front: Map<String, Value>,
    /// What it states, in order.
    pub(super) statements: Vec<Statement>,
    /// What it points to, in order.
    pub(super) pointers: Vec<Pointer>,
}

/// Something worth a memory of its own.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    /// The line it begins at, from 1.
    pub(super) line: usize,
    /// The words.
    pub(super) text: String,
    /// What it was filed under; only observations have one, and not all of them.
    pub(super) category: Option<String>,
    /// The words with a hash sign.
    pub(super) tags: Vec<String>,
    /// What stands in brackets at the end of an observation.
    pub(super) context: Option<String>,
    /// The heading it stands under.
    pub(super) section: Option<String>,
    /// Whether it is an observation or a paragraph.
    pub(super) form: Form,
}

/// How something is stated.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// An item of a list that says one thing.
    Observation,
    /// Anything else between two blank lines.
    #[default]
    Prose,
}

/// A relation to another note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pointer {
    /// The line, from 1.
    pub(super) line: usize,
    /// How this note stands to the other.
    pub(super) relation: String,
    /// What the other is called here.
    pub(super) target: String,
}

/// The mark that some editors put before the first character.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// How a link stands that does not say so.
const LINKS_TO: &str = "links_to";

/// Reads a note.
pub(super) fn read(text: &str) -> Note {
    let front = front_matter::read_loosely(text);
    let (before, body) = text.split_at(front.body_at);
    let lines_before = before.lines().count() - usize::from(before == BYTE_ORDER_MARK);
    let mut reading = Reading::default();
    for (number, line) in body.lines().enumerate() {
        reading.line(lines_before + number + 1, line);
    }
    reading.end_paragraph();
    Note { front: about(front, text), statements: reading.statements, pointers: reading.pointers }
}

/// What a note says about itself. A number stays as it is written: a version 1.10 is not 1.1.
fn about(front: front_matter::FrontMatter, text: &str) -> Map<String, Value> {
    let as_written = |key: &str, value: Value| match front.written(text, key) {
        Some(written) if value.is_number() => Value::from(written),
        _ => value,
    };
    let fields = front.fields.iter().map(|(key, value)| (key.clone(), as_written(key, value.clone())));
    fields.filter(|(_, value)| !(value.is_null() || value.as_str() == Some(""))).collect()
}

#[derive(Default)]
struct Reading {
    statements: Vec<Statement>,
    pointers: Vec<Pointer>,
    section: Option<String>,
    paragraph: Vec<String>,
    paragraph_at: usize,
    /// The sign that will end the code that is being read.
    fence: Option<&'static str>,
    /// Whether the line before belongs to an observation, which may go on.
    goes_on: bool,
}

impl Reading {
    fn line(&mut self, number: usize, line: &str) {
        let trimmed = line.trim();
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| trimmed.starts_with(fence)) {
            match self.fence {
                Some(open) if open == fence => self.fence = None,
                Some(_) => {}
                None => self.fence = Some(fence),
            }
            return self.prose(number, line);
        }
        if self.fence.is_some() {
            return self.prose(number, line);
        }
        if trimmed.is_empty() || is_rule(trimmed) {
            return self.end_paragraph();
        }
        if let Some(heading) = heading(trimmed) {
            self.end_paragraph();
            self.section = Some(heading.to_owned()).filter(|heading| !heading.is_empty());
            return;
        }
        if let Some(item) = item(trimmed) {
            return self.item(number, line, item);
        }
        if self.goes_on && line.starts_with([' ', '\t']) {
            return self.continue_observation(trimmed);
        }
        self.links(number, trimmed);
        self.prose(number, line);
    }

    fn item(&mut self, number: usize, line: &str, item: &str) {
        if let Some(mut statement) = observation(item) {
            self.end_paragraph();
            self.links(number, item);
            statement.line = number;
            statement.section.clone_from(&self.section);
            self.statements.push(statement);
            self.goes_on = true;
        } else if let Some((relation, target)) = pointer(item) {
            self.end_paragraph();
            self.pointers.push(Pointer { line: number, relation, target });
        } else {
            self.links(number, item);
            self.prose(number, line);
        }
    }

    fn continue_observation(&mut self, more: &str) {
        if let Some(statement) = self.statements.last_mut() {
            statement.text.push(' ');
            statement.text.push_str(more);
            statement.tags.extend(hashtags(more));
        }
    }

    fn prose(&mut self, number: usize, line: &str) {
        self.goes_on = false;
        if self.paragraph.is_empty() {
            self.paragraph_at = number;
        }
        self.paragraph.push(line.trim_end().to_owned());
    }

    fn end_paragraph(&mut self) {
        self.goes_on = false;
        let text = std::mem::take(&mut self.paragraph).join("\n").trim().to_owned();
        // Remarks are for machines.
        let is_text = text.chars().any(char::is_alphanumeric);
        if is_text && !(text.starts_with("<!--") && text.ends_with("-->")) {
            let tags =
                if text.contains("```") || text.contains("~~~") { Vec::new() } else { hashtags(&text) };
            let section = self.section.clone();
            self.statements.push(Statement {
                line: self.paragraph_at,
                text,
                tags,
                section,
                ..Statement::default()
            });
        }
    }

    /// Notes every link within a text.
    fn links(&mut self, line: usize, text: &str) {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once("[[") {
            let Some((inner, later)) = after.split_once("]]") else { return };
            if let Some(target) = target(inner) {
                self.pointers.push(Pointer { line, relation: LINKS_TO.to_owned(), target });
            }
            rest = later;
        }
    }
}

/// Whether a line only draws one.
fn is_rule(line: &str) -> bool {
    ['-', '*', '_'].iter().any(|sign| line.len() > 2 && line.chars().all(|c| c == *sign || c == ' '))
}

fn heading(line: &str) -> Option<&str> {
    let words = line.trim_start_matches('#');
    let depth = line.len() - words.len();
    let is_heading = (1..=6).contains(&depth) && (words.is_empty() || words.starts_with([' ', '\t']));
    is_heading.then(|| words.trim().trim_end_matches('#').trim())
}

fn item(line: &str) -> Option<&str> {
    ["- ", "* ", "+ "].into_iter().find_map(|sign| line.strip_prefix(sign)).map(str::trim)
}

/// An item such as `[method] Pour slowly #brewing (personal experience)`. The category may be missing if there is a
/// tag.
fn observation(item: &str) -> Option<Statement> {
    let (category, words) = match category(item) {
        Some((category, words)) => (Some(category.to_owned()), words),
        None if item.starts_with('[') || item.contains("[[") => return None,
        None => (None, item),
    };
    let (head, context) = split_context(words);
    let tags = hashtags(head);
    if category.is_none() && tags.is_empty() {
        return None;
    }
    let text = without_last_tags(head);
    let text = if text.is_empty() { head } else { text };
    let text = match context {
        Some(context) => format!("{text} ({context})"),
        None => text.to_owned(),
    };
    let (form, context) = (Form::Observation, context.map(str::to_owned));
    Some(Statement { text, category, tags, context, form, ..Statement::default() })
}

/// The category in square brackets and what follows it. Boxes to tick and times of day are no categories.
fn category(item: &str) -> Option<(&str, &str)> {
    let (category, words) = item.strip_prefix('[')?.split_once(']')?;
    if !words.starts_with([' ', '\t']) || category.contains(['[', '(', ')']) {
        return None;
    }
    let (category, words) = (category.trim(), words.trim());
    let mut letters = category.chars();
    let is_box = match (letters.next(), letters.next()) {
        (None, _) => true,
        (Some(only), None) => matches!(only, 'x' | 'X') || !only.is_alphanumeric(),
        _ => false,
    };
    let is_time =
        category.contains(':') && category.chars().all(|c| c.is_ascii_digit() || " :.,-".contains(c));
    (!is_box && !is_time && !words.is_empty()).then_some((category, words))
}

/// What stands in brackets at the end.
fn split_context(words: &str) -> (&str, Option<&str>) {
    let Some(inner) = words.strip_suffix(')') else { return (words, None) };
    match inner.rfind('(') {
        Some(at) if !inner[at + 1..].trim().is_empty() && !inner[..at].trim().is_empty() => {
            (inner[..at].trim_end(), Some(inner[at + 1..].trim()))
        }
        _ => (words, None),
    }
}

/// The words with a hash sign, without it.
fn hashtags(text: &str) -> Vec<String> {
    let words = text.split_whitespace().filter(|word| word.starts_with('#'));
    let tags = words.flat_map(|word| word.split('#'));
    let tags = tags.map(|tag| tag.trim_end_matches([',', '.', ';', ':', '!', '?', ')', '。', '，']));
    tags.filter(|tag| tag.chars().any(char::is_alphanumeric)).map(str::to_owned).collect()
}

fn without_last_tags(text: &str) -> &str {
    let mut text = text.trim_end();
    loop {
        let at = text.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        // A space may be wider than a byte.
        let Some(word) = text.get(at..).or_else(|| text.split_whitespace().last()) else { return text };
        if !word.starts_with('#') || word.len() < 2 {
            return text;
        }
        text = text[..text.len() - word.len()].trim_end();
    }
}

/// An item such as `requires [[Grinding]] (always)`. Without a verb it must be nothing but the link.
fn pointer(item: &str) -> Option<(String, String)> {
    let (before, after) = item.split_once("[[")?;
    let (inner, after) = after.split_once("]]")?;
    let after = after.trim();
    let is_context = after.starts_with('(') && after.find(')') == Some(after.len() - 1);
    if !after.is_empty() && !is_context {
        return None;
    }
    let before = before.trim();
    let quoted = ['"', '\''].into_iter().find_map(|sign| before.strip_prefix(sign)?.strip_suffix(sign));
    let relation = match quoted.map(str::trim) {
        Some(words) if !words.is_empty() => words,
        _ if before.is_empty() => LINKS_TO,
        _ if before.contains(char::is_whitespace) => return None,
        _ => before,
    };
    Some((relation.to_owned(), target(inner)?))
}

/// What a link points to, without the heading and the words shown in its place.
fn target(inner: &str) -> Option<String> {
    let name = inner.split(['|', '#']).next().unwrap_or_default().trim();
    let name = name.strip_prefix("memory://").unwrap_or(name);
    let name = name.strip_suffix(".md").unwrap_or(name).trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = "---\ntitle: Coffee\n---\n# Coffee\n\nPour over is clearer,\nsee [[Tea Notes|tea]].\n\n## Observations\n- [method] Pour slowly #brewing #slow (own experience)\n  and evenly #even\n- [선호] 에티오피아 원두가 좋다\n- 205°F is best #热水\n- [ ] buy beans\n- [00:11] spoken\n- [link](http://x)\n\n## Relations\n- requires [[Grinding#how]] (always)\n- \"is part of\" [[memory://kitchen/all.md]]\n- [[Water]]\n- we talked of [[Milk]] and so on\n\n```\n- [method] not one [[Nope]]\n\n# no heading\n```\n\n---\n<!-- nothing -->\n";

    #[test]
    fn a_note_is_cut_into_observations_and_paragraphs() {
        let note = read(NOTE);
        let told = note.statements.iter().map(|one| {
            let category = one.category.as_deref().unwrap_or("-");
            format!("{} {:?} {category} {:?} {}", one.line, one.form, one.tags, one.text)
        });
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                "6 Prose - [] Pour over is clearer,\nsee [[Tea Notes|tea]].",
                "10 Observation method [\"brewing\", \"slow\", \"even\"] Pour slowly (own experience) and evenly #even",
                "12 Observation 선호 [] 에티오피아 원두가 좋다",
                "13 Observation - [\"热水\"] 205°F is best",
                "14 Prose - [] - [ ] buy beans\n- [00:11] spoken\n- [link](http://x)",
                "22 Prose - [] - we talked of [[Milk]] and so on",
                "24 Prose - [] ```\n- [method] not one [[Nope]]\n\n# no heading\n```",
            ]
        );
        assert_eq!(note.statements[1].context.as_deref(), Some("own experience"));
        assert_eq!(note.statements[1].section.as_deref(), Some("Observations"));
    }

    #[test]
    fn relations_and_links_are_told_apart() {
        let told = read(NOTE)
            .pointers
            .into_iter()
            .map(|one| format!("{} {} {}", one.line, one.relation, one.target));
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                "7 links_to Tea Notes",
                "19 requires Grinding",
                "20 is part of kitchen/all",
                "21 links_to Water",
                "22 links_to Milk",
            ]
        );
    }

    #[test]
    fn every_way_people_write_a_field_is_read() {
        let text = "---\ntitle: Coffee: how # a remark\ntype: note\ntags: [커피, \"a, b\", 'it''s']\naliases:\n  - 咖啡\n  - \"say \\\"hi\\\"\"\nnested:\n  key: value\nempty:\nnothing: null\nlist:\n- one\n# a remark\nabout: |\n  first\n  second\nlong: [a,\n  b\n]\nurl: http://x/y#z\nversion: 1.10\n날짜: 2024-01-05\n---\nbody\n";
        let note = read(text);
        let expected = serde_json::json!({
            "title": "Coffee: how",
            "type": "note",
            "tags": ["커피", "a, b", "it's"],
            "aliases": ["咖啡", "say \"hi\""],
            "nested": { "key": "value" },
            "list": ["one"],
            "about": "first\nsecond\n",
            "long": ["a", "b"],
            "url": "http://x/y#z",
            "version": "1.10",
            "날짜": "2024-01-05",
        });
        assert_eq!(Value::Object(note.front), expected);
        let [statement] = &note.statements[..] else { panic!("{:?}", note.statements) };
        assert_eq!((statement.text.as_str(), text.lines().nth(statement.line - 1)), ("body", Some("body")));
    }

    #[test]
    fn front_matter_without_an_end_is_text_and_no_line_is_miscounted() {
        for text in ["", "body", "---", "---\ntitle: x\n", "----\ntitle: x\n---\n"] {
            assert_eq!(read(text).front, Map::new(), "{text:?}");
        }
        for (text, title, line) in [
            ("\u{feff}---\r\n제목: x\r\ntitle: 커피\r\n---\r\nbody", Some("커피"), 5),
            ("\u{feff}body", None, 1),
            ("---\ntitle: 茶\n...\n\nbody", Some("茶"), 5),
        ] {
            let note = read(text);
            assert_eq!(note.front.get("title").and_then(Value::as_str), title, "{text:?}");
            assert_eq!(
                (note.statements[0].line, note.statements[0].text.as_str()),
                (line, "body"),
                "{text:?}"
            );
        }
    }

    #[test]
    fn odd_notes_break_nothing() {
        for text in [
            "",
            "\u{feff}",
            "- [",
            "- [a] ",
            "- [[",
            "- x [[]]",
            "#",
            "```",
            "- #",
            "- [a] #b",
            "- [a] #b\u{3000}#c",
            "- [a] )(",
        ] {
            let note = read(text);
            assert!(note.statements.iter().all(|one| !one.text.trim().is_empty()), "{text:?}: {note:?}");
        }
    }
}
