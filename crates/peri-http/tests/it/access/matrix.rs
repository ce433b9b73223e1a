//! Every route × everybody.

use std::collections::BTreeSet;

use super::rows::{Need, Reach, Row, rows};
use super::world::{Targets, Told, Who, World};
use crate::support::{Answer, Ask};

/// What somebody is answered: the status, and why they are refused if they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Done,
    Refused(u16, &'static str),
    /// As if there were nothing.
    Unseen,
}

fn verdict(row: &Row, who: Who) -> Verdict {
    let (needed, everywhere) = match row.need {
        Need::Open => return Verdict::Done,
        Need::Role(role) => (role, false),
        Need::Everywhere(role) => (role, true),
    };
    let Some(role) = who.role() else {
        return Verdict::Refused(401, if who == Who::Stranger { "no key" } else { "wrong key" });
    };
    match (who, row.reach) {
        _ if role < needed => Verdict::Refused(403, "role"),
        (Who::Owner, _) => Verdict::Done,
        _ if everywhere => Verdict::Refused(403, "namespace"),
        (_, Reach::Fixed) => Verdict::Refused(403, "namespace"),
        (Who::Foreigner, Reach::Named) => Verdict::Refused(403, "namespace"),
        (Who::Foreigner, Reach::Ids) => Verdict::Unseen,
        _ => Verdict::Done,
    }
}

fn ask(world: &World, row: &Row, who: Who, targets: &Targets) -> Ask {
    let ask = world.house.ask(row.method.clone(), &row.ask(targets));
    let ask = match row.body(targets) {
        Some((media_type, body)) => ask.raw(media_type, body),
        None => ask,
    };
    world.by(who, ask)
}

/// What a request is about. Only where notes are asked for there are some: making them takes its time.
fn targets(world: &World, row: &Row) -> Targets {
    let targets = world.targets();
    if row.path.contains("{session}/notes") {
        world.note(&targets);
    }
    targets
}

/// An answer without what differs from one request to the next.
fn plain(answer: &Answer, targets: &Targets) -> (u16, Vec<String>, String) {
    let headers = answer.headers.keys().map(ToString::to_string).collect::<BTreeSet<_>>();
    let text = answer.text().replace(answer.header("x-request-id"), "$request");
    (answer.status, headers.into_iter().collect(), targets.unfill(&text))
}

async fn check_refused(world: &World, row: &Row, told: &mut Told) {
    let targets = targets(world, row);
    let before = world.state();
    for who in Who::ALL {
        let name = format!("{} {} by {who:?}", row.method, row.path);
        let (status, kind) = match verdict(row, who) {
            Verdict::Done => continue,
            Verdict::Refused(401, _) => (401, "unauthenticated"),
            Verdict::Refused(status, _) => (status, "forbidden"),
            Verdict::Unseen => (404, "not-found"),
        };
        let answer = ask(world, row, who, &targets).send().await;
        assert_eq!(answer.status, status, "{name}: {}", answer.text());
        answer.problem(status, kind);
        assert_eq!(!answer.header("www-authenticate").is_empty(), status == 401, "{name}");
        let never = ask(world, row, who, &Targets::never()).send().await;
        assert_eq!(
            plain(&answer, &targets),
            plain(&never, &Targets::never()),
            "{name}: what is there and what never was must be refused alike"
        );
        if let Verdict::Refused(_, reason) = verdict(row, who) {
            let action = format!("{} {}", row.method, row.path);
            *told.entry((action, reason.to_owned(), world.key_of(who))).or_default() += 2;
        }
    }
    assert_eq!(world.state(), before, "{} {}: a refused request changed something", row.method, row.path);
}

async fn check_done(world: &World, row: &Row) {
    for who in Who::ALL.into_iter().filter(|who| verdict(row, *who) == Verdict::Done) {
        let targets = targets(world, row);
        // Some answers have no end; their head tells.
        let answer = ask(world, row, who, &targets).open().await;
        assert_eq!(answer.status().as_u16(), row.done, "{} {} by {who:?}", row.method, row.path);
    }
}

#[tokio::test]
async fn every_route_serves_those_who_may_and_tells_all_others_nothing() {
    // All that a world holds is compared for each route, and each route leaves something in it.
    for some in rows().chunks(8) {
        let world = World::open().await;
        for row in some {
            let mut expected = Told::new();
            let number = world.house.engine.last_event_number().unwrap();
            check_refused(&world, row, &mut expected).await;
            assert_eq!(world.told_since(number), expected, "{} {}: the audit", row.method, row.path);
            check_done(&world, row).await;
        }
    }
}

#[test]
fn every_route_has_its_row() {
    let document = peri_http::openapi();
    let mut routes = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            routes.insert(format!("{} {path}", method.to_uppercase()));
        }
    }
    let rows: BTreeSet<_> = rows().iter().map(|row| format!("{} {}", row.method, row.path)).collect();
    let missing: Vec<_> = routes.symmetric_difference(&rows).collect();
    assert!(missing.is_empty(), "rows and routes differ in {missing:?}");
}

#[tokio::test]
async fn lists_that_name_no_scope_hold_nothing_of_others() {
    let world = World::open().await;
    let targets = world.targets();
    for row in rows().iter().filter(|row| row.method == "GET" && row.need != Need::Open) {
        let everywhere = matches!(row.need, Need::Everywhere(_));
        if everywhere || row.reach == Reach::Fixed || row.path.contains('{') || row.path.ends_with("/stream")
        {
            continue;
        }
        let answer = world.by(Who::Foreigner, world.house.get(row.path)).send().await;
        let text = answer.text();
        assert!([200, 400].contains(&answer.status), "{}: {text}", row.path);
        assert_eq!(targets.unfill(text), text, "{}", row.path);
        assert!(!text.contains("team"), "{}: {text}", row.path);
    }
}
