//! Prompts that a person picks from a menu.

use perihelion::{ContextRequest, Hit, Recall, framed};
use rmcp::model::{GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value};

use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::resources;
use crate::seen::beginning;

/// A memory of a prompt is cut to so many characters.
const RECALLED_CHARS: usize = 8_000;

/// The list.
pub(crate) fn all() -> Vec<Prompt> {
    let topic = PromptArgument::new("topic").with_description("What it is about").with_required(true);
    let of = |name: &str, description: &str| PromptArgument::new(name).with_description(description);
    let (session, about) = (of("session", "Which session goes on"), of("topic", "What it goes on about"));
    vec![
        Prompt::new(
            "recall",
            Some("Put what is remembered about a topic in front of the model"),
            Some(vec![topic]),
        ),
        Prompt::new(
            "continue",
            Some("Go on with the notes, memories and working memory of a session"),
            Some(vec![session, about]),
        ),
        Prompt::new("resume", Some("Begin with what is nearest and newest in memory"), None),
        Prompt::new("keep", Some("Have the model keep what this conversation brought"), None),
    ]
}

/// One prompt, filled in.
pub(crate) fn get(
    name: &str,
    arguments: &Map<String, Value>,
    desk: &Desk<'_>,
) -> Result<GetPromptResult, Refusal> {
    let text = match name {
        "recall" => recall(arguments, desk)?,
        "resume" => format!("{}\nGo on from here. Ask memory_recall for details.", resources::context(desk)?),
        "continue" => go_on(arguments, desk)?,
        "keep" => KEEP.to_owned(),
        _ => return Err(unknown(name)),
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}

/// Refuses a name that is no prompt's.
pub(crate) fn check(name: &str) -> Result<(), Refusal> {
    if all().iter().any(|prompt| prompt.name == name) { Ok(()) } else { Err(unknown(name)) }
}

fn unknown(name: &str) -> Refusal {
    Refusal::new(format!("there is no prompt {name:?}; there are recall, continue, resume and keep"))
}

fn recall(arguments: &Map<String, Value>, desk: &Desk<'_>) -> Result<String, Refusal> {
    let Some(Value::String(topic)) = arguments.get("topic") else {
        return Err(Refusal::argument("topic", "say what to recall"));
    };
    let recalled = desk.engine.recall(&Recall::new(topic.clone()).in_scope(desk.scope.clone()))?;
    if recalled.hits.is_empty() {
        return Ok(format!("Nothing is remembered about {topic:?} in {}.", desk.scope));
    }
    let line = |hit: Hit| {
        let content = beginning(hit.memory.content.trim(), RECALLED_CHARS).replace('\n', "\n  ");
        format!("- {content} ({})\n", hit.memory.at().strftime("%Y-%m-%d"))
    };
    let lines: String = recalled.hits.into_iter().map(line).collect();
    Ok(format!(
        "This is remembered about {topic:?} in {}, the most relevant first:\n\n{}",
        desk.scope,
        framed(&lines)
    ))
}

/// What the agent of a session is given. What it then says of it is not learned again.
fn go_on(arguments: &Map<String, Value>, desk: &Desk<'_>) -> Result<String, Refusal> {
    let text = |name: &str| match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone()).filter(|text| !text.trim().is_empty())),
        Some(other) => Err(Refusal::argument(name, format!("{other} is no text"))),
    };
    let mut request = ContextRequest::new(desk.namespace()?.clone());
    (request.session, request.query) = (text("session")?, text("topic")?);
    let mut context = desk.engine.context(&request)?;
    if let Some(session) = &request.session {
        desk.note_handed_out(session, &context.handed_out(), &mut context.degraded);
    }
    if context.text.is_empty() {
        return Ok(format!("Nothing is remembered in {} to go on with.", desk.scope));
    }
    let troubles: String = context.degraded.iter().map(|trouble| format!("{trouble}\n")).collect();
    Ok(format!("{}{troubles}\nGo on from here. Ask memory_recall for details.", context.text))
}

const KEEP: &str = "Look back over this conversation and keep what will matter in later ones: facts about people and \
the project, preferences, decisions with their reasons, open tasks, corrections. Call memory_store once for each, as \
a statement that is complete in itself, with names instead of pronouns. Leave out what is only of use right now, and \
what memory_recall already knows.";
