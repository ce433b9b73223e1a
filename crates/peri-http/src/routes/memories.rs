//! Memories: remember, read, list, revise, forget, restore, purge, split, history.

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use perihelion::Role::{Admin, Reader, Writer};
use perihelion::{
    ChangeNumber, Circumstance, Context, Destroyed, EntryId, Error, Facets, Filter, History, Importance,
    Kind, Layer, ListQuery, Memory, MemoryId, Namespace, Order, Outcome, Receipt, Remember, Revise, Revised,
    Scope, Seen, StoreError, Timestamp, Trashed, Zone,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compress::state_of;
use crate::extract::{Body, Named, Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    let if_match = "Only if it is still this version: the ETag of an earlier answer";
    vec![
        Operation::new(Role(Writer), Method::POST, "/v1/memories", "remember", remember)
            .says("Keep a statement. When the answer comes, it is on the disk")
            .takes::<NewMemory>()
            .answers_with::<Receipt>(StatusCode::CREATED)
            .answers_with::<Receipt>(StatusCode::ACCEPTED)
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/memories", "list", list)
            .says("List memories, a page at a time")
            .asks::<ListAsked>()
            .gives::<MemoryPage>(),
        Operation::new(Role(Writer), Method::POST, "/v1/memories/batch", "rememberAll", remember_all)
            .says("Keep many statements: all of them or none")
            .takes::<NewMemories>()
            .answers_with::<Receipts>(StatusCode::CREATED)
            .answers_with::<Receipts>(StatusCode::ACCEPTED)
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/memories/{id}", "get", get)
            .says("Read one memory; it may lie in the trash")
            .heeds("If-None-Match", "The ETag that is known already: unchanged, the answer is 304")
            .gives::<Memory>()
            .gives_nothing(StatusCode::NOT_MODIFIED),
        Operation::new(Role(Writer), Method::PATCH, "/v1/memories/{id}", "revise", revise)
            .says("Change a memory; what it said before stays in its history")
            .heeds("If-Match", if_match)
            .takes::<Changes>()
            .gives::<Revised>()
            .once(),
        Operation::new(Role(Writer), Method::DELETE, "/v1/memories/{id}", "forget", forget)
            .says("Move a memory to the trash")
            .heeds("If-Match", if_match)
            .gives::<Memory>()
            .once(),
        Operation::new(Role(Writer), Method::POST, "/v1/memories/{id}/restore", "restore", restore)
            .says("Bring a memory back from the trash")
            .gives::<Memory>()
            .once(),
        Operation::new(Role(Admin), Method::POST, "/v1/memories/{id}/purge", "purge", purge)
            .says("Destroy a memory that lies in the trash, and its words wherever else they are; what still holds them is told")
            .gives::<Destroyed>()
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/memories/{id}/history", "history", history)
            .says("What a memory said before, what it replaced, and what was merged into it")
            .gives::<History>(),
        Operation::new(Role(Writer), Method::POST, "/v1/memories/{id}/split", "split", split)
            .says("Undo a merge: a memory that was put aside stands for itself again")
            .gives::<Memory>()
            .once(),
    ]
}

/// A statement to keep.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("anyOf" = [
    { "required": ["content"] },
    { "required": ["data"], "properties": { "data": { "type": ["string", "number", "boolean", "object", "array"] } } },
]))]
pub(super) struct NewMemory {
    /// What to keep, complete in itself. Left out, it is made from `data`.
    #[serde(default)]
    #[schemars(with = "crate::routes::Text", default, transform = without_default)]
    content: String,
    /// Where; by default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// Its id, for who brings ids along; new when left out.
    id: Option<MemoryId>,
    kind: Option<Kind>,
    layer: Option<Layer>,
    /// Judged from the words when left out.
    importance: Option<Importance>,
    #[serde(default)]
    #[schemars(with = "Vec<crate::routes::Label>", length(max = 64))]
    tags: Vec<String>,
    #[serde(default)]
    #[schemars(with = "Vec<crate::routes::Label>", length(max = 64))]
    aliases: Vec<String>,
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    #[schemars(with = "Option<crate::routes::Label>")]
    speaker: Option<String>,
    #[schemars(with = "Option<crate::routes::Label>")]
    source: Option<String>,
    /// The journal event it came from.
    entry: Option<EntryId>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    occurred_at: Option<Timestamp>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    expires_at: Option<Timestamp>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    valid_from: Option<Timestamp>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    valid_until: Option<Timestamp>,
    #[serde(default)]
    pinned: bool,
    /// The circumstances: when, where, in what mood, with whom.
    #[serde(default)]
    context: Context,
    /// The same with its structure: any JSON, what is known of a concept, the steps of a procedure.
    data: Option<serde_json::Value>,
    #[serde(default)]
    metadata: serde_json::Map<String, serde_json::Value>,
}

/// What is left out is not the same as an empty text, which would not be taken.
fn without_default(schema: &mut schemars::Schema) {
    schema.remove("default");
}

/// Several statements.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewMemories {
    /// Stored together or not at all.
    #[schemars(length(min = 1, max = 1000))]
    memories: Vec<NewMemory>,
}

/// One receipt for each statement, in their order.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Receipts {
    receipts: Vec<Receipt>,
}

const BATCH_MAX: usize = 1000;

impl NewMemory {
    fn remember(self, visit: &Visit) -> Result<Remember, Problem> {
        Ok(Remember {
            content: self.content,
            namespace: visit.namespace(self.namespace)?,
            kind: self.kind,
            layer: self.layer,
            importance: self.importance,
            facets: Facets {
                tags: self.tags,
                aliases: self.aliases,
                session: self.session,
                speaker: self.speaker,
                source: self.source,
                entry: self.entry,
                occurred_at: self.occurred_at,
                expires_at: self.expires_at,
                valid_from: self.valid_from,
                valid_until: self.valid_until,
                pinned: self.pinned,
                context: self.context,
                data: self.data,
                metadata: self.metadata,
                ..Facets::default()
            },
            id: self.id,
        })
    }
}

async fn remember(visit: Visit, Body(asked): Body<NewMemory>) -> Result<Response, Problem> {
    let request = asked.remember(&visit)?;
    let receipt = visit.work(move |engine| Ok(engine.remember(request)?)).await?;
    Ok((status_of(&receipt), Json(receipt)).into_response())
}

async fn remember_all(visit: Visit, Body(asked): Body<NewMemories>) -> Result<Response, Problem> {
    let count = asked.memories.len();
    if !(1..=BATCH_MAX).contains(&count) {
        return Err(Problem::invalid(format!("`memories`: {count} is not between 1 and {BATCH_MAX}")));
    }
    if let Some(at) = asked.memories.iter().position(|one| one.content.is_empty() && one.data.is_none()) {
        return Err(Problem::invalid(format!(
            "`memories[{at}]`: the content is empty, and there is no data"
        )));
    }
    let requests: Vec<_> =
        asked.memories.into_iter().map(|memory| memory.remember(&visit)).collect::<Result<_, _>>()?;
    let receipts = visit.work(move |engine| Ok(engine.remember_all(requests)?)).await?;
    let status = receipts.first().map_or(StatusCode::CREATED, status_of);
    Ok((status, Json(Receipts { receipts })).into_response())
}

/// What is stored is created; what is queued is on its way.
fn status_of(receipt: &Receipt) -> StatusCode {
    match receipt.outcome {
        Outcome::Stored | Outcome::Merged => StatusCode::CREATED,
        Outcome::Queued => StatusCode::ACCEPTED,
    }
}

/// Which memories to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
    #[serde(default)]
    layer: Vec<Layer>,
    #[serde(default)]
    kind: Vec<Kind>,
    /// All of them.
    #[serde(default)]
    #[schemars(with = "Vec<crate::routes::Label>")]
    tag: Vec<String>,
    #[serde(default)]
    zone: Vec<Zone>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    since: Option<Timestamp>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    until: Option<Timestamp>,
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    #[schemars(with = "Option<crate::routes::Label>")]
    speaker: Option<String>,
    pinned: Option<bool>,
    /// Under all of these circumstances, such as `spatial.place=office`.
    #[serde(default)]
    context: Vec<Circumstance>,
    /// Only what came from this journal event.
    entry: Option<EntryId>,
    #[serde(default)]
    trashed: Trashed,
    #[serde(default)]
    order: Order,
    /// As the page before said.
    cursor: Option<MemoryId>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// A page of memories.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct MemoryPage {
    memories: Vec<Memory>,
    /// For the next page, if there is one.
    next_cursor: Option<MemoryId>,
}

const LIST_LIMIT: usize = 50;

async fn list(visit: Visit, Query(asked): Query<ListAsked>) -> Result<Json<MemoryPage>, Problem> {
    let limit = visit.limit(asked.limit, LIST_LIMIT)?;
    let query = ListQuery {
        scope: visit.scope(asked.scope)?,
        filter: Filter {
            layers: asked.layer,
            kinds: asked.kind,
            tags: asked.tag,
            since: asked.since,
            until: asked.until,
            session: asked.session,
            speaker: asked.speaker,
            pinned: asked.pinned,
            context: asked.context,
        },
        trashed: asked.trashed,
        entry: asked.entry,
        zones: asked.zone,
        order: asked.order,
        after: asked.cursor,
        limit,
        ..ListQuery::default()
    };
    visit.check_filter(&query.filter)?;
    let page = visit.work(move |engine| Ok(engine.list(query)?)).await?;
    Ok(Json(MemoryPage { memories: page.memories, next_cursor: page.next }))
}

/// The tag of a memory's state: a change of any kind gives another.
fn etag(memory: &Memory) -> String {
    let trashed = memory.trashed_at.map_or("", |_| "-trashed");
    format!("\"{}-{}{trashed}\"", memory.version, memory.change.0)
}

/// An answer that tells the state which a memory is in.
pub(super) fn tagged(memory: &Memory, body: impl IntoResponse) -> Response {
    let mut response = body.into_response();
    if let Ok(tag) = HeaderValue::from_str(&etag(memory)) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

async fn get(visit: Visit, Named(id): Named<MemoryId>, headers: HeaderMap) -> Result<Response, Problem> {
    let scope = visit.caller.scope.clone();
    let memory = visit.work(move |engine| Ok(engine.get(&scope, id)?)).await?;
    if names(&headers, &header::IF_NONE_MATCH, &memory) {
        return Ok(tagged(&memory, StatusCode::NOT_MODIFIED));
    }
    Ok(tagged(&memory, Json(&memory)))
}

/// Whether a header names the memory's present state. Tags that a cache in between has weakened say that nothing of
/// note has changed, which is enough to read but not to write.
fn names(headers: &HeaderMap, header: &header::HeaderName, memory: &Memory) -> bool {
    let tag = etag(memory);
    let given = headers.get_all(header).into_iter().filter_map(|value| value.to_str().ok());
    given.flat_map(|value| value.split(',')).map(str::trim).any(|one| {
        let one = if header == header::IF_MATCH { one } else { one.trim_start_matches("W/") };
        state_of(one) == tag || one == "*"
    })
}

/// Refuses when the caller has seen another state than the present one.
fn check_match(headers: &HeaderMap, memory: &Memory) -> Result<(), Problem> {
    if headers.contains_key(header::IF_MATCH) && !names(headers, &header::IF_MATCH, memory) {
        return Err(Problem::precondition_failed(format!("its state is {} by now", etag(memory))));
    }
    Ok(())
}

/// The states in which the caller has seen a memory that cannot be looked at now; none if it does not matter.
fn seen(headers: &HeaderMap) -> Result<Vec<Seen>, Problem> {
    let given = headers.get_all(header::IF_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    let tags: Vec<&str> = given.flat_map(|value| value.split(',')).map(str::trim).collect();
    if tags.contains(&"*") || !headers.contains_key(header::IF_MATCH) {
        return Ok(Vec::new());
    }
    let state = |tag: &&str| {
        let tag = state_of(tag);
        let (version, change) = tag.strip_prefix('"')?.strip_suffix('"')?.split_once('-')?;
        let change = change.trim_end_matches("-trashed").parse().ok()?;
        Some(Seen { version: version.parse().ok()?, change: ChangeNumber(change) })
    };
    let seen: Vec<Seen> = tags.iter().filter_map(state).collect();
    if seen.is_empty() {
        return Err(Problem::precondition_failed("no state that it was ever in is named"));
    }
    Ok(seen)
}

/// What to change; what is left out stays. A time of null is taken away.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Changes {
    #[schemars(with = "Option<crate::routes::Text>")]
    content: Option<String>,
    layer: Option<Layer>,
    kind: Option<Kind>,
    importance: Option<Importance>,
    #[schemars(with = "Option<Vec<crate::routes::Label>>", length(max = 64))]
    tags: Option<Vec<String>>,
    #[schemars(with = "Option<Vec<crate::routes::Label>>", length(max = 64))]
    aliases: Option<Vec<String>>,
    pinned: Option<bool>,
    #[serde(deserialize_with = "present")]
    #[schemars(with = "Option<crate::routes::Moment>")]
    expires_at: Option<Option<Timestamp>>,
    #[serde(deserialize_with = "present")]
    #[schemars(with = "Option<crate::routes::Moment>")]
    valid_from: Option<Option<Timestamp>>,
    #[serde(deserialize_with = "present")]
    #[schemars(with = "Option<crate::routes::Moment>")]
    valid_until: Option<Option<Timestamp>>,
    #[serde(deserialize_with = "present")]
    #[schemars(with = "Option<MemoryId>")]
    superseded_by: Option<Option<MemoryId>>,
    metadata: Option<serde_json::Map<String, serde_json::Value>>,
    /// In place of all it has.
    context: Option<Context>,
    /// Another structure; null takes it away. Words that were made from it follow.
    #[serde(deserialize_with = "present")]
    #[schemars(with = "Option<serde_json::Value>")]
    data: Option<Option<serde_json::Value>>,
}

/// Tells null from what is left out.
fn present<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    reader: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(reader).map(Some)
}

async fn revise(
    visit: Visit,
    Named(id): Named<MemoryId>,
    headers: HeaderMap,
    Body(asked): Body<Changes>,
) -> Result<Response, Problem> {
    let scope = visit.caller.scope.clone();
    let revised = visit
        .work(move |engine| {
            let mut request = Revise {
                content: asked.content,
                layer: asked.layer,
                kind: asked.kind,
                importance: asked.importance,
                tags: asked.tags,
                aliases: asked.aliases,
                pinned: asked.pinned,
                expires_at: asked.expires_at,
                superseded_by: asked.superseded_by,
                valid_from: asked.valid_from,
                valid_until: asked.valid_until,
                metadata: asked.metadata,
                context: asked.context,
                data: asked.data,
                expected_version: None,
            };
            // What has expired is not seen, and so not changed either.
            let Some(memory) = engine.look_before_change(&scope, id)? else {
                return Ok(engine.revise_as_seen(&scope, id, request, &seen(&headers)?)?);
            };
            check_match(&headers, &memory)?;
            if headers.contains_key(header::IF_MATCH) {
                // Between this look and the change somebody may come first; the store checks again.
                request.expected_version = Some(memory.version);
            }
            engine.revise(&scope, id, request).map_err(|error| match error {
                Error::Store(StoreError::VersionConflict { .. }) => {
                    Problem::precondition_failed(error.to_string())
                }
                error => error.into(),
            })
        })
        .await?;
    Ok(tagged(&revised.memory, Json(&revised)))
}

async fn forget(visit: Visit, Named(id): Named<MemoryId>, headers: HeaderMap) -> Result<Response, Problem> {
    let scope = visit.caller.scope.clone();
    let memory = visit
        .work(move |engine| {
            // What has expired is not seen, and so not answered with either.
            match engine.look_before_change(&scope, id)? {
                Some(memory) => check_match(&headers, &memory)?,
                None => return Ok(engine.forget_as_seen(&scope, id, &seen(&headers)?)?),
            }
            Ok(engine.forget(&scope, id)?)
        })
        .await?;
    Ok(tagged(&memory, Json(&memory)))
}

async fn restore(visit: Visit, Named(id): Named<MemoryId>) -> Result<Response, Problem> {
    let scope = visit.caller.scope.clone();
    let memory = visit
        .work(move |engine| {
            engine.look_before_change(&scope, id)?;
            Ok(engine.restore(&scope, id)?)
        })
        .await?;
    Ok(tagged(&memory, Json(&memory)))
}

async fn purge(visit: Visit, Named(id): Named<MemoryId>) -> Result<Json<Destroyed>, Problem> {
    let scope = visit.caller.scope.clone();
    visit.work(move |engine| Ok(engine.purge(&scope, id)?.told_within(&scope))).await.map(Json)
}

async fn history(visit: Visit, Named(id): Named<MemoryId>) -> Result<Json<History>, Problem> {
    let scope = visit.caller.scope.clone();
    visit.work(move |engine| Ok(engine.history(&scope, id)?)).await.map(Json)
}

async fn split(visit: Visit, Named(id): Named<MemoryId>) -> Result<Response, Problem> {
    let scope = visit.caller.scope.clone();
    let memory = visit.work(move |engine| Ok(engine.split(&scope, id)?)).await?;
    Ok(tagged(&memory, Json(&memory)))
}
