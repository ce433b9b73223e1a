//! The shape of the table of tools: one entry a tool, read by the server and by tests.

use std::collections::BTreeSet;
use std::str::FromStr;

use perihelion::{Awaited, Role, Scope};
use rmcp::model::{Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::desk::Desk;
use crate::refusal::Refusal;
#[cfg(test)]
use crate::schema::{self, Side};
use crate::shapes::Shapes;
use crate::{page, seen};

/// A group of tools that is offered or not as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// What every agent needs; offered unless somebody says otherwise.
    Core,
    /// Changing, listing and restoring memories.
    Edit,
    /// Links between memories.
    Graph,
    /// Telling what was of use and how tasks ended, and what was learned from it.
    Learn,
    /// Namespaces, chores, workers and purging.
    Admin,
    /// Entities and relations under the names of the reference memory server.
    Knowledge,
    /// Holding values under keys for a while.
    Work,
    /// What happened, as it came, and the turns it happened in.
    Journal,
    /// What is said in sessions, what was noted of it, and what agents are given.
    Notes,
}

/// The families that a server offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Families(BTreeSet<Family>);

/// A name that is no family's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no family of tools; there are core, edit, graph, learn, admin, knowledge, work, journal, notes and all"
)]
pub struct UnknownFamily(String);

impl Family {
    /// Every family.
    pub const ALL: [Self; 9] = [
        Self::Core,
        Self::Edit,
        Self::Graph,
        Self::Learn,
        Self::Admin,
        Self::Knowledge,
        Self::Work,
        Self::Journal,
        Self::Notes,
    ];

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Edit => "edit",
            Self::Graph => "graph",
            Self::Learn => "learn",
            Self::Admin => "admin",
            Self::Knowledge => "knowledge",
            Self::Work => "work",
            Self::Journal => "journal",
            Self::Notes => "notes",
        }
    }
}

impl Default for Families {
    fn default() -> Self {
        Self(BTreeSet::from([Family::Core]))
    }
}

impl Families {
    /// All of them.
    pub fn all() -> Self {
        Self(BTreeSet::from(Family::ALL))
    }

    /// Whether a family is offered.
    pub fn contains(&self, family: Family) -> bool {
        self.0.contains(&family)
    }
}

impl FromStr for Families {
    type Err = UnknownFamily;

    /// Names between commas: `core,graph`, or `all`.
    fn from_str(text: &str) -> Result<Self, UnknownFamily> {
        let mut families = BTreeSet::new();
        for name in text.split(',').map(str::trim) {
            match Family::ALL.into_iter().find(|family| family.as_str() == name) {
                Some(family) => _ = families.insert(family),
                None if name == "all" => families.extend(Family::ALL),
                None => return Err(UnknownFamily(name.to_owned())),
            }
        }
        Ok(Self(families))
    }
}

/// What a tool does to what is stored, told to clients as hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    Reads,
    /// Adds; once more changes nothing.
    Adds,
    /// Adds once more each time.
    AddsAgain,
    /// Takes away or replaces; once more changes nothing.
    Removes,
    /// Replaces, and counts as a further change each time.
    Changes,
}

impl Effect {
    fn hints(self) -> ToolAnnotations {
        ToolAnnotations::new()
            .read_only(self == Self::Reads)
            .destructive(matches!(self, Self::Removes | Self::Changes))
            .idempotent(!matches!(self, Self::AddsAgain | Self::Changes))
            .open_world(false)
    }
}

/// Where a call works that does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unsaid {
    /// Where the client is at home.
    Home,
    /// Everywhere that the caller may be.
    Everywhere,
}

/// Whose words an answer is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    /// Ours: the answer names the namespace, and a refusal the tool.
    Own,
    /// Exactly those of another server.
    Another,
}

/// What a tool answers: data, and the same as text for clients that read only that.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) data: Map<String, Value>,
    /// Where it is not simply the data as JSON.
    pub(crate) text: Option<String>,
}

type Run = Box<dyn Fn(&Desk<'_>, Value) -> Result<Answer, Refusal> + Send + Sync>;

/// One tool.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) family: Family,
    pub(crate) need: Role,
    pub(crate) unsaid: Unsaid,
    pub(crate) voice: Voice,
    /// The list of its answer that comes page by page, where the tool has no cursor of its own.
    pub(crate) list: Option<&'static str>,
    /// Whether the answer's field `text` is a text that was quoted and framed as a whole, and must stay one.
    pub(crate) framed: bool,
    pub(crate) tool: Tool,
    run: Run,
    /// What the types of the tool say of its shapes.
    #[cfg(test)]
    pub(crate) generated: fn(Role) -> Shapes,
}

/// A line of the table.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) family: Family,
    pub(crate) effect: Effect,
    pub(crate) need: Role,
    pub(crate) description: &'static str,
}

impl Entry {
    /// What whoever calls the tool waits for.
    pub(crate) fn awaited(&self) -> Awaited {
        match (self.name, self.need) {
            ("memory_export" | "memory_import", _) => Awaited::Work,
            ("memory_events" | "workers_status", _) | (_, Role::Reader) => Awaited::Answer,
            ("memory_purge", _) | (_, Role::Writer) => Awaited::Receipt,
            (_, Role::Admin) => Awaited::Work,
        }
    }

    /// A tool that takes `In`, answers with `Out`, and works in the namespace that it echoes.
    pub(crate) fn new<In, Out>(line: Line, run: fn(&Desk<'_>, In) -> Result<Out, Refusal>) -> Self
    where
        In: DeserializeOwned + JsonSchema + 'static,
        Out: Serialize + JsonSchema + 'static,
    {
        Self::own(line, run, None)
    }

    /// The same, for what is a text to read before it is data: a model reads that instead of JSON.
    pub(crate) fn told<In, Out>(
        line: Line,
        run: fn(&Desk<'_>, In) -> Result<Out, Refusal>,
        words: fn(&Out) -> String,
    ) -> Self
    where
        In: DeserializeOwned + JsonSchema + 'static,
        Out: Serialize + JsonSchema + 'static,
    {
        Self::own(line, run, Some(words))
    }

    fn own<In, Out>(
        line: Line,
        run: fn(&Desk<'_>, In) -> Result<Out, Refusal>,
        words: Option<fn(&Out) -> String>,
    ) -> Self
    where
        In: DeserializeOwned + JsonSchema + 'static,
        Out: Serialize + JsonSchema + 'static,
    {
        let handler = move |desk: &Desk<'_>, arguments: Value| {
            let answer = run(desk, read(arguments)?)?;
            let mut data = write(&answer)?;
            data.insert("namespace".to_owned(), json!(desk.scope));
            Ok(Answer { data, text: words.map(|words| words(&answer)) })
        };
        Self {
            name: line.name,
            family: line.family,
            need: line.need,
            unsaid: Unsaid::Home,
            voice: Voice::Own,
            list: None,
            framed: words.is_some(),
            tool: tool(line),
            run: Box::new(handler),
            #[cfg(test)]
            generated: schema::with_namespace::<In, Out>,
        }
    }

    /// The same, for what is about the whole store rather than about one place: unless the call narrows it, it
    /// works everywhere that the caller may be.
    pub(crate) fn wide<In, Out>(line: Line, run: fn(&Desk<'_>, In) -> Result<Out, Refusal>) -> Self
    where
        In: DeserializeOwned + JsonSchema + 'static,
        Out: Serialize + JsonSchema + 'static,
    {
        Self { unsaid: Unsaid::Everywhere, ..Self::new(line, run) }
    }

    /// A tool with the exact shapes of another server: nothing is added to them, and the text is that server's.
    pub(crate) fn exact<In, Out>(
        line: Line,
        run: fn(&Desk<'_>, In) -> Result<Out, Refusal>,
        text: fn(&Out) -> Result<String, serde_json::Error>,
    ) -> Self
    where
        In: DeserializeOwned + JsonSchema + 'static,
        Out: Serialize + JsonSchema + 'static,
    {
        let handler = move |desk: &Desk<'_>, arguments: Value| {
            let answer = run(desk, read(arguments)?)?;
            Ok(Answer { data: write(&answer)?, text: Some(text(&answer).map_err(unwritable)?) })
        };
        Self {
            name: line.name,
            family: line.family,
            need: line.need,
            unsaid: Unsaid::Home,
            voice: Voice::Another,
            list: None,
            framed: false,
            tool: tool(line),
            run: Box::new(handler),
            #[cfg(test)]
            generated: |_| Shapes {
                input: schema::lean::<In>(Side::Input),
                output: schema::lean::<Out>(Side::Output),
            },
        }
    }

    /// The same, with this list of its answer page by page.
    pub(crate) fn paged(self, list: &'static str) -> Self {
        Self { list: Some(list), ..self }
    }

    /// Answers a call as a model is given it. The namespace has been taken out of the arguments already.
    pub(crate) fn call(&self, desk: &Desk<'_>, mut arguments: Value) -> Result<Answer, Refusal> {
        desk.caller.may(self.need)?;
        desk.caller.within(desk.scope.clone())?;
        let offset = self.list.map(|_| page::take_cursor(&mut arguments)).transpose()?;
        let Answer { mut data, text } = (self.run)(desk, arguments)?;
        if let (Some(list), Some(offset)) = (self.list, offset) {
            page::turn(&mut data, list, offset)?;
        }
        let whole = if self.framed { data.remove("text") } else { None };
        data = seen::object(data);
        data.extend(whole.map(|text| ("text".to_owned(), text)));
        let text = text.map(|text| if self.framed { text } else { seen::words(&text) });
        let bytes = |text: &String| text.len();
        page::check(self.name, json!(data).to_string().len().max(text.as_ref().map_or(0, bytes)))?;
        Ok(Answer { data, text })
    }

    /// What the types of the tool say of its shapes, and the table of its pages.
    #[cfg(test)]
    pub(crate) fn shapes(&self) -> Shapes {
        let shapes = (self.generated)(self.need);
        if self.list.is_some() { schema::with_cursor(shapes) } else { shapes }
    }
}

/// A tool as clients are told of it.
fn tool(line: Line) -> Tool {
    let Shapes { input, output } = Shapes::of(line.name);
    Tool::new(line.name, line.description, input)
        .with_raw_output_schema(std::sync::Arc::new(output))
        .with_annotations(line.effect.hints())
}

/// Takes the namespace out of a call's arguments.
pub(crate) fn take_namespace(arguments: &mut Map<String, Value>) -> Result<Option<Scope>, Refusal> {
    match arguments.remove("namespace") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => {
            text.parse().map(Some).map_err(|error| Refusal::argument("namespace", error))
        }
        Some(other) => Err(Refusal::argument("namespace", format!("{other} is no text"))),
    }
}

fn read<In: DeserializeOwned>(arguments: Value) -> Result<In, Refusal> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let path = error.path().to_string();
        let why = error.into_inner();
        if path == "." { Refusal::new(why.to_string()) } else { Refusal::argument(&path, why) }
    })
}

fn write<Out: Serialize>(answer: &Out) -> Result<Map<String, Value>, Refusal> {
    match serde_json::to_value(answer) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Refusal::new("the answer is no object")),
        Err(error) => Err(unwritable(error)),
    }
}

fn unwritable(error: serde_json::Error) -> Refusal {
    Refusal::new(format!("the answer cannot be written: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_named_between_commas_and_a_wrong_name_is_told() {
        let families: Families = "core, graph".parse().unwrap();
        assert!(families.contains(Family::Graph) && !families.contains(Family::Admin));
        assert_eq!("all".parse::<Families>().unwrap(), Families::all());
        assert!("core,grahp".parse::<Families>().unwrap_err().to_string().contains("grahp"));
        assert!("".parse::<Families>().is_err());
    }
}
