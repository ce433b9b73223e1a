//! One row for every route: who may use it, and the smallest request that it takes.

use axum::http::Method;
use serde_json::{Value, json};

use super::world::Targets;

/// The least that a route asks of its callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Nothing at all.
    Open,
    /// A role in the namespace that the request is about.
    Role(perihelion::Role),
    /// A role for all there is.
    Everywhere(perihelion::Role),
}

/// How a request says what it is about, and so how it is refused to those whose that is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// It names a namespace: refused by rule, 403.
    Named,
    /// It gives ids: not found, 404, as if there were nothing.
    Ids,
    /// It is about the server.
    Server,
    /// It is about a namespace that it names by itself: refused by rule, 403, to whoever has no key to it.
    Fixed,
}

/// A route and a request that it takes.
pub struct Row {
    pub method: Method,
    /// As in the document.
    pub path: &'static str,
    pub need: Need,
    pub reach: Reach,
    /// The path and the parameters of the request; `$memory` and the like stand for what it is about.
    ask: &'static str,
    body: Option<Sent>,
    /// What callers are answered who may.
    pub done: u16,
}

enum Sent {
    Json(Value),
    Lines(String),
}

impl Row {
    /// The path and the parameters of a request about these targets.
    pub fn ask(&self, targets: &Targets) -> String {
        targets.fill(self.ask)
    }

    /// The type and the text of its body, if it has one.
    pub fn body(&self, targets: &Targets) -> Option<(&'static str, String)> {
        self.body.as_ref().map(|sent| match sent {
            Sent::Json(body) => ("application/json", targets.fill(&body.to_string())),
            Sent::Lines(lines) => ("application/jsonl", targets.fill(lines)),
        })
    }

    fn sends(mut self, body: Value) -> Self {
        self.body = Some(Sent::Json(body));
        self
    }

    fn sends_lines(mut self, lines: &[Value]) -> Self {
        self.body = Some(Sent::Lines(lines.iter().map(|line| format!("{line}\n")).collect()));
        self
    }

    fn done(mut self, status: u16) -> Self {
        self.done = status;
        self
    }
}

fn row(method: Method, path: &'static str, need: Need, reach: Reach, ask: &'static str) -> Row {
    Row { method, path, need, reach, ask, body: None, done: 200 }
}

/// Every route there is.
pub fn rows() -> Vec<Row> {
    [
        memories(),
        work(),
        graph(),
        sessions(),
        notes(),
        context(),
        journal(),
        namespaces(),
        learning(),
        patterns(),
        workers(),
        chores(),
        keys(),
        server(),
        streams(),
        sample(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

const READ: Need = Need::Role(perihelion::Role::Reader);
const WRITE: Need = Need::Role(perihelion::Role::Writer);
const ADMIN: Need = Need::Role(perihelion::Role::Admin);
const READ_ALL: Need = Need::Everywhere(perihelion::Role::Reader);
const ADMIN_ALL: Need = Need::Everywhere(perihelion::Role::Admin);

use Method as M;
use Reach::{Fixed, Ids, Named, Server};

fn memories() -> Vec<Row> {
    let one = "/v1/memories/{id}";
    let ask = "/v1/memories/$memory";
    let memory = json!({"content": "kept by $memory", "namespace": "$namespace"});
    vec![
        row(M::POST, "/v1/memories", WRITE, Named, "/v1/memories").sends(memory.clone()).done(201),
        row(M::GET, "/v1/memories", READ, Named, "/v1/memories?scope=$namespace"),
        row(M::POST, "/v1/memories/batch", WRITE, Named, "/v1/memories/batch")
            .sends(json!({"memories": [memory]}))
            .done(201),
        row(M::GET, one, READ, Ids, ask),
        row(M::PATCH, one, WRITE, Ids, ask).sends(json!({"pinned": true})),
        row(M::DELETE, one, WRITE, Ids, ask),
        row(M::POST, "/v1/memories/{id}/restore", WRITE, Ids, "/v1/memories/$trashed/restore"),
        row(M::POST, "/v1/memories/{id}/purge", ADMIN, Ids, "/v1/memories/$trashed/purge").done(200),
        row(M::GET, "/v1/memories/{id}/history", READ, Ids, "/v1/memories/$memory/history"),
        row(M::GET, "/v1/memories/{id}/trace", READ, Ids, "/v1/memories/$memory/trace"),
        // Whoever may is told that nothing was merged.
        row(M::POST, "/v1/memories/{id}/split", WRITE, Ids, "/v1/memories/$memory/split").done(409),
        row(M::POST, "/v1/memories/{id}/promote", WRITE, Ids, "/v1/memories/$memory/promote")
            .sends(json!({"to": "long_term"}))
            .done(409),
        row(M::POST, "/v1/memories/{id}/undo-promotion", WRITE, Ids, "/v1/memories/$memory/undo-promotion")
            .done(409),
        row(M::POST, "/v1/recall", READ, Named, "/v1/recall")
            .sends(json!({"query": "what is in $memory", "scopes": ["$namespace"]})),
        row(M::POST, "/v1/recall/why", READ, Named, "/v1/recall/why")
            .sends(json!({"query": "what is in $memory", "scopes": ["$namespace"], "id": "$memory"})),
        // It reads nothing of what is stored. Whoever may is told that no engine is at work here.
        row(M::POST, "/v1/embeddings", READ, Server, "/v1/embeddings")
            .sends(json!({"input": "tea"}))
            .done(503),
    ]
}

fn work() -> Vec<Row> {
    let (one, all) = ("/v1/working/{work_key}", "/v1/working");
    let (ask, ask_all) = ("/v1/working/draft?namespace=$namespace", "/v1/working?namespace=$namespace");
    vec![
        row(M::PUT, one, WRITE, Named, "/v1/working/draft")
            .sends(json!({"value": "x", "namespace": "$namespace"})),
        row(M::GET, one, READ, Named, ask),
        row(M::DELETE, one, WRITE, Named, ask),
        row(M::GET, all, READ, Named, ask_all),
        row(M::DELETE, all, WRITE, Named, ask_all),
    ]
}

fn graph() -> Vec<Row> {
    let edge = json!({"source": "$memory", "target": "$partner", "type": "sequence"});
    vec![
        row(M::GET, "/v1/memories/{id}/edges", READ, Ids, "/v1/memories/$memory/edges"),
        row(M::POST, "/v1/edges", WRITE, Ids, "/v1/edges").sends(edge).done(201),
        row(M::DELETE, "/v1/edges", WRITE, Ids, "/v1/edges?source=$memory&target=$partner"),
        row(M::GET, "/v1/graph/walk", READ, Ids, "/v1/graph/walk?from=$memory"),
        row(M::GET, "/v1/graph/pagerank", READ, Named, "/v1/graph/pagerank?namespace=$namespace"),
        row(M::GET, "/v1/graph/communities", READ, Named, "/v1/graph/communities?namespace=$namespace"),
        row(M::GET, "/v1/graph/path", READ, Ids, "/v1/graph/path?from=$memory&to=$partner"),
        row(M::GET, "/v1/graph/export", READ, Named, "/v1/graph/export?namespace=$namespace&format=dot"),
        row(M::GET, "/v1/graph", READ, Named, "/v1/graph?namespace=$namespace"),
        row(M::GET, "/v1/orbit", READ, Named, "/v1/orbit?namespace=$namespace"),
        row(M::GET, "/v1/orbit/moves", READ, Named, "/v1/orbit/moves?namespace=$namespace"),
        row(M::GET, "/v1/memories/{id}/orbit", READ, Ids, "/v1/memories/$memory/orbit"),
    ]
}

fn sessions() -> Vec<Row> {
    let (one, end) = ("/v1/sessions/{session}", "/v1/sessions/{session}/end");
    vec![
        row(M::POST, "/v1/sessions", WRITE, Named, "/v1/sessions")
            .sends(json!({"session": "begun", "namespace": "$namespace"})),
        row(M::GET, "/v1/sessions", READ, Named, "/v1/sessions?scope=$namespace"),
        row(M::GET, one, READ, Named, "/v1/sessions/$session?namespace=$namespace"),
        row(M::POST, end, WRITE, Named, "/v1/sessions/$session/end?namespace=$namespace"),
    ]
}

fn notes() -> Vec<Row> {
    let said = json!({"messages": [{"role": "user", "text": "said by $memory"}], "namespace": "$namespace"});
    let of = "/v1/sessions/{session}/notes";
    let ask = "/v1/sessions/$session/notes?namespace=$namespace";
    vec![
        row(M::POST, "/v1/sessions/{session}/messages", WRITE, Named, "/v1/sessions/$session/messages")
            .sends(said),
        row(M::GET, of, READ, Named, ask),
        row(M::DELETE, of, WRITE, Named, ask),
        row(
            M::GET,
            "/v1/sessions/{session}/replay",
            READ,
            Named,
            "/v1/sessions/$session/replay?namespace=$namespace",
        ),
        row(
            M::POST,
            "/v1/sessions/{session}/observe",
            WRITE,
            Named,
            "/v1/sessions/$session/observe?namespace=$namespace",
        ),
        row(
            M::GET,
            "/v1/sessions/{session}/given",
            READ,
            Named,
            "/v1/sessions/$session/given?namespace=$namespace",
        ),
        row(M::GET, "/v1/notes", READ, Named, "/v1/notes?namespace=$namespace"),
        row(M::GET, "/v1/notes/sessions", READ, Named, "/v1/notes/sessions?namespace=$namespace"),
        row(M::POST, "/v1/notes/observe", WRITE, Named, "/v1/notes/observe?namespace=$namespace"),
    ]
}

fn context() -> Vec<Row> {
    let (look, confirm, back) = ("/v1/context", "/v1/context/confirm", "/v1/context/return");
    let loan = json!({"session": "$session", "loan": "0", "namespace": "$namespace"});
    vec![
        row(M::GET, look, READ, Named, "/v1/context?session=$session&namespace=$namespace"),
        row(M::POST, look, READ, Named, look)
            .sends(json!({"session": "$session", "namespace": "$namespace"})),
        row(M::POST, confirm, WRITE, Named, confirm).sends(loan.clone()),
        row(M::POST, back, WRITE, Named, back).sends(loan).done(204),
    ]
}

fn journal() -> Vec<Row> {
    let (entry, turn) = ("/v1/journal/{entry}", "/v1/turns/{turn}");
    vec![
        row(M::POST, "/v1/journal", WRITE, Named, "/v1/journal")
            .sends(json!({"entries": [{"text": "written down", "namespace": "$namespace"}]}))
            .done(201),
        row(M::GET, "/v1/journal", READ, Named, "/v1/journal?scope=$namespace"),
        row(M::GET, "/v1/journal/recent", READ, Named, "/v1/journal/recent?scope=$namespace"),
        row(M::GET, "/v1/journal/stats", READ, Named, "/v1/journal/stats?scope=$namespace"),
        row(M::GET, entry, READ, Ids, "/v1/journal/$entry"),
        row(M::POST, "/v1/turns", WRITE, Named, "/v1/turns")
            .sends(json!({"namespace": "$namespace"}))
            .done(201),
        row(M::GET, "/v1/turns", READ, Named, "/v1/turns?scope=$namespace"),
        row(M::GET, turn, READ, Ids, "/v1/turns/$turn"),
        row(M::PATCH, turn, WRITE, Ids, "/v1/turns/$turn").sends(json!({"status": "ok"})),
    ]
}

fn namespaces() -> Vec<Row> {
    vec![
        row(M::GET, "/v1/namespaces", READ, Named, "/v1/namespaces?scope=$namespace"),
        row(M::POST, "/v1/namespaces/move", ADMIN, Named, "/v1/namespaces/move")
            .sends(json!({"from": "$namespace", "to": "team/moved"})),
        row(M::DELETE, "/v1/namespaces", ADMIN, Named, "/v1/namespaces?namespace=$namespace"),
        row(M::GET, "/v1/stats", READ, Named, "/v1/stats?scope=$namespace"),
        row(M::GET, "/v1/report", READ, Named, "/v1/report?scope=$namespace"),
        row(M::GET, "/v1/latencies", READ, Named, "/v1/latencies?scope=$namespace"),
    ]
}

fn learning() -> Vec<Row> {
    vec![
        row(M::POST, "/v1/feedback", WRITE, Ids, "/v1/feedback")
            .sends(json!({"query": "what was it", "used": ["$memory"], "unused": ["$partner"]})),
        row(M::GET, "/v1/weights", READ, Named, "/v1/weights?namespace=$namespace"),
        row(M::POST, "/v1/weights/rollback", WRITE, Named, "/v1/weights/rollback")
            .sends(json!({"number": 0, "namespace": "$namespace"})),
        row(M::GET, "/api/memory/learning/stats", READ, Named, "/api/memory/learning/stats?scope=$namespace"),
        row(M::POST, "/v1/learning/distil", WRITE, Named, "/v1/learning/distil")
            .sends(json!({"scope": "$namespace"})),
        row(M::POST, "/v1/learning/train", WRITE, Named, "/v1/learning/train")
            .sends(json!({"namespace": "$namespace"})),
        row(M::GET, "/v1/learning/sets", READ, Named, "/v1/learning/sets?name=router&namespace=$namespace"),
        row(M::POST, "/v1/learning/rollback", ADMIN, Named, "/v1/learning/rollback")
            .sends(json!({"name": "adapter", "set": 0, "namespace": "$namespace"})),
    ]
}

fn patterns() -> Vec<Row> {
    let (tasks, patterns, one) = ("/v1/trajectories", "/v1/patterns", "/v1/patterns/{pattern}");
    let task = json!({"task": "done by $memory", "outcome": "success", "namespace": "$namespace"});
    vec![
        row(M::POST, tasks, WRITE, Named, tasks).sends(task).done(201),
        row(M::GET, tasks, READ, Named, "/v1/trajectories?scope=$namespace"),
        row(M::GET, "/v1/trajectories/{trajectory}", READ, Ids, "/v1/trajectories/$trajectory"),
        row(M::GET, "/api/memory/patterns", READ, Named, "/api/memory/patterns?q=way&namespace=$namespace"),
        row(M::POST, patterns, WRITE, Named, patterns)
            .sends(json!({"strategy": "as $memory says", "namespace": "$namespace"}))
            .done(201),
        row(M::GET, patterns, READ, Named, "/v1/patterns?scope=$namespace"),
        row(M::GET, one, READ, Ids, "/v1/patterns/$pattern"),
        row(M::POST, "/v1/patterns/{pattern}/promote", WRITE, Ids, "/v1/patterns/$pattern/promote"),
        row(M::POST, "/v1/patterns/{pattern}/retire", WRITE, Ids, "/v1/patterns/$pattern/retire"),
        row(M::POST, "/v1/patterns/{pattern}/restore", WRITE, Ids, "/v1/patterns/$pattern/restore"),
        row(M::POST, "/v1/route", READ, Named, "/v1/route")
            .sends(json!({"task": "write a test", "namespace": "$namespace"})),
    ]
}

fn workers() -> Vec<Row> {
    let (dispatch, cancel) = ("/api/workers/dispatch", "/v1/workers/{worker}/cancel");
    vec![
        row(M::GET, "/api/workers/status", READ_ALL, Server, "/api/workers/status"),
        // No workspace is configured, so that whoever may is told just that.
        row(M::POST, dispatch, ADMIN_ALL, Server, "/api/workers/dispatch?worker=map"),
        row(M::GET, "/v1/workers/runs", READ_ALL, Server, "/v1/workers/runs"),
        row(M::GET, "/v1/workers/alerts", READ_ALL, Server, "/v1/workers/alerts"),
        row(M::POST, cancel, ADMIN_ALL, Server, "/v1/workers/audit/cancel"),
    ]
}

fn chores() -> Vec<Row> {
    vec![
        row(M::POST, "/v1/reorbit", ADMIN, Named, "/v1/reorbit").sends(json!({"scope": "$namespace"})),
        row(M::POST, "/v1/trash/purge", ADMIN, Named, "/v1/trash/purge")
            .sends(json!({"scope": "$namespace"})),
        row(M::POST, "/v1/sweep", ADMIN_ALL, Server, "/v1/sweep"),
        row(M::POST, "/v1/maintain", ADMIN_ALL, Server, "/v1/maintain"),
        row(M::GET, "/v1/snapshots", ADMIN_ALL, Server, "/v1/snapshots"),
        row(M::POST, "/v1/snapshots", ADMIN_ALL, Server, "/v1/snapshots"),
        row(M::GET, "/v1/backups", ADMIN_ALL, Server, "/v1/backups"),
        // This server was not told where backups go, so that whoever may is told just that.
        row(M::POST, "/v1/backups", ADMIN_ALL, Server, "/v1/backups").done(503),
        row(M::GET, "/v1/llm", READ_ALL, Server, "/v1/llm"),
        row(M::GET, "/v1/queue", ADMIN_ALL, Server, "/v1/queue"),
        row(M::POST, "/v1/queue/replay", ADMIN_ALL, Server, "/v1/queue/replay").sends(json!({})),
        // There is nothing to drop, so that those who may are told just that.
        row(M::DELETE, "/v1/queue/{id}", ADMIN_ALL, Server, "/v1/queue/$memory").done(404),
    ]
}

fn keys() -> Vec<Row> {
    vec![
        // It shows only keys within the caller's own scope, so it takes nothing that could be refused.
        row(M::GET, "/v1/keys", ADMIN, Server, "/v1/keys"),
        row(M::GET, "/v1/me", READ, Server, "/v1/me"),
        row(M::POST, "/v1/keys", ADMIN, Named, "/v1/keys")
            .sends(json!({"name": "made", "role": "reader", "scope": "$namespace"}))
            .done(201),
        row(M::DELETE, "/v1/keys/{key}", ADMIN, Ids, "/v1/keys/$key"),
    ]
}

fn server() -> Vec<Row> {
    vec![
        row(M::GET, "/health/live", Need::Open, Server, "/health/live"),
        row(M::GET, "/health/ready", Need::Open, Server, "/health/ready"),
        row(M::GET, "/version", Need::Open, Server, "/version"),
        row(M::GET, "/openapi.json", Need::Open, Server, "/openapi.json"),
        row(M::GET, "/", Need::Open, Server, "/"),
        // There is no such file, so that everybody is told just that.
        row(M::GET, "/dashboard/{file}", Need::Open, Server, "/dashboard/none.js").done(404),
        row(M::GET, "/docs", Need::Open, Server, "/docs"),
        row(M::GET, "/docs.css", Need::Open, Server, "/docs.css"),
        row(M::GET, "/docs.js", Need::Open, Server, "/docs.js"),
        row(M::GET, "/v1/health", READ_ALL, Server, "/v1/health"),
        row(M::GET, "/metrics", READ_ALL, Server, "/metrics"),
    ]
}

fn streams() -> Vec<Row> {
    let (header, began) = (json!({"record": "header", "perihelion": 1}), "2026-03-04T05:06:07Z");
    let session =
        json!({"record": "session", "namespace": "$namespace", "name": "imported", "started_at": began});
    vec![
        row(M::GET, "/v1/events", READ, Named, "/v1/events?scope=$namespace"),
        row(M::GET, "/v1/events/stream", READ, Named, "/v1/events/stream?scope=$namespace"),
        row(M::GET, "/v1/export", READ, Named, "/v1/export?scope=$namespace"),
        row(M::POST, "/v1/import", WRITE, Named, "/v1/import?scope=$namespace")
            .sends_lines(&[header, session]),
        row(M::POST, "/api/memory/migrate", WRITE, Named, "/api/memory/migrate?namespace=$namespace")
            .sends_lines(&[json!({"id": "$memory", "text": "kept elsewhere"})]),
    ]
}

fn sample() -> Vec<Row> {
    vec![
        row(M::GET, "/v1/sample", READ, Fixed, "/v1/sample"),
        row(M::POST, "/v1/sample", WRITE, Fixed, "/v1/sample"),
        row(M::DELETE, "/v1/sample", WRITE, Fixed, "/v1/sample"),
    ]
}
