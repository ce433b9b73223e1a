//! Hooks in the object `hooks`, in groups or side by side.

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject};
use serde_json::Value;

use crate::Agent;
use crate::install::error::EditError;
use crate::install::handler::{Fields, handlers, is_ours};
use crate::install::places::{Grouping, Version};
use crate::install::request::Request;

use super::{
    form, is_empty_array, is_empty_object, object_in, object_of, parse, property, root_object, said, set,
    value_of,
};

const HOOKS: &str = "hooks";

/// The text with our hooks in it, each once and as it should be by now.
pub(in crate::install) fn install(
    text: &str,
    grouping: Grouping,
    version: Version,
    request: &Request,
) -> Result<String, EditError> {
    let document = parse(text)?;
    let root = match root_object(&document)? {
        Some(root) => root,
        None => document.object_value_or_set(),
    };
    if version == Version::One && property(&root, "version")?.is_none() {
        root.insert(0, "version", CstInputValue::Number("1".to_owned()));
    }
    let hooks = match object_in(&root, HOOKS)? {
        Some(hooks) => hooks,
        None => {
            let added = root.append(HOOKS, CstInputValue::Object(Vec::new()));
            added.object_value_or_set()
        }
    };
    let wanted = handlers(request);
    for property in hooks.properties() {
        let name = property.decoded_name().unwrap_or_default();
        if !wanted.iter().any(|(event, _)| *event == name)
            && let Some(entries) = property.array_value()
            && remove_from(&entries, grouping, request.agent)
            && is_empty_array(&entries)
        {
            property.remove();
        }
    }
    for (event, fields) in wanted {
        install_event(&hooks, event, &fields, grouping, request.agent)?;
    }
    Ok(document.to_string())
}

fn install_event(
    hooks: &CstObject,
    event: &str,
    fields: &Fields,
    grouping: Grouping,
    agent: Agent,
) -> Result<(), EditError> {
    let entry = match grouping {
        Grouping::Flat => object_of(fields),
        Grouping::Groups => {
            let list = CstInputValue::Array(vec![object_of(fields)]);
            CstInputValue::Object(vec![(HOOKS.to_owned(), list)])
        }
    };
    let Some(present) = property(hooks, event)? else {
        hooks.append(event, CstInputValue::Array(vec![entry]));
        return Ok(());
    };
    let entries = present.array_value().ok_or_else(|| form(&format!("{HOOKS}.{event}"), "a list"))?;
    let mut ours = ours_in(&entries, grouping, agent).into_iter();
    let Some(first) = ours.next() else {
        entries.append(entry);
        return Ok(());
    };
    for (key, value) in fields {
        set(&first.entry, key, value)?;
    }
    for stale in ["args", "powershell"] {
        if !fields.iter().any(|(key, _)| *key == stale)
            && let Some(property) = property(&first.entry, stale)?
        {
            property.remove();
        }
    }
    ours.for_each(Found::remove);
    Ok(())
}

/// The text without our hooks, and without the lists and objects that are empty for it.
pub(in crate::install) fn remove(text: &str, grouping: Grouping, agent: Agent) -> Result<String, EditError> {
    let document = parse(text)?;
    let Some(root) = root_object(&document)? else { return Ok(text.to_owned()) };
    let Some(hooks) = object_in(&root, HOOKS)? else { return Ok(text.to_owned()) };
    let mut any = false;
    for property in hooks.properties() {
        let Some(entries) = property.array_value() else { continue };
        if remove_from(&entries, grouping, agent) {
            any = true;
            if is_empty_array(&entries) {
                property.remove();
            }
        }
    }
    if !any {
        return Ok(text.to_owned());
    }
    if is_empty_object(&hooks)
        && let Some(property) = property(&root, HOOKS)?
    {
        property.remove();
    }
    Ok(document.to_string())
}

fn remove_from(entries: &CstArray, grouping: Grouping, agent: Agent) -> bool {
    let ours = ours_in(entries, grouping, agent);
    let any = !ours.is_empty();
    ours.into_iter().for_each(Found::remove);
    any
}

/// An entry of ours, and the group around it.
struct Found {
    entry: CstObject,
    group: Option<(CstObject, CstArray)>,
}

impl Found {
    /// Takes the entry out, and its group if that held nothing else.
    fn remove(self) {
        self.entry.remove();
        if let Some((group, list)) = self.group
            && is_empty_array(&list)
            && group.properties().len() == 1
            && !super::has_comments(&group.clone().into())
        {
            group.remove();
        }
    }
}

fn ours_in(entries: &CstArray, grouping: Grouping, agent: Agent) -> Vec<Found> {
    let objects = |array: &CstArray| -> Vec<CstObject> {
        array.elements().iter().filter_map(CstNode::as_object).collect()
    };
    let is_ours = |entry: &CstObject| said(entry).is_some_and(|value| is_ours(&value, agent));
    let mut found = Vec::new();
    for object in objects(entries) {
        match grouping {
            Grouping::Flat if is_ours(&object) => found.push(Found { entry: object, group: None }),
            Grouping::Flat => {}
            Grouping::Groups => {
                let Some(list) = object.array_value(HOOKS) else { continue };
                let entries = objects(&list).into_iter().filter(is_ours);
                let group = || Some((object.clone(), list.clone()));
                found.extend(entries.map(|entry| Found { entry, group: group() }));
            }
        }
    }
    found
}

/// Everything but our hooks, the version of the form, and lists and objects with nothing in them.
pub(in crate::install) fn others(text: &str, grouping: Grouping, agent: Agent) -> Result<Value, EditError> {
    let mut value = value_of(text)?;
    let Some(root) = value.as_object_mut() else { return Ok(value) };
    root.remove("version");
    if let Some(hooks) = root.get_mut(HOOKS).and_then(Value::as_object_mut) {
        for entries in hooks.values_mut().filter_map(Value::as_array_mut) {
            if grouping == Grouping::Groups {
                let lists = entries.iter_mut().filter_map(|group| group.get_mut(HOOKS)?.as_array_mut());
                lists.for_each(|list| list.retain(|entry| !is_ours(entry, agent)));
                let says_nothing = serde_json::json!({ HOOKS: [] });
                entries.retain(|group| *group != says_nothing);
            } else {
                entries.retain(|entry| !is_ours(entry, agent));
            }
        }
        hooks.retain(|_, entries| entries.as_array().is_none_or(|entries| !entries.is_empty()));
        if hooks.is_empty() {
            root.remove(HOOKS);
        }
    }
    Ok(value)
}
