//! The context of an agent: what it is to know before it answers, looked at or given once.

use std::time::Duration;

use axum::Json;
use axum::http::{Method, StatusCode};
use perihelion::Role::{Reader, Writer};
use perihelion::{AgentContext, Confirmation, ContextRequest, Delivery, Moment, Namespace, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Body, Query, Visit, WHOLE_MAX, optional_whole};
use crate::loans::Whose;
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// For so many seconds nobody else is given what was lent, unless it is said how long.
const LEASE_SECONDS: u64 = 60;
/// The longest lease.
const LEASE_SECONDS_MAX: u64 = 3600;
/// So many texts can be told with a confirmation.
const HANDED_OUT_MAX: usize = 1000;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/context", "lookAtContext", look)
            .says("What an agent would be given: notes, memories and working memory. Looking takes nothing away")
            .asks::<LookAsked>()
            .gives::<GivenContext>(),
        Operation::new(Role(Reader), Method::POST, "/v1/context", "context", give)
            .says("What an agent is to be given. `once` lends it, which needs the role writer: confirm the loan")
            .takes::<GiveAsked>()
            .gives::<GivenContext>(),
        Operation::new(Role(Writer), Method::POST, "/v1/context/confirm", "confirmContext", confirm)
            .says("The agent has what was lent: it counts as given. 409 if it was taken back meanwhile")
            .takes::<ConfirmAsked>()
            .gives::<Confirmed>(),
        Operation::new(Role(Writer), Method::POST, "/v1/context/return", "returnContext", give_back)
            .says("The agent did not get what was lent: it is given to whoever asks next")
            .takes::<ReturnAsked>()
            .gives_nothing(StatusCode::NO_CONTENT),
    ]
}

/// What an agent is to be given, to look at.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LookAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// The agent's session: its notes and its working memory are among what it is given.
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    /// What the agent was asked: memories that matter to it are among what it is given.
    #[schemars(with = "Option<crate::routes::Text>")]
    query: Option<String>,
    /// At most so many tokens; as configured when left out.
    #[schemars(range(min = 1, max = WHOLE_MAX))]
    tokens_max: Option<usize>,
    /// At which moment; `look` shows everything there is.
    #[serde(default)]
    moment: Moment,
}

/// What an agent is to be given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GiveAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// The agent's session: its notes and its working memory are among what it is given.
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    /// What the agent was asked: memories that matter to it are among what it is given.
    #[schemars(with = "Option<crate::routes::Text>")]
    query: Option<String>,
    /// At most so many tokens; as configured when left out.
    #[serde(default, deserialize_with = "optional_whole")]
    #[schemars(range(min = 1, max = WHOLE_MAX))]
    tokens_max: Option<usize>,
    /// At which moment; `look` shows everything there is.
    #[serde(default)]
    moment: Moment,
    /// Whether what must be given once counts as given when it is confirmed. That takes a session.
    #[serde(default)]
    deliver: Deliver,
    /// For how long nobody else is given what is lent.
    #[serde(default, deserialize_with = "optional_whole")]
    #[schemars(range(min = 1, max = LEASE_SECONDS_MAX))]
    lease_seconds: Option<u64>,
    /// An id of whoever asks: asking again on the same occasion neither begins the session once more nor gives again
    /// what was lost.
    #[schemars(with = "Option<crate::routes::Label>")]
    occasion: Option<String>,
}

/// Whether what must be given once counts as given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Deliver {
    /// It does not: whoever looks takes nothing away.
    #[default]
    Look,
    /// It does, once it is confirmed.
    Once,
}

/// What an agent is given.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GivenContext {
    /// Where it is from.
    namespace: Namespace,
    #[serde(flatten)]
    context: AgentContext,
    /// The number of the loan, to be confirmed once the agent has the text. Null if nothing was lent.
    loan: Option<String>,
    /// When somebody else may be given the same unless it is confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    lent_until: Option<Timestamp>,
}

async fn look(visit: Visit, Query(asked): Query<LookAsked>) -> Result<Json<GivenContext>, Problem> {
    let LookAsked { namespace, session, query, tokens_max, moment } = asked;
    let mut request = ContextRequest::new(visit.namespace(namespace)?).at(moment);
    (request.session, request.query, request.tokens_max) = (session, query, tokens_max);
    give_at(visit, request).await
}

async fn give(visit: Visit, Body(asked): Body<GiveAsked>) -> Result<Json<GivenContext>, Problem> {
    let delivery = delivery(&visit, &asked)?;
    visit.check_labels(&[("occasion", &asked.occasion)])?;
    let mut request = ContextRequest::new(visit.namespace(asked.namespace)?).at(asked.moment);
    (request.session, request.query) = (asked.session, asked.query);
    (request.tokens_max, request.delivery) = (asked.tokens_max, delivery);
    request.occasion = asked.occasion.or_else(|| occasion(&visit, asked.moment));
    give_at(visit, request).await
}

/// Every time an agent loses sight of what it was given, it is given that again; a session begins once.
fn occasion(visit: &Visit, moment: Moment) -> Option<String> {
    let now = visit.app.engine.options().clock.now();
    (moment == Moment::Compacted).then(|| format!("compacted {now}"))
}

fn delivery(visit: &Visit, asked: &GiveAsked) -> Result<Delivery, Problem> {
    let seconds = asked.lease_seconds.unwrap_or(LEASE_SECONDS);
    if !(1..=LEASE_SECONDS_MAX).contains(&seconds) {
        let why = format!("`lease_seconds`: {seconds} is not between 1 and {LEASE_SECONDS_MAX}");
        return Err(Problem::invalid(why));
    }
    match (asked.deliver, &asked.session) {
        (Deliver::Look, _) => Ok(Delivery::Look),
        (Deliver::Once, None) => {
            Err(Problem::contradiction("`session`: what is given once is given to a session; say which"))
        }
        (Deliver::Once, Some(_)) => {
            // What is lent is gone for others.
            visit.caller.may(Writer)?;
            Ok(Delivery::Once { lease: Duration::from_secs(seconds) })
        }
    }
}

async fn give_at(visit: Visit, request: ContextRequest) -> Result<Json<GivenContext>, Problem> {
    if request.tokens_max == Some(0) {
        return Err(Problem::invalid("`tokens_max`: nothing fits into 0"));
    }
    if request.tokens_max.is_some_and(|tokens| tokens as u64 > WHOLE_MAX) {
        return Err(Problem::invalid(format!("`tokens_max`: more than {WHOLE_MAX}")));
    }
    let app = visit.app.clone();
    let given = visit.work(move |engine| {
        let now = engine.options().clock.now();
        let context = engine.context(&request)?;
        let (namespace, loan) = (request.namespace, context.loan_number());
        let mut lent_until = None;
        if let (Some(loan), Some(session), Delivery::Once { lease }) =
            (&loan, request.session, request.delivery)
        {
            let until = now.saturating_add(lease).unwrap_or(Timestamp::MAX);
            let whose = Whose { namespace: namespace.clone(), session, loan: loan.clone() };
            app.loans.keep(&whose, context.handed_out(), now, until);
            lent_until = Some(until);
        }
        Ok(GivenContext { namespace, context, loan, lent_until })
    });
    given.await.map(Json)
}

/// A loan that the agent has.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ConfirmAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// The agent's session.
    #[schemars(with = "crate::routes::Label")]
    session: String,
    /// As the context said.
    #[schemars(with = "crate::routes::Label")]
    loan: String,
    /// What the agent was given besides what the server has lent it.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    handed_out: Vec<String>,
}

/// What counts as given.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Confirmed {
    namespace: Namespace,
    session: String,
    loan: String,
    /// How many texts are known now if they come back.
    handed_out: usize,
}

async fn confirm(visit: Visit, Body(asked): Body<ConfirmAsked>) -> Result<Json<Confirmed>, Problem> {
    let count = asked.handed_out.len();
    if count > HANDED_OUT_MAX {
        let why = format!("`handed_out`: {count} are more than the {HANDED_OUT_MAX} of one request");
        return Err(Problem::invalid(why));
    }
    let whose = whose(&visit, asked.namespace, asked.session, asked.loan)?;
    let app = visit.app.clone();
    let confirmed = visit.work(move |engine| {
        let mut texts = app.loans.texts(&whose);
        texts.extend(asked.handed_out);
        let outcome = engine.confirm_loan(&whose.namespace, &whose.session, &whose.loan, &texts)?;
        app.loans.end(&whose);
        let Whose { namespace, session, loan } = whose;
        match outcome {
            Confirmation::Confirmed => Ok(Confirmed { namespace, session, loan, handed_out: texts.len() }),
            Confirmation::TooLate => Err(Problem::conflict(format!(
                "the loan {loan:?} was taken back, and may be given to another session; nothing was changed"
            ))),
        }
    });
    confirmed.await.map(Json)
}

/// A loan that the agent did not get.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReturnAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// The agent's session.
    #[schemars(with = "crate::routes::Label")]
    session: String,
    /// As the context said.
    #[schemars(with = "crate::routes::Label")]
    loan: String,
}

async fn give_back(visit: Visit, Body(asked): Body<ReturnAsked>) -> Result<StatusCode, Problem> {
    let whose = whose(&visit, asked.namespace, asked.session, asked.loan)?;
    let app = visit.app.clone();
    let returned = visit.work(move |engine| {
        engine.return_loan(&whose.namespace, &whose.session, &whose.loan)?;
        app.loans.end(&whose);
        Ok(StatusCode::NO_CONTENT)
    });
    returned.await
}

fn whose(
    visit: &Visit,
    namespace: Option<Namespace>,
    session: String,
    loan: String,
) -> Result<Whose, Problem> {
    let (session, loan) = (Some(session), Some(loan));
    visit.check_labels(&[("session", &session), ("loan", &loan)])?;
    let (session, loan) = (session.unwrap_or_default(), loan.unwrap_or_default());
    Ok(Whose { namespace: visit.namespace(namespace)?, session, loan })
}
