//! The server of tools in the `config.toml` of Codex.

use serde_json::Value as Json;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::SERVER;
use super::error::EditError;
use super::handler::is_our_server;
use super::request::Request;

const SERVERS: &str = "mcp_servers";

fn parse(text: &str) -> Result<DocumentMut, EditError> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let start = error.span().map_or(0, |span| span.start).min(text.len());
        let line = text.as_bytes()[..start].iter().filter(|byte| **byte == b'\n').count() + 1;
        EditError::Damaged { line, what: error.message().trim().replace('\n', "; ") }
    })
}

/// The text with our server in it, as it should be by now.
pub(super) fn install(text: &str, request: &Request) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let servers = document.entry(SERVERS).or_insert_with(|| {
        let mut servers = Table::new();
        servers.set_implicit(true);
        Item::Table(servers)
    });
    let is_dotted = servers.as_table().is_some_and(Table::is_dotted);
    let is_inline = servers.is_inline_table();
    let servers =
        servers.as_table_like_mut().ok_or(EditError::Form { key: SERVERS.to_owned(), wanted: "a table" })?;
    match servers.get_mut(SERVER) {
        Some(present) => bring_up_to_date(present, request)?,
        None if is_inline => {
            let mut server = InlineTable::new();
            fill(&mut server, request);
            servers.insert(SERVER, Item::Value(Value::InlineTable(server)));
        }
        None => {
            let mut server = Table::new();
            server.set_dotted(is_dotted);
            fill(&mut server, request);
            servers.insert(SERVER, Item::Table(server));
        }
    }
    Ok(document.to_string())
}

fn fill(server: &mut dyn TableLike, request: &Request) {
    server.insert("command", toml_edit::value(request.command.as_str()));
    server.insert("args", toml_edit::value(Array::from_iter(["mcp"])));
    if !request.environment.is_empty() {
        let variables: InlineTable =
            request.environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        server.insert("env", toml_edit::value(variables));
    }
}

/// The command and our variables are set; what somebody added stays.
fn bring_up_to_date(present: &mut Item, request: &Request) -> Result<(), EditError> {
    if !is_our_server(&json(present)) {
        return Err(EditError::Foreign);
    }
    let server = present.as_table_like_mut().ok_or(EditError::Foreign)?;
    set(server, "command", &request.command);
    if request.environment.is_empty() {
        return Ok(());
    }
    let variables = server.entry("env").or_insert_with(|| toml_edit::value(InlineTable::new()));
    let key = format!("{SERVERS}.{SERVER}.env");
    let variables = variables.as_table_like_mut().ok_or(EditError::Form { key, wanted: "a table" })?;
    request.environment.iter().for_each(|(name, value)| set(variables, name, value));
    Ok(())
}

/// Sets one key and keeps what stands around its value.
fn set(table: &mut dyn TableLike, key: &str, wanted: &str) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(present) if present.as_str() == Some(wanted) => {}
        Some(present) => {
            let around = present.decor().clone();
            *present = Value::from(wanted);
            *present.decor_mut() = around;
        }
        None => {
            table.insert(key, toml_edit::value(wanted));
        }
    }
}

/// The text without our server; comments above it stay, at the end.
pub(super) fn remove(text: &str) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let Some(servers) = document.get_mut(SERVERS) else { return Ok(text.to_owned()) };
    let is_implicit = servers.as_table().is_some_and(|table| table.is_implicit() || table.is_dotted());
    let Some(servers) = servers.as_table_like_mut() else { return Ok(text.to_owned()) };
    if !servers.get(SERVER).is_some_and(|server| is_our_server(&json(server))) {
        return Ok(text.to_owned());
    }
    let removed = servers.remove(SERVER);
    if servers.is_empty() && is_implicit {
        document.remove(SERVERS);
    }
    let above = removed.as_ref().and_then(Item::as_table).and_then(|table| table.decor().prefix()?.as_str());
    if let Some(above) = above.filter(|above| above.contains('#')) {
        let trailing = document.trailing().as_str().unwrap_or_default().to_owned();
        document.set_trailing(format!("{above}{trailing}"));
    }
    Ok(document.to_string())
}

/// Everything but our server, as JSON.
pub(super) fn others(text: &str) -> Result<Json, EditError> {
    let mut value = json(parse(text)?.as_item());
    if let Some(servers) = value.get_mut(SERVERS).and_then(Json::as_object_mut) {
        if servers.get(SERVER).is_some_and(is_our_server) {
            servers.remove(SERVER);
        }
        if servers.is_empty()
            && let Some(root) = value.as_object_mut()
        {
            root.remove(SERVERS);
        }
    }
    Ok(value)
}

/// The variables that our server has and that were not asked for.
pub(super) fn kept_variables(text: &str, request: &Request) -> Vec<String> {
    let Ok(document) = parse(text) else { return Vec::new() };
    let value = json(document.as_item());
    let variables = value.pointer(&format!("/{SERVERS}/{SERVER}/env")).and_then(Json::as_object);
    let names = variables.into_iter().flat_map(|variables| variables.keys());
    names.filter(|name| !request.environment.contains_key(*name)).cloned().collect()
}

/// What an item says, without how it is written. Times are their text.
fn json(item: &Item) -> Json {
    if let Some(table) = item.as_table_like() {
        let fields = table.iter().map(|(key, item)| (key.to_owned(), json(item)));
        return Json::Object(fields.collect());
    }
    match item {
        Item::Value(value) => json_of_value(value),
        Item::ArrayOfTables(tables) => {
            Json::Array(tables.iter().map(|table| json(&Item::Table(table.clone()))).collect())
        }
        Item::None | Item::Table(_) => Json::Null,
    }
}

fn json_of_value(value: &Value) -> Json {
    match value {
        Value::String(text) => Json::from(text.value().as_str()),
        Value::Integer(number) => Json::from(*number.value()),
        Value::Float(number) => Json::from(number.value().to_string()),
        Value::Boolean(truth) => Json::from(*truth.value()),
        Value::Datetime(time) => Json::from(time.value().to_string()),
        Value::Array(values) => Json::Array(values.iter().map(json_of_value).collect()),
        Value::InlineTable(table) => {
            Json::Object(table.iter().map(|(key, value)| (key.to_owned(), json_of_value(value))).collect())
        }
    }
}
