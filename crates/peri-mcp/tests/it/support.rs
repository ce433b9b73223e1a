//! What the tests share: a server on a temporary folder, and clients that announce what they are told to.
// Roots are how clients of today announce a workspace, although a later protocol drops them.
#![expect(deprecated)]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use peri_mcp::{Families, Home, MemoryServer, Settings, SharedEngine};
use perihelion::{Chores, Clock, Options, Perihelion, Timestamp};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientInfo, ErrorData, Implementation,
    ListRootsResult, ProtocolVersion, Tool,
};
use rmcp::service::{RequestContext, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceExt};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// An engine on a folder of its own, and what its servers are told.
pub struct World {
    folder: Arc<TempDir>,
    pub clock: Clock,
    pub engine: SharedEngine,
    pub settings: Settings,
}

/// What a client says when it is asked for its roots.
#[derive(Debug, Clone)]
pub enum Announces {
    /// It does not know of roots.
    Nothing,
    /// These.
    Roots(Vec<String>),
    /// It knows of roots but never answers.
    Silence,
    /// It knows of roots but refuses to tell.
    Refusal,
}

/// Which revision of the protocol a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// 2025-11-25: a handshake, and the server asks for roots.
    Handshake,
    /// 2026-07-28: no handshake, and a call is answered with a question for the roots.
    Discover,
}

pub const ERAS: [Era; 2] = [Era::Handshake, Era::Discover];

#[derive(Clone)]
pub struct Person {
    announces: Arc<Mutex<Announces>>,
}

/// A client with a server of its own.
pub struct Client {
    pub service: RunningService<RoleClient, Person>,
    announces: Arc<Mutex<Announces>>,
    tools: BTreeMap<String, Tool>,
    /// It must be there for as long as somebody asks.
    _folder: Arc<TempDir>,
}

impl World {
    pub fn new() -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let clock = Clock::manual("2026-11-15T10:00:00Z".parse::<Timestamp>().unwrap());
        let options = Options { chores: Chores::ByHand, clock: clock.clone(), ..Options::at(folder.path()) };
        let engine = SharedEngine::open(Arc::new(Perihelion::open(options).unwrap()));
        Self { folder, clock, engine, settings: Settings::default() }
    }

    /// One that offers every family.
    pub fn whole() -> Self {
        let mut world = Self::new();
        world.settings.families = Families::all();
        world
    }

    pub fn families(mut self, families: &str) -> Self {
        self.settings.families = families.parse().unwrap();
        self
    }

    pub fn home(mut self, home: Home) -> Self {
        self.settings.home = home;
        self
    }

    pub fn server(&self) -> MemoryServer {
        MemoryServer::new(self.engine.clone(), Arc::new(self.settings.clone()))
    }

    /// Lets a moment pass, so that what comes next is later.
    pub fn tick(&self) {
        self.pass(Duration::from_millis(10));
    }

    /// Lets time pass.
    pub fn pass(&self, time: Duration) {
        self.clock.advance(time.try_into().unwrap());
    }

    /// A client without a workspace, of the protocol of today.
    pub async fn client(&self) -> Client {
        self.connect(Announces::Nothing, Era::Handshake).await
    }

    pub async fn connect(&self, announces: Announces, era: Era) -> Client {
        let (server_end, client_end) = tokio::io::duplex(1 << 20);
        let server = self.server();
        tokio::spawn(async move {
            let running = server.serve(server_end).await.unwrap();
            running.waiting().await.unwrap();
        });
        let announces = Arc::new(Mutex::new(announces));
        let person = Person { announces: Arc::clone(&announces) };
        let service = match era {
            Era::Handshake => person.serve(client_end).await.unwrap(),
            Era::Discover => {
                let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
                let mode = ClientLifecycleMode::Discover { preferred_versions };
                person.serve_with_lifecycle(client_end, mode).await.unwrap()
            }
        };
        let listed = service.list_all_tools().await.unwrap();
        let tools = listed.into_iter().map(|tool| (tool.name.to_string(), tool)).collect();
        Client { service, announces, tools, _folder: Arc::clone(&self.folder) }
    }
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientInfo {
        let capabilities = match *self.announces.lock().unwrap() {
            Announces::Nothing => ClientCapabilities::default(),
            _ => ClientCapabilities::builder().enable_roots().enable_roots_list_changed().build(),
        };
        ClientInfo::new(capabilities, Implementation::new("tests", "0"))
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn list_roots(&self, _context: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        let announces = self.announces.lock().unwrap().clone();
        match announces {
            Announces::Roots(uris) => {
                let roots: Vec<Value> = uris.iter().map(|uri| json!({ "uri": uri })).collect();
                Ok(serde_json::from_value(json!({ "roots": roots })).unwrap())
            }
            Announces::Silence => std::future::pending().await,
            Announces::Nothing | Announces::Refusal => {
                Err(ErrorData::internal_error("the workspace is private", None))
            }
        }
    }
}

impl Client {
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.tools.values()
    }

    pub fn tool(&self, name: &str) -> &Tool {
        self.tools.get(name).unwrap_or_else(|| panic!("{name} is not offered"))
    }

    /// What it says from now on when it is asked.
    pub fn announce(&self, announces: Announces) {
        *self.announces.lock().unwrap() = announces;
    }

    pub async fn call(&self, tool: &str, arguments: Value) -> CallToolResult {
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(object(arguments));
        self.service.call_tool(request).await.unwrap_or_else(|error| panic!("{tool}: {error}"))
    }

    /// What a tool answers, made sure to be of the shape that it promises.
    pub async fn ok(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_ne!(result.is_error, Some(true), "{tool}: {}", text(&result));
        let answer = result.structured_content.clone().unwrap_or_else(|| panic!("{tool} gave no data"));
        check_shape(self.tool(tool), &answer);
        answer
    }

    /// Why a tool refuses.
    pub async fn refused(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments.clone()).await;
        assert_eq!(result.is_error, Some(true), "{tool} {arguments} is taken: {}", text(&result));
        text(&result)
    }

    /// Stores a statement, and gives its id.
    pub async fn keep(&self, content: &str) -> String {
        id(&self.ok("memory_store", json!({ "content": content })).await)
    }
}

pub fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is no object"),
    }
}

pub fn text(result: &CallToolResult) -> String {
    let texts = result.content.iter().filter_map(|block| block.as_text());
    texts.map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n")
}

pub fn id(answer: &Value) -> String {
    answer["id"].as_str().unwrap_or_else(|| panic!("{answer} has no id")).to_owned()
}

/// A field of each memory in an answer.
pub fn each(answer: &Value, field: &str) -> Vec<String> {
    let memories = answer["memories"].as_array().unwrap_or_else(|| panic!("{answer} has no memories"));
    memories.iter().map(|memory| memory[field].as_str().unwrap().to_owned()).collect()
}

/// An answer must be as its schema says, and must not hold what that does not tell of.
fn check_shape(tool: &Tool, answer: &Value) {
    let schema = tool.output_schema.as_ref().unwrap_or_else(|| panic!("{} has no output schema", tool.name));
    let mut schema = Value::Object(schema.as_ref().clone());
    if tool.name != "memory_events" {
        // What an event holds depends on its kind, and is not spelled out.
        close(&mut schema);
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    if let Err(error) = validator.validate(answer) {
        panic!("{} at {}: {error}\nin {answer}", tool.name, error.instance_path());
    }
}

/// Makes every object refuse what it does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if object.contains_key("properties") {
                object.insert("additionalProperties".to_owned(), json!(false));
            }
            object.values_mut().for_each(close);
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        _ => {}
    }
}

/// Memories that came to another namespace of the store, with the ids that they came with in the place of their own.
#[track_caller]
pub fn of_their_own(copied: &Value) -> Value {
    let mut copied = copied.clone();
    for copy in copied.as_array_mut().unwrap() {
        let given = copy["metadata"].as_object_mut().unwrap().remove("given_id").unwrap();
        assert_ne!(copy["id"], given, "an id names one memory");
        copy["id"] = given;
        if copy["metadata"].as_object().unwrap().is_empty() {
            copy.as_object_mut().unwrap().remove("metadata");
        }
    }
    // Those of one millisecond are in the order of ids that they have no more.
    copied.as_array_mut().unwrap().sort_by_key(|copy| copy["id"].as_str().unwrap().to_owned());
    copied
}
