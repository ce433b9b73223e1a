//! Edits of JSON settings that leave comments, order, indentation and commas as they are.

pub(super) mod halves;
pub(super) mod hooks;
pub(super) mod server;

use jsonc_parser::cst::{
    CstArray, CstContainerNode, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode,
};
use jsonc_parser::errors::ParseError;
use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::Value;

use super::error::EditError;
use super::handler::Fields;

/// What agents read: JSON, with comments and trailing commas at most.
const READ: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

fn parse(text: &str) -> Result<CstRootNode, EditError> {
    CstRootNode::parse(text, &READ).map_err(damaged)
}

fn damaged(error: ParseError) -> EditError {
    EditError::Damaged { line: error.line_display(), what: error.kind().to_string() }
}

/// The object that the text is; none if there is nothing in it.
fn root_object(root: &CstRootNode) -> Result<Option<CstObject>, EditError> {
    match root.value() {
        None => Ok(None),
        Some(value) => value.as_object().map(Some).ok_or_else(|| form("the whole file", "an object")),
    }
}

/// The text as a value; an object without keys if there is nothing in it.
fn value_of(text: &str) -> Result<Value, EditError> {
    let value: Option<Value> = parse_to_serde_value(&halves::Whole::of(text).text, &READ).map_err(damaged)?;
    Ok(value.unwrap_or_else(|| Value::Object(serde_json::Map::new())))
}

/// What a part of the text says; none if there is no telling.
fn said(part: &impl std::fmt::Display) -> Option<Value> {
    parse_to_serde_value(&part.to_string(), &READ).ok()
}

/// Whether there is nothing in the text but an object that says nothing.
pub(super) fn is_blank(text: &str) -> bool {
    let Ok(root) = parse(text) else { return false };
    let Ok(object) = root_object(&root) else { return false };
    if root.children().iter().any(CstNode::is_comment) {
        return false;
    }
    let says_nothing = |object: CstObject| {
        let names = object.properties();
        let only_version = names.iter().all(|name| name.decoded_name().as_deref() == Some("version"));
        only_version && !has_comments(&object.into())
    };
    object.is_none_or(says_nothing)
}

/// The name of a plugin of Claude Code that begins so and is enabled.
pub(super) fn enabled_plugin(text: &str, prefix: &str) -> Option<String> {
    let value = value_of(text).ok()?;
    let plugins = value.get("enabledPlugins")?.as_object()?;
    let is_it =
        |(name, enabled): &(&String, &Value)| name.starts_with(prefix) && **enabled == Value::Bool(true);
    plugins.iter().find(is_it).map(|(name, _)| name.clone())
}

fn property(object: &CstObject, key: &str) -> Result<Option<CstObjectProp>, EditError> {
    let is_it = |property: &CstObjectProp| property.decoded_name().as_deref() == Some(key);
    let mut found = object.properties().into_iter().filter(is_it);
    let first = found.next();
    if found.next().is_some() {
        return Err(EditError::Twice { key: key.to_owned() });
    }
    Ok(first)
}

fn object_in(object: &CstObject, key: &str) -> Result<Option<CstObject>, EditError> {
    let Some(property) = property(object, key)? else { return Ok(None) };
    property.object_value().map(Some).ok_or_else(|| form(key, "an object"))
}

fn form(key: &str, wanted: &'static str) -> EditError {
    EditError::Form { key: key.to_owned(), wanted }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

fn object_of(fields: &Fields) -> CstInputValue {
    CstInputValue::Object(fields.iter().map(|(key, value)| ((*key).to_owned(), input(value))).collect())
}

/// Sets one key, and touches nothing if it has that value already.
fn set(object: &CstObject, key: &str, wanted: &Value) -> Result<(), EditError> {
    match property(object, key)? {
        None => {
            object.append(key, input(wanted));
        }
        Some(property) => {
            let present = property.value().and_then(|value| said(&value));
            if present.as_ref() != Some(wanted) {
                property.set_value(input(wanted));
            }
        }
    }
    Ok(())
}

fn has_comments(container: &CstContainerNode) -> bool {
    container.children().iter().any(CstNode::is_comment)
}

fn is_empty_object(object: &CstObject) -> bool {
    object.properties().is_empty() && !has_comments(&object.clone().into())
}

fn is_empty_array(array: &CstArray) -> bool {
    array.elements().is_empty() && !has_comments(&array.clone().into())
}
