//! One client's server: what it says of itself, and how a call is answered.
// Roots are how every client of today announces its workspace, although a later protocol drops them.
#![expect(deprecated)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use perihelion::{Awaited, Caller, Refused, Scope};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock,
    GetPromptRequestParams, GetPromptResponse, Implementation, InitializeResult, InputRequest,
    InputRequiredResult, InputResponses, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListRootsRequest, ListRootsResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::engine::SharedEngine;
use crate::place::{Home, Roots};
use crate::refusal::Refusal;
use crate::table::{Answer, Entry, Families, Unsaid, Voice, take_namespace};
use crate::timed::Timed;
use crate::{prompts, resources, seen, tools};

/// How long a client may take to tell its workspace roots.
const ROOTS_WAIT: Duration = Duration::from_secs(5);
/// How long clients may keep a list: they change only when the server is started anew.
const LIST_TTL_MS: u64 = 5 * 60 * 1000;
/// By what name the roots are asked for in protocols where a call asks for more.
const ROOTS_REQUEST: &str = "workspace_roots";

/// What a server offers and where it works.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The families of tools on offer.
    pub families: Families,
    /// Where calls work that do not say.
    pub home: Home,
    /// What clients are told besides the server's own words.
    pub instructions: Option<String>,
}

/// Answers one client.
#[derive(Clone)]
pub struct MemoryServer {
    engine: SharedEngine,
    settings: Arc<Settings>,
    timed: Timed,
    /// What this client announced; asked for at its first call, and again when it says that it changed.
    roots: Arc<tokio::sync::Mutex<Option<Roots>>>,
    /// Set when the client says that they changed.
    pub(crate) moved: Arc<AtomicBool>,
}

/// Whose call it is and where it works, found out before the engine is asked.
pub(crate) struct Place {
    pub(crate) caller: Caller,
    pub(crate) scope: Scope,
}

/// Why there is no place yet: the client must be asked first, or the call is refused.
enum Displaced {
    Ask,
    Refused(Refusal),
    /// The key is not for it, which the audit is told of.
    Denied(Caller, Refused),
}

impl MemoryServer {
    /// A server for one client.
    pub fn new(engine: SharedEngine, settings: Arc<Settings>) -> Self {
        Self { engine, settings, timed: Timed::default(), roots: Arc::default(), moved: Arc::default() }
    }

    /// The same, with somebody who is told how long tools took.
    pub fn timed(self, timed: Timed) -> Self {
        Self { timed, ..self }
    }

    /// The span of a call: below that of the request that brought it, which the HTTP face leaves with it.
    fn span(tool: &'static str, context: &RequestContext<RoleServer>) -> tracing::Span {
        let parts = context.extensions.get::<http::request::Parts>();
        match parts.and_then(|parts| parts.extensions.get::<tracing::Span>()) {
            Some(request) => tracing::info_span!(parent: request, "tool", otel.name = tool, tool),
            None => tracing::info_span!("tool", otel.name = tool, tool),
        }
    }

    /// Who calls: whoever the HTTP face has let in, or whoever started this process. A request over HTTP that no
    /// face has vouched for gets nothing.
    fn caller(context: &RequestContext<RoleServer>) -> Result<Caller, Refusal> {
        match context.extensions.get::<http::request::Parts>() {
            None => Ok(Caller::local()),
            Some(parts) => {
                let vouched = parts.extensions.get::<Caller>().cloned();
                vouched.ok_or_else(|| Refusal::new("nobody has let this request in; show a key"))
            }
        }
    }

    /// The namespace that the address of an HTTP client names: `/mcp?namespace=team/agent`.
    fn addressed(context: &RequestContext<RoleServer>) -> Result<Option<Scope>, Refusal> {
        let Some(parts) = context.extensions.get::<http::request::Parts>() else { return Ok(None) };
        let query = parts.uri.query().unwrap_or_default();
        let Some(text) = query.split('&').find_map(|pair| pair.strip_prefix("namespace=")) else {
            return Ok(None);
        };
        let text = percent_encoding::percent_decode_str(text).decode_utf8_lossy();
        text.parse().map(Some).map_err(|error| Refusal::argument("namespace", error))
    }

    async fn place(
        &self,
        asked: Option<Scope>,
        unsaid: Unsaid,
        answers: Option<&InputResponses>,
        context: &RequestContext<RoleServer>,
    ) -> Result<Place, Displaced> {
        let caller = Self::caller(context).map_err(Displaced::Refused)?;
        let addressed = Self::addressed(context).map_err(Displaced::Refused)?;
        let scope = match asked.or(addressed) {
            Some(scope) => scope,
            None if unsaid == Unsaid::Everywhere => caller.scope.clone(),
            None if self.settings.home.namespace.is_none() && caller.only_namespace().is_some() => {
                caller.scope.clone()
            }
            None => {
                let roots = self.roots(answers, context).await?;
                self.settings.home.scope(&roots).map_err(Displaced::Refused)?
            }
        };
        match caller.within(scope) {
            Ok(scope) => Ok(Place { caller, scope }),
            Err(refused) => Err(Displaced::Denied(caller, refused)),
        }
    }

    /// Notes for the audit that a key was not enough, and says so.
    async fn deny(&self, action: &str, caller: &Caller, refused: Refused) -> Refusal {
        let reason = match &refused {
            Refused::Role { .. } => "role",
            Refused::Scope { .. } => "namespace",
        };
        tracing::warn!(action, reason, key = caller.key.map(|key| key.to_string()), "refused");
        if let Ok(engine) = self.engine.get().await {
            engine.tell_refused(None, action, caller.key, reason);
        }
        refused.into()
    }

    /// What the client announced about its workspace.
    async fn roots(
        &self,
        answers: Option<&InputResponses>,
        context: &RequestContext<RoleServer>,
    ) -> Result<Roots, Displaced> {
        if self.settings.home.namespace.is_some() || !has_roots(context.client_capabilities()) {
            return Ok(Roots::None);
        }
        if context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
            let Some(answer) = answers.and_then(|answers| answers.get(ROOTS_REQUEST)) else {
                return Err(Displaced::Ask);
            };
            return Ok(match serde_json::from_value::<ListRootsResult>(answer.clone()) {
                Ok(listed) => known(listed),
                Err(error) => Roots::Silent(error.to_string()),
            });
        }
        // Whoever waits for another call to ask waits no longer than if it asked itself.
        let told = tokio::time::timeout(ROOTS_WAIT, self.told_roots(context)).await;
        Ok(told.unwrap_or_else(|_| Roots::Silent("no answer to roots/list".to_owned())))
    }

    /// The roots as this client told them; it is asked once, and again after it said that they changed. One that
    /// did not answer is asked again at the next call: a client may be late once.
    async fn told_roots(&self, context: &RequestContext<RoleServer>) -> Roots {
        // Over HTTP the call that follows a change is begun before the notification's handler, which the runtime runs
        // as soon as this call stands back.
        tokio::task::yield_now().await;
        let mut kept = self.roots.lock().await;
        if self.moved.swap(false, Ordering::SeqCst) {
            *kept = None;
        }
        if let Some(roots) = kept.as_ref() {
            return roots.clone();
        }
        match context.peer.list_roots().await {
            Ok(listed) => kept.insert(known(listed)).clone(),
            Err(error) => Roots::Silent(error.to_string()),
        }
    }

    async fn answer(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(entry) = tools::find(&request.name, &self.settings.families) else {
            return Err(ErrorData::invalid_params(
                format!("there is no tool {:?}; tools/list tells what there is", request.name),
                None,
            ));
        };
        let mut arguments = request.arguments.unwrap_or_default();
        let asked = match take_namespace(&mut arguments) {
            Ok(asked) => asked,
            Err(refusal) => return Ok(refuse(entry, &refusal).into()),
        };
        let place = match self.place(asked, entry.unsaid, request.input_responses.as_ref(), context).await {
            Ok(place) => place,
            Err(Displaced::Ask) => return Ok(ask_for_roots().into()),
            Err(Displaced::Refused(refusal)) => return Ok(refuse(entry, &refusal).into()),
            Err(Displaced::Denied(caller, refused)) => {
                return Ok(refuse(entry, &self.deny(entry.name, &caller, refused).await).into());
            }
        };
        if let Err(refused) = place.caller.may(entry.need) {
            return Ok(refuse(entry, &self.deny(entry.name, &place.caller, refused).await).into());
        }
        let engine = match self.engine.get().await {
            Ok(engine) => engine,
            Err(why) => return Ok(refuse(entry, &Refusal(why)).into()),
        };
        let (span, timed) = (Self::span(entry.name, context), self.timed.clone());
        let scope = json!(place.scope);
        let done = tokio::task::spawn_blocking(move || {
            let _entered = span.enter();
            let began = Instant::now();
            let desk = Desk { engine: &engine, caller: &place.caller, scope: place.scope };
            let answer = engine.awaited(entry.awaited(), || entry.call(&desk, Value::Object(arguments)));
            timed.tell(entry.name, began.elapsed());
            answer
        });
        match done.await {
            Ok(Ok(answer)) => Ok(complete(answer).into()),
            Ok(Err(refusal)) if refusal.is_queued() => Ok(queued(&refusal, &scope).into()),
            Ok(Err(refusal)) => Ok(refuse(entry, &refusal).into()),
            Err(error) => {
                tracing::error!(%error, tool = entry.name, "a tool broke off");
                Err(ErrorData::internal_error(
                    format!("{} broke off; nothing half done is kept", entry.name),
                    None,
                ))
            }
        }
    }

    /// Hands reading a resource or a prompt to a blocking thread.
    async fn look<T: Send + 'static>(
        &self,
        asked: Option<Scope>,
        answers: Option<&InputResponses>,
        context: &RequestContext<RoleServer>,
        look: impl FnOnce(&Desk<'_>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<Result<T, InputRequiredResult>, ErrorData> {
        let invalid = |refusal: Refusal| ErrorData::invalid_params(refusal.0, None);
        let place = match self.place(asked, Unsaid::Home, answers, context).await {
            Ok(place) => place,
            Err(Displaced::Ask) => return Ok(Err(ask_for_roots())),
            Err(Displaced::Refused(refusal)) => return Err(invalid(refusal)),
            Err(Displaced::Denied(caller, refused)) => {
                return Err(invalid(self.deny("resources and prompts", &caller, refused).await));
            }
        };
        let engine = self.engine.get().await.map_err(|why| ErrorData::internal_error(why, None))?;
        let done = tokio::task::spawn_blocking(move || {
            let desk = Desk { engine: &engine, caller: &place.caller, scope: place.scope };
            engine.awaited(Awaited::Answer, || look(&desk))
        });
        match done.await {
            Ok(outcome) => outcome.map(Ok).map_err(invalid),
            Err(error) => Err(ErrorData::internal_error(error.to_string(), None)),
        }
    }
}
fn has_roots(capabilities: Option<ClientCapabilities>) -> bool {
    capabilities.is_some_and(|capabilities| capabilities.roots.is_some())
}
fn known(listed: ListRootsResult) -> Roots {
    Roots::Known(listed.roots.into_iter().map(|root| root.uri).collect())
}
fn ask_for_roots() -> InputRequiredResult {
    let request = InputRequest::ListRoots(ListRootsRequest::default());
    InputRequiredResult::from_input_requests([(ROOTS_REQUEST.to_owned(), request)].into())
}

/// The answer twice over, as the protocol asks: as data, and as text for clients that read only that.
fn complete(answer: Answer) -> CallToolResult {
    let mut result = CallToolResult::structured(Value::Object(answer.data));
    if let Some(text) = answer.text {
        result.content = vec![ContentBlock::text(text)];
    }
    result
}

/// The answer to a change that waits for the store: nothing went wrong, and nothing is to be tried again.
fn queued(told: &Refusal, scope: &Value) -> CallToolResult {
    let mut result = CallToolResult::structured(json!({ "outcome": "queued", "namespace": scope }));
    // What a model reads says in words what became of it.
    result.content = vec![ContentBlock::text(told.0.clone())];
    result
}

fn refuse(entry: &Entry, refusal: &Refusal) -> CallToolResult {
    let text = match entry.voice {
        Voice::Own => format!("{}: {}", entry.name, refusal.0),
        Voice::Another => refusal.0.clone(),
    };
    CallToolResult::error(vec![ContentBlock::text(seen::text_of(text))])
}

fn no_resource(uri: &str) -> ErrorData {
    let message = format!("there is no resource {uri:?}; resources/list tells what there is");
    ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
}

/// Everything fits on one page, so every cursor is one that nobody handed out.
fn one_page(request: Option<&PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor.as_deref()) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params("this list has one page; leave the cursor out", None)),
    }
}

impl ServerHandler for MemoryServer {
    fn get_info(&self) -> InitializeResult {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        let mut instructions = INSTRUCTIONS.to_owned();
        if let Some(more) = &self.settings.instructions {
            instructions.push('\n');
            instructions.push_str(more);
        }
        InitializeResult::new(capabilities)
            .with_server_info(
                Implementation::new("perihelion", env!("CARGO_PKG_VERSION")).with_title("Perihelion"),
            )
            .with_instructions(instructions)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        one_page(request.as_ref())?;
        let listed = ListToolsResult::with_all_items(tools::offered(&self.settings.families));
        Ok(listed.with_ttl_ms(LIST_TTL_MS).with_cache_scope(CacheScope::Private))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name, &self.settings.families).map(|entry| entry.tool.clone())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.clone();
        // What is under way on a blocking thread is done whole or not at all; only waiting for it ends.
        let answer = tokio::select! {
            answer = self.answer(request, &context) => answer,
            () = context.ct.cancelled() => Err(ErrorData::internal_error("the call was cancelled", None)),
        };
        tracing::debug!(tool = %name, refused = answer.is_err(), "a tool was called");
        answer
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        one_page(request.as_ref())?;
        let listed = ListResourcesResult::with_all_items(resources::all(&self.settings.families));
        Ok(listed.with_ttl_ms(LIST_TTL_MS).with_cache_scope(CacheScope::Private))
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(request.as_ref())?;
        let listed = ListResourceTemplatesResult::with_all_items(resources::templates());
        Ok(listed.with_ttl_ms(LIST_TTL_MS).with_cache_scope(CacheScope::Private))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.clone();
        let Some(resource) = resources::find(&uri, &self.settings.families) else {
            return Err(no_resource(&uri));
        };
        let (answers, read) = (request.input_responses.as_ref(), uri.clone());
        let asked = resource.namespace().cloned().map(Scope::Exact);
        let look = move |desk: &Desk<'_>| resources::read(&resource, &read, desk);
        match self.look(asked, answers, &context, look).await? {
            // What is remembered may change at any moment, and is nobody else's business.
            Ok(Some(found)) => Ok(found.with_ttl_ms(0).with_cache_scope(CacheScope::Private).into()),
            Ok(None) => Err(no_resource(&uri)),
            Err(ask) => Ok(ask.into()),
        }
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        one_page(request.as_ref())?;
        let listed = ListPromptsResult::with_all_items(prompts::all());
        Ok(listed.with_ttl_ms(LIST_TTL_MS).with_cache_scope(CacheScope::Private))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let GetPromptRequestParams { name, arguments, input_responses, .. } = request;
        // Nobody is asked for their workspace on account of a prompt that does not exist.
        prompts::check(&name).map_err(|refusal| ErrorData::invalid_params(refusal.0, None))?;
        let arguments = arguments.unwrap_or_default();
        let look = move |desk: &Desk<'_>| prompts::get(&name, &arguments, desk);
        match self.look(None, input_responses.as_ref(), &context, look).await? {
            Ok(prompt) => Ok(prompt.into()),
            Err(ask) => Ok(ask.into()),
        }
    }

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        self.moved.store(true, Ordering::SeqCst);
    }
}

const INSTRUCTIONS: &str = "Long-term memory. Call memory_recall before answering anything that may depend on \
earlier conversations, people, preferences, decisions or the project, and memory_store when you learn something \
worth keeping: one statement per call, complete in itself, with names instead of pronouns. A newer statement \
replaces an older one by itself. Every answer names the namespace it worked in; pass `namespace` only to work in \
another one (team/* looks into all below team).";
