//! One edit of one text, whatever its form.

use super::error::EditError;
use super::places::Edit;
use super::request::Request;
use super::{json, rule, text, toml};

/// The text with what this edit wants in it.
pub(super) fn install(text: &str, edit: Edit, request: &Request) -> Result<String, EditError> {
    edited(text, edit, request, |plain| match edit {
        Edit::Server { key, kind } => json::server::install(plain, key, kind, request),
        Edit::Hooks { grouping, version } => json::hooks::install(plain, grouping, version, request),
        Edit::TomlServer => toml::install(plain, request),
        Edit::Rule(file) => Ok(rule::install(plain, file)),
    })
}

/// The text without what is ours of this edit.
pub(super) fn remove(text: &str, edit: Edit, request: &Request) -> Result<String, EditError> {
    edited(text, edit, request, |plain| match edit {
        Edit::Server { key, .. } => json::server::remove(plain, key),
        Edit::Hooks { grouping, .. } => json::hooks::remove(plain, grouping, request.agent),
        Edit::TomlServer => toml::remove(plain),
        Edit::Rule(_) => Ok(rule::remove(plain)),
    })
}

fn edited(
    text: &str,
    edit: Edit,
    request: &Request,
    change: impl FnOnce(&str) -> Result<String, EditError>,
) -> Result<String, EditError> {
    text::edited(text, |plain| {
        let after = match edit {
            Edit::Server { .. } | Edit::Hooks { .. } => {
                let whole = json::halves::Whole::of(plain);
                whole.put_back(&change(&whole.text)?)
            }
            Edit::TomlServer | Edit::Rule(_) => change(plain)?,
        };
        others_are_untouched(plain, &after, edit, request)?;
        Ok(after)
    })
}

/// Whether nothing is left that anybody but us would have written.
pub(super) fn is_blank(text: &str, edit: Edit) -> bool {
    let plain = text::plain(text);
    match edit {
        Edit::Server { .. } | Edit::Hooks { .. } => json::is_blank(&plain),
        Edit::TomlServer => plain.trim().is_empty(),
        Edit::Rule(_) => rule::is_blank(&plain),
    }
}

/// The settings of others before and after, read anew and compared: our edits have to be right, not just look right.
fn others_are_untouched(before: &str, after: &str, edit: Edit, request: &Request) -> Result<(), EditError> {
    let same = match edit {
        Edit::Server { key, .. } => json::server::others(before, key)? == json::server::others(after, key)?,
        Edit::Hooks { grouping, .. } => {
            let agent = request.agent;
            json::hooks::others(before, grouping, agent)? == json::hooks::others(after, grouping, agent)?
        }
        Edit::TomlServer => toml::others(before)? == toml::others(after)?,
        Edit::Rule(_) => true,
    };
    if same { Ok(()) } else { Err(EditError::Unsafe) }
}
