//! A TOML file as a flat list of keys, values and lines.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::{ConfigError, Named, Value};

/// One line's setting, before it is known whether the key exists.
pub(super) struct Line {
    /// The key with its sections, such as `recall.limit`.
    pub(super) key: String,
    /// Its value, if it is one that any setting takes.
    pub(super) value: Option<Value>,
    /// Where it is, from 1.
    pub(super) line: usize,
}

/// The text of a configuration file. Only a file that nobody asked for may be missing.
pub(super) fn read(path: &Path, named: Named) -> Result<Option<String>, ConfigError> {
    let text = match named {
        Named::No => peri_private::read_text(path),
        _ => peri_private::open_named(path).and_then(std::io::read_to_string),
    };
    match text {
        Ok(text) => Ok(Some(text)),
        Err(error) if is_absent(error.kind()) && named == Named::No => Ok(None),
        Err(source) => Err(ConfigError::Unreadable { path: path.to_owned(), source }),
    }
}

/// A data folder that is no folder holds no configuration; whoever opens it tells what is wrong with it.
fn is_absent(kind: std::io::ErrorKind) -> bool {
    matches!(kind, std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

/// Every key of a TOML text, in the order of the text.
pub(super) fn parse(path: &Path, text: &str) -> Result<Vec<Line>, ConfigError> {
    let table = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
        path: path.to_owned(),
        line: error.span().map_or(1, |span| line_at(text, span.start)),
        message: error.message().to_owned(),
    })?;
    let mut found = Vec::new();
    flatten(table.get_ref(), "", &mut found);
    found.sort_by_key(|(offset, _, _)| *offset);
    // The text is gone through once: every command reads the defaults, and those are hundreds of lines.
    let (mut line, mut counted) = (1, 0);
    let lines = found.into_iter().map(|(offset, key, value)| {
        line += breaks(&text[counted..offset]);
        counted = offset;
        Line { key, value, line }
    });
    Ok(lines.collect())
}

/// Every key below a table, with where it begins.
fn flatten(table: &DeTable<'_>, prefix: &str, found: &mut Vec<(usize, String, Option<Value>)>) {
    for (name, value) in table {
        let key = format!("{prefix}{}", name.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) => flatten(inner, &format!("{key}."), found),
            value => found.push((name.span().start, key, simple(value))),
        }
    }
}

fn simple(value: &DeValue<'_>) -> Option<Value> {
    match value {
        DeValue::String(text) => Some(Value::Text(text.to_string())),
        DeValue::Boolean(flag) => Some(Value::Flag(*flag)),
        DeValue::Integer(count) => u64::from_str_radix(count.as_str(), count.radix()).ok().map(Value::Count),
        DeValue::Array(items) => {
            let names = items.iter().map(|item| item.get_ref().as_str().map(ToOwned::to_owned));
            names.collect::<Option<Vec<_>>>().map(Value::Names)
        }
        DeValue::Float(number) => number.as_str().parse().ok().map(Value::Number),
        DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}

fn line_at(text: &str, offset: usize) -> usize {
    1 + text.get(..offset).map_or(0, breaks)
}

fn breaks(text: &str) -> usize {
    text.matches('\n').count()
}
