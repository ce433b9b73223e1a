//! `peri-bench precision`: how much of what recall returns belongs there.
//!
//! The cases are published fixtures: beliefs of a user, and questions with what must come back and nothing
//! else. They are stored as a user of this engine would store them: a namespace for each user and scope, the
//! canonical name and the aliases as aliases, what was superseded or resolved marked as such. What the cases
//! call pinned facts, open questions and the persona are lists by kind, which need no search; recall is
//! asked for the rest, and everything it returns counts.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use perihelion::{
    Chores, EdgeType, Filter, Kind, MemoryId, Namespace, NewEdge, Options, Perihelion, Recall, Remember,
    Revise, Scope, Stage, Stages, Timestamp,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::Outcome;

#[derive(Deserialize)]
struct Belief {
    #[serde(rename = "_id")]
    id: String,
    user_id: String,
    #[serde(rename = "type")]
    kind: String,
    canonical_name: String,
    aliases: Vec<String>,
    content: String,
    scope: Vec<String>,
    pinned: bool,
    resolved_at: Option<Timestamp>,
    superseded_by: Option<String>,
    #[serde(default)]
    participants: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    case_id: String,
    category: String,
    scope: Vec<String>,
    query: String,
    expect: Expectation,
    user_id: Option<String>,
    budget: Option<Budget>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Budget {
    max_beliefs: usize,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Expectation {
    relevant_beliefs: Option<Relevant>,
    pinned_facts: Option<Required>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Required {
    #[serde(default)]
    must_include: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Relevant {
    should_only_include: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Drift {
    case_id: String,
    turns: Vec<Turn>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Turn {
    turn_index: usize,
    scope: Vec<String>,
    user_message: String,
    expect: Expectation,
}

/// One question's outcome.
struct Answer {
    name: String,
    category: String,
    returned: Vec<String>,
    expected: Vec<String>,
}

/// The beliefs as the engine knows them.
struct Told {
    engine: Perihelion,
    names: HashMap<MemoryId, String>,
    /// Which beliefs no longer hold.
    superseded: HashSet<String>,
}

pub(crate) fn run(data: &Path, verbose: bool) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let told = tell(folder.path(), read(&data.join("beliefs.seed.json"))?)?;
    let cases: Vec<Case> = read(&data.join("retrieval.cases.json"))?;
    for (name, stages) in [("with the floor", Stages::ALL), ("without it", Stages::ALL.without(Stage::Floor))]
    {
        let answers = cases
            .iter()
            .filter_map(|case| ask(&told, case, stages).transpose())
            .collect::<Outcome<Vec<_>>>()?;
        report(&format!("retrieval cases, {name}"), &answers, verbose && stages == Stages::ALL);
    }
    report_supersession(&told, &cases)?;
    let drifts: Vec<Drift> = read(&data.join("session-retrieval.cases.json"))?;
    let mut answers = Vec::new();
    for drift in &drifts {
        for turn in &drift.turns {
            answers.extend(ask_turn(&told, drift, turn)?);
        }
    }
    report("session cases, each message asked by itself", &answers, verbose);
    Ok(())
}

fn tell(folder: &Path, beliefs: Vec<Belief>) -> Outcome<Told> {
    let options = Options { chores: Chores::ByHand, ..Options::at(folder) };
    let engine = Perihelion::open(options)?;
    let mut names = HashMap::new();
    let mut ids = HashMap::new();
    for belief in &beliefs {
        for scope in &belief.scope {
            let receipt = engine.remember(request(belief, scope)?)?;
            names.insert(receipt.id, belief.id.clone());
            ids.insert((belief.id.as_str(), scope.as_str()), receipt.id);
        }
    }
    for belief in &beliefs {
        for scope in &belief.scope {
            connect(&engine, &ids, belief, scope)?;
        }
    }
    let gone = beliefs.iter().filter(|belief| belief.superseded_by.is_some());
    let superseded = gone.map(|belief| belief.id.clone()).collect();
    Ok(Told { engine, names, superseded })
}

/// Tells the engine what took a belief's place, and links a relation to those that take part in it.
fn connect(
    engine: &Perihelion,
    ids: &HashMap<(&str, &str), MemoryId>,
    belief: &Belief,
    scope: &str,
) -> Outcome<()> {
    let own = ids[&(belief.id.as_str(), scope)];
    if let Some(newer) = &belief.superseded_by {
        let superseded_by = Some(ids.get(&(newer.as_str(), scope)).copied());
        engine.revise(&Scope::All, own, Revise { superseded_by, ..Revise::default() })?;
    }
    for participant in &belief.participants {
        if let Some(target) = ids.get(&(participant.as_str(), scope)) {
            let (source, target, edge_type) = (own, *target, EdgeType::RelatedTo);
            engine.link(&Scope::All, &NewEdge { source, target, edge_type, weight: 1.0 })?;
        }
    }
    Ok(())
}

fn request(belief: &Belief, scope: &str) -> Outcome<Remember> {
    let kind = match belief.kind.as_str() {
        "preference" => Kind::Preference,
        "decision" => Kind::Decision,
        "open_question" => Kind::Observation,
        _ => Kind::Fact,
    };
    let user = if belief.id == "b-other-user-leak-check" { "another-user" } else { &belief.user_id };
    let mut request = Remember::new(&belief.content).in_namespace(namespace(user, scope)?).kind(kind);
    request.facets.aliases = vec![belief.canonical_name.replace('_', " ")];
    request.facets.aliases.extend(belief.aliases.iter().cloned());
    request.facets.pinned = belief.pinned;
    request.facets.expires_at = belief.resolved_at;
    Ok(request)
}

fn namespace(user: &str, scope: &str) -> Outcome<Namespace> {
    Ok(format!("{user}/{scope}").parse()?)
}

/// `None` when the case does not say what recall should return.
fn ask(told: &Told, case: &Case, stages: Stages) -> Outcome<Option<Answer>> {
    let Some(expected) =
        case.expect.relevant_beliefs.as_ref().and_then(|one| one.should_only_include.clone())
    else {
        return Ok(None);
    };
    let user = case.user_id.as_deref().unwrap_or("test-user");
    let mut returned = recall(told, user, &case.scope, &case.query, stages)?;
    if let Some(budget) = &case.budget {
        let pinned = pinned(told, user, &case.scope)?;
        returned.truncate(budget.max_beliefs.saturating_sub(pinned));
    }
    let (name, category) = (case.case_id.clone(), case.category.clone());
    Ok(Some(Answer { name, category, returned, expected }))
}

/// What was replaced must never come back, in no case and with no filter, and what replaced it must.
fn report_supersession(told: &Told, cases: &[Case]) -> Outcome<()> {
    let (mut asked, mut came_back, mut right, mut chains) = (0, 0, 0, 0);
    for case in cases {
        let user = case.user_id.as_deref().unwrap_or("test-user");
        let returned = recall_all(told, user, case)?;
        asked += 1;
        came_back += usize::from(returned.iter().any(|name| told.superseded.contains(name)));
        if case.category == "Supersession chain exclusion" {
            let required = case.expect.pinned_facts.as_ref().map_or(&[][..], |facts| &facts.must_include);
            chains += 1;
            right += usize::from(required.iter().all(|name| returned.contains(name)));
        }
    }
    println!("supersession: of {asked} questions {came_back} brought back what was replaced;");
    println!("of {chains} about what was replaced, {right} were answered with what replaced it");
    println!();
    Ok(())
}

/// Everything that a question finds, pinned or not.
fn recall_all(told: &Told, user: &str, case: &Case) -> Outcome<Vec<String>> {
    if case.query.trim().is_empty() {
        return Ok(Vec::new());
    }
    let mut request = Recall::new(&case.query);
    for scope in &case.scope {
        request = request.in_scope(Scope::Exact(namespace(user, scope)?));
    }
    let hits = told.engine.recall(&request)?.hits;
    Ok(hits.iter().filter_map(|hit| told.names.get(&hit.memory.id).cloned()).collect())
}

fn ask_turn(told: &Told, drift: &Drift, turn: &Turn) -> Outcome<Option<Answer>> {
    let Some(expected) =
        turn.expect.relevant_beliefs.as_ref().and_then(|one| one.should_only_include.clone())
    else {
        return Ok(None);
    };
    let returned = recall(told, "test-user", &turn.scope, &turn.user_message, Stages::ALL)?;
    let name = format!("{} turn {}", drift.case_id, turn.turn_index);
    Ok(Some(Answer { name, category: "session".to_owned(), returned, expected }))
}

fn recall(told: &Told, user: &str, scopes: &[String], query: &str, stages: Stages) -> Outcome<Vec<String>> {
    if query.trim().is_empty() {
        // The engine refuses to search for nothing.
        return Ok(Vec::new());
    }
    let mut request = Recall::new(query);
    for scope in scopes {
        request = request.in_scope(Scope::Exact(namespace(user, scope)?));
    }
    request.filter = Filter {
        kinds: Kind::ALL.iter().copied().filter(|kind| *kind != Kind::Observation).collect(),
        pinned: Some(false),
        ..Filter::default()
    };
    request.stages = Some(stages);
    let hits = told.engine.recall(&request)?.hits;
    Ok(hits.iter().filter_map(|hit| told.names.get(&hit.memory.id).cloned()).collect())
}

fn pinned(told: &Told, user: &str, scopes: &[String]) -> Outcome<usize> {
    let mut count = 0;
    for scope in scopes {
        let query = perihelion::ListQuery {
            scope: Scope::Exact(namespace(user, scope)?),
            filter: Filter { pinned: Some(true), ..Filter::default() },
            ..perihelion::ListQuery::default()
        };
        count += told
            .engine
            .list(query)?
            .memories
            .iter()
            .filter(|memory| memory.kind != Kind::Observation)
            .count();
    }
    Ok(count)
}

impl Answer {
    fn right(&self) -> f64 {
        self.returned.iter().filter(|id| self.expected.contains(id)).count() as f64
    }

    /// Everything returned counts; returning nothing is right where nothing was to be returned.
    fn precision(&self) -> f64 {
        match (self.returned.len(), self.expected.len()) {
            (0, 0) => 1.0,
            (0, _) => 0.0,
            (returned, _) => self.right() / returned as f64,
        }
    }

    fn recall(&self) -> f64 {
        if self.expected.is_empty() { 1.0 } else { self.right() / self.expected.len() as f64 }
    }

    fn is_exact(&self) -> bool {
        self.precision() == 1.0 && self.recall() == 1.0
    }
}

fn report(heading: &str, answers: &[Answer], verbose: bool) {
    let mean = |part: fn(&Answer) -> f64, of: &[&Answer]| {
        of.iter().map(|one| part(one)).sum::<f64>() / of.len().max(1) as f64
    };
    println!("{heading:<44}  cases  precision  recall  exact");
    let mut categories: Vec<&str> = answers.iter().map(|answer| answer.category.as_str()).collect();
    categories.sort_unstable();
    categories.dedup();
    for category in categories.into_iter().map(Some).chain([None]) {
        let of: Vec<&Answer> =
            answers.iter().filter(|answer| category.is_none_or(|own| own == answer.category)).collect();
        let exact = of.iter().filter(|answer| answer.is_exact()).count();
        let (precision, recall) = (mean(Answer::precision, &of), mean(Answer::recall, &of));
        println!(
            "{:<44}  {:>5}      {precision:.3}   {recall:.3}  {exact:>5}",
            category.unwrap_or("all"),
            of.len()
        );
    }
    for answer in answers.iter().filter(|answer| verbose && !answer.is_exact()) {
        println!("  {}: returned {:?}, expected {:?}", answer.name, answer.returned, answer.expected);
    }
    println!();
}

fn read<T: DeserializeOwned>(path: &PathBuf) -> Outcome<T> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}
