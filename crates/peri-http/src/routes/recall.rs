//! Recall: search with explanation.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Reader;
use perihelion::{
    Circumstance, Filter, Kind, Layer, Namespace, Perihelion, Recall, Recalled, Scope, Stage, Stages,
    Timestamp,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::extract::{Body, Visit, optional_whole};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::POST, "/v1/recall", "recall", recall)
            .says("Find the memories that matter to a question, with a score and what it is made of")
            .takes::<Question>()
            .gives::<Recalled>(),
    ]
}

/// A question and where to look for answers.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    #[schemars(with = "crate::routes::Text")]
    query: String,
    /// Namespaces, `team/*` or `*`; by default everything that the key opens.
    #[serde(default)]
    #[schemars(length(max = 100))]
    scopes: Vec<Scope>,
    #[serde(default)]
    layers: Vec<Layer>,
    #[serde(default)]
    kinds: Vec<Kind>,
    /// All of them.
    #[serde(default)]
    #[schemars(with = "Vec<crate::routes::Label>")]
    tags: Vec<String>,
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
    /// How many results; as configured when left out.
    #[serde(default, deserialize_with = "optional_whole")]
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
    /// Leaves out what scores less.
    #[schemars(range(min = 0, max = 1))]
    score_min: Option<f32>,
    /// At most so many tokens of content in all results together.
    #[serde(default, deserialize_with = "optional_whole")]
    #[schemars(range(min = 1, max = crate::extract::WHOLE_MAX))]
    tokens_max: Option<usize>,
    /// Answers with what held then.
    #[schemars(with = "Option<crate::routes::Moment>")]
    as_of: Option<Timestamp>,
    /// Prefers what belongs to the conversation of this name, and leaves out the working memory of others. What it is
    /// given is not learned again from it.
    #[schemars(with = "Option<crate::routes::Label>")]
    in_session: Option<String>,
    /// Stages to switch off, to see what they bring.
    #[serde(default)]
    without: Vec<Stage>,
    /// Nothing counts as used and no event is told: for people who look, other than agents who use it.
    #[serde(default)]
    quiet: bool,
}

/// Whether a recall leaves a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noted {
    /// What is found counts as used, and as handed to the conversation that asks.
    Used,
    /// Nothing does.
    Quiet,
}

impl Question {
    /// What the engine is asked, once everything about it is checked.
    pub(super) fn request(self, visit: &Visit) -> Result<(Recall, Noted), Problem> {
        let scopes = match &self.scopes[..] {
            [] => vec![visit.scope(None)?],
            scopes => {
                scopes.iter().map(|scope| visit.scope(Some(scope.clone()))).collect::<Result<_, _>>()?
            }
        };
        if self.score_min.is_some_and(|score| !(0.0..=1.0).contains(&score)) {
            return Err(Problem::invalid("`score_min`: not between 0 and 1"));
        }
        if self.tokens_max == Some(0) {
            return Err(Problem::invalid("`tokens_max`: nothing fits into 0"));
        }
        let limit = self.limit.map(|limit| visit.limit(Some(limit), limit)).transpose()?;
        let filter = Filter {
            layers: self.layers,
            kinds: self.kinds,
            tags: self.tags,
            since: self.since,
            until: self.until,
            session: self.session,
            speaker: self.speaker,
            pinned: self.pinned,
            context: self.context,
        };
        visit.check_filter(&Filter { session: self.in_session.clone(), ..Filter::default() })?;
        visit.check_filter(&filter)?;
        let usual = visit.app.engine.options().recall.stages;
        let request = Recall {
            query: self.query,
            scopes,
            filter,
            limit,
            score_min: self.score_min,
            tokens_max: self.tokens_max,
            stages: (!self.without.is_empty()).then(|| without(usual, &self.without)),
            as_of: self.as_of,
            session: self.in_session,
            time_zone: None,
        };
        Ok((request, if self.quiet { Noted::Quiet } else { Noted::Used }))
    }
}

async fn recall(visit: Visit, Body(asked): Body<Question>) -> Result<Json<Recalled>, Problem> {
    let (request, noted) = asked.request(&visit)?;
    let homes = homes(&visit, &request.scopes);
    let recalled = visit.work(move |engine| {
        if noted == Noted::Quiet {
            return Ok(engine.search(&request)?);
        }
        let mut recalled = engine.recall(&request)?;
        if let Some(session) = &request.session {
            note_handed_out(engine, &homes, session, &mut recalled);
        }
        Ok(recalled)
    });
    recalled.await.map(Json)
}

/// Where the conversation that asks may have notes: in the namespaces that were named, or else where the caller is.
fn homes(visit: &Visit, scopes: &[Scope]) -> Vec<Namespace> {
    let named = scopes.iter().filter_map(|scope| match scope {
        Scope::Exact(namespace) => Some(namespace.clone()),
        _ => None,
    });
    let named: Vec<Namespace> = named.collect();
    if named.is_empty() { visit.namespace(None).into_iter().collect() } else { named }
}

/// Keeps what the conversation was given, so that it is not learned again when the agent repeats it.
fn note_handed_out(engine: &Perihelion, homes: &[Namespace], session: &str, recalled: &mut Recalled) {
    let texts: Vec<String> = recalled.hits.iter().map(|hit| hit.memory.content.clone()).collect();
    for home in homes {
        if let Err(error) = engine.note_handed_out(home, session, &texts) {
            tracing::warn!(%error, "what was recalled may be learned again");
            recalled.degraded.push(format!("what was recalled may be learned again: {error}"));
        }
    }
}

fn without(stages: Stages, off: &[Stage]) -> Stages {
    off.iter().fold(stages, |stages, stage| stages.without(*stage))
}
