//! `namespace_list`, `namespace_move` and `namespace_delete`: whole namespaces.

use perihelion::{Deletion, Namespace, NamespaceStats, Scope, StoreError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stats::Nothing;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const LIST_WHEN: &str = "Which namespaces there are and how much each holds.";
pub(crate) const MOVE_WHEN: &str = "Move everything of one namespace to another, which may hold memories already. Ids \
stay. Only when somebody asks for it.";
pub(crate) const DELETE_WHEN: &str = "Move all memories of one namespace to the trash, or destroy them at once. Only \
when somebody asks for it.";

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Namespaces {
    namespaces: Vec<Held>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Held {
    name: Namespace,
    memories: u64,
    trashed: u64,
    edges: u64,
}

impl From<NamespaceStats> for Held {
    fn from(stats: NamespaceStats) -> Self {
        let NamespaceStats { namespace, memories, trashed, edges, .. } = stats;
        Self { name: namespace, memories, trashed, edges }
    }
}

pub(crate) fn list(desk: &Desk<'_>, _asked: Nothing) -> Result<Namespaces, Refusal> {
    let mut stats = desk.engine.stats(&desk.scope)?.namespaces;
    stats.sort_by(|a, b| a.namespace.cmp(&b.namespace));
    Ok(Namespaces { namespaces: stats.into_iter().map(Held::from).collect() })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Move {
    #[schemars(length(min = 1, max = 255))]
    from: String,
    #[schemars(length(min = 1, max = 255))]
    to: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Moved {
    from: Namespace,
    to: Namespace,
    memories: u64,
    /// How many said what a memory there says already, and went to the trash.
    repeated: u64,
}

pub(crate) fn shift(desk: &Desk<'_>, asked: Move) -> Result<Moved, Refusal> {
    let (from, to) = (own(desk, "from", &asked.from)?, own(desk, "to", &asked.to)?);
    if from == to {
        return Err(Refusal::argument("to", format!("{from} is there already")));
    }
    check_exists(desk, &from)?;
    let moved = desk.engine.move_namespace(&from, &to)?;
    Ok(Moved { from, to, memories: moved.memories, repeated: moved.repeated })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Delete {
    #[schemars(length(min = 1, max = 255))]
    name: String,
    /// Destroy at once, the trash included; there is no way back
    #[serde(default)]
    purge: bool,
    /// The name once more, needed with `purge`
    confirm: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Deleted {
    name: Namespace,
    memories: u64,
    purged: bool,
}

pub(crate) fn delete(desk: &Desk<'_>, asked: Delete) -> Result<Deleted, Refusal> {
    let name = own(desk, "name", &asked.name)?;
    check_exists(desk, &name)?;
    if asked.purge && asked.confirm.as_deref() != Some(name.as_str()) {
        let why =
            format!("destroying {name} takes {name:?} here too; ask a person first", name = name.as_str());
        return Err(Refusal::argument("confirm", why));
    }
    let deletion = if asked.purge { Deletion::Purge } else { Deletion::ToTrash };
    let memories = desk.engine.delete_namespace(&name, deletion)?;
    Ok(Deleted { name, memories, purged: asked.purge })
}

/// A namespace where the call may work.
fn own(desk: &Desk<'_>, argument: &str, text: &str) -> Result<Namespace, Refusal> {
    let namespace: Namespace = text.trim().parse().map_err(|error| Refusal::argument(argument, error))?;
    if desk.scope.contains(&namespace) {
        Ok(namespace)
    } else {
        Err(Refusal::argument(
            argument,
            format!("this call works in {}, which does not hold {namespace}", desk.scope),
        ))
    }
}

/// A name that was misspelt must not look like work that was done.
fn check_exists(desk: &Desk<'_>, namespace: &Namespace) -> Result<(), Refusal> {
    let scope = Scope::Exact(namespace.clone());
    let empty = desk.engine.stats(&scope)?.namespaces.is_empty();
    if empty && desk.engine.sessions(&scope, 1)?.is_empty() {
        return Err(perihelion::Error::Store(StoreError::NoNamespace { namespace: namespace.clone() }).into());
    }
    Ok(())
}
