//! The server of tools in an object of servers.

use jsonc_parser::cst::{CstInputValue, CstObject};
use serde_json::Value;

use crate::install::SERVER;
use crate::install::error::EditError;
use crate::install::handler::{ServerKind, is_our_server, server};
use crate::install::request::Request;

use super::{form, is_empty_object, object_in, object_of, parse, property, root_object, said, set, value_of};

/// The text with our server in it, as it should be by now.
pub(in crate::install) fn install(
    text: &str,
    key: &str,
    kind: ServerKind,
    request: &Request,
) -> Result<String, EditError> {
    let document = parse(text)?;
    let root = match root_object(&document)? {
        Some(root) => root,
        None => document.object_value_or_set(),
    };
    let wanted = server(request, kind);
    match object_in(&root, key)? {
        None => {
            root.append(key, CstInputValue::Object(vec![(SERVER.to_owned(), object_of(&wanted))]));
        }
        Some(servers) => match property(&servers, SERVER)? {
            None => {
                servers.append(SERVER, object_of(&wanted));
            }
            Some(present) => bring_up_to_date(present.object_value().ok_or(EditError::Foreign)?, request)?,
        },
    }
    Ok(document.to_string())
}

/// The command and our variables are set; what somebody added stays.
fn bring_up_to_date(present: CstObject, request: &Request) -> Result<(), EditError> {
    if !said(&present).is_some_and(|value| is_our_server(&value)) {
        return Err(EditError::Foreign);
    }
    set(&present, "command", &Value::from(request.command.as_str()))?;
    if request.environment.is_empty() {
        return Ok(());
    }
    match property(&present, "env")? {
        None => set(&present, "env", &serde_json::json!(request.environment)),
        Some(variables) => {
            let variables = variables.object_value().ok_or_else(|| form("env", "an object"))?;
            request
                .environment
                .iter()
                .try_for_each(|(name, value)| set(&variables, name, &Value::from(value.as_str())))
        }
    }
}

/// The text without our server, and without the object of servers if nothing else was in it.
pub(in crate::install) fn remove(text: &str, key: &str) -> Result<String, EditError> {
    let document = parse(text)?;
    let Some(root) = root_object(&document)? else { return Ok(text.to_owned()) };
    let Some(servers) = object_in(&root, key)? else { return Ok(text.to_owned()) };
    let Some(present) = property(&servers, SERVER)? else { return Ok(text.to_owned()) };
    let value = present.value().and_then(|value| said(&value));
    if !value.is_some_and(|value| is_our_server(&value)) {
        return Ok(text.to_owned());
    }
    present.remove();
    if is_empty_object(&servers)
        && let Some(property) = property(&root, key)?
    {
        property.remove();
    }
    Ok(document.to_string())
}

/// Everything but our server.
pub(in crate::install) fn others(text: &str, key: &str) -> Result<Value, EditError> {
    let mut value = value_of(text)?;
    if let Some(servers) = value.get_mut(key).and_then(Value::as_object_mut) {
        if servers.get(SERVER).is_some_and(is_our_server) {
            servers.remove(SERVER);
        }
        if servers.is_empty()
            && let Some(root) = value.as_object_mut()
        {
            root.remove(key);
        }
    }
    Ok(value)
}

/// The variables that our server has and that were not asked for.
pub(in crate::install) fn kept_variables(text: &str, key: &str, request: &Request) -> Vec<String> {
    let Ok(value) = value_of(text) else { return Vec::new() };
    let present = value.get(key).and_then(|servers| servers.get(SERVER));
    let variables = present.and_then(|server| server.get("env")).and_then(Value::as_object);
    let names = variables.into_iter().flat_map(|variables| variables.keys());
    names.filter(|name| !request.environment.contains_key(*name)).cloned().collect()
}
