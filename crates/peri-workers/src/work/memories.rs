//! Going through memories, and saying things about them, for the workers that do.

use perihelion::{ListQuery, Memory, MemoryId, Namespace, NewAlert, Order, Scope, Severity};

use crate::job::{Job, Trouble};

/// Memories are read so many at a time.
const PAGE: usize = 500;

/// An alert names so many memories at most.
pub(super) const IDS_NAMED: usize = 20;

/// Shows every memory of a scope that is not in the trash and stands for itself, page by page.
pub(super) fn each(job: &Job<'_>, scope: &Scope, mut show: impl FnMut(Memory)) -> Result<(), Trouble> {
    let mut query = ListQuery {
        scope: scope.clone(),
        now: Some(job.engine.now()),
        order: Order::OldestFirst,
        limit: PAGE,
        ..ListQuery::default()
    };
    loop {
        job.breathe()?;
        let page = job.engine.list(query.clone())?;
        page.memories.into_iter().filter(|memory| memory.facets.superseded_by.is_none()).for_each(&mut show);
        query.after = page.next;
        if query.after.is_none() {
            return Ok(());
        }
    }
}

/// Something about some memories of a namespace that somebody should look at.
pub(super) fn alert(
    mark: String,
    severity: Severity,
    namespace: &Namespace,
    message: String,
    ids: impl IntoIterator<Item = MemoryId>,
) -> NewAlert {
    let ids = ids.into_iter().take(IDS_NAMED).collect();
    NewAlert { mark, namespace: Some(namespace.clone()), severity, message, ids, file: None }
}

/// Something about a file of the workspace.
pub(super) fn file_alert(mark: String, severity: Severity, message: String, file: &str) -> NewAlert {
    NewAlert { mark, namespace: None, severity, message, ids: Vec::new(), file: Some(file.to_owned()) }
}

/// How a text begins, on one line.
pub(super) fn begin(text: &str) -> String {
    const CHARS: usize = 80;
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(CHARS) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// Opens the workspace, if there is one.
pub(super) fn workspace(job: &Job<'_>) -> Result<Option<peri_workspace::Workspace>, Trouble> {
    if job.workspace.is_none() {
        return Ok(None);
    }
    let path = job.need_workspace()?;
    let limits = peri_workspace::Limits::default();
    match peri_workspace::Workspace::open(path, &limits, job.go_on) {
        Ok(workspace) => Ok(Some(workspace)),
        Err(error) => Err(Trouble::Failed(error.to_string())),
    }
}
