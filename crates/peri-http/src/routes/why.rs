//! Why: what became of one memory in a recall.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Reader;
use perihelion::{MemoryId, Why};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::recall::Question;
use crate::extract::{Body, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::POST, "/v1/recall/why", "explainRecall", why)
            .says("Why a memory is, or is not, among the results of a question. Nothing counts as used")
            .takes::<WhyAsked>()
            .gives::<Why>(),
    ]
}

/// A question, as it would be recalled, and the memory that is looked for.
#[derive(Debug, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub(super) struct WhyAsked {
    /// The memory.
    id: MemoryId,
    #[schemars(flatten)]
    question: Question,
}

/// By hand, since fields that are not known are refused, which a flattened field would let through.
impl<'de> Deserialize<'de> for WhyAsked {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let mut fields = Map::<String, Value>::deserialize(reader)?;
        let id = fields.remove("id").ok_or_else(|| D::Error::missing_field("id"))?;
        let id =
            serde_json::from_value(id).map_err(|error| D::Error::custom(format_args!("`id`: {error}")))?;
        let question = serde_path_to_error::deserialize(Value::Object(fields)).map_err(|error| {
            let path = error.path().to_string();
            let why = error.into_inner();
            D::Error::custom(if path == "." { why.to_string() } else { format!("`{path}`: {why}") })
        })?;
        Ok(Self { id, question })
    }
}

async fn why(visit: Visit, Body(asked): Body<WhyAsked>) -> Result<Json<Why>, Problem> {
    let (id, scope) = (asked.id, visit.caller.scope.clone());
    let (request, _) = asked.question.request(&visit)?;
    let told = visit.work(move |engine| {
        // Whoever may not see the memory is told nothing of it.
        let memory = match &request.scopes[..] {
            [asked] => engine.get(asked, id).or_else(|_| engine.get(&scope, id))?,
            _ => engine.get(&scope, id)?,
        };
        Ok(engine.why_of(&request, memory)?)
    });
    told.await.map(Json)
}
