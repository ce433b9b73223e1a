//! Events of every kind, as they are told.

use std::collections::BTreeSet;

use perihelion::{Event, EventKind, Happening};
use serde_json::json;

use super::{admits, agree, check_all};

/// What happened, one of each kind, without the number, the time and the place.
const HAPPENED: &str = r#"
    {"event": "stored", "id": ID, "zone": "inner"}
    {"event": "repeated", "id": ID}
    {"event": "recalled", "query": "서울에 사는 사람", "ids": [ID]}
    {"event": "revised", "id": ID, "version": 2}
    {"event": "forgotten", "id": ID}
    {"event": "restored", "id": ID}
    {"event": "purged", "count": 2, "ids": [ID]}
    {"event": "reorbited", "moved": 3, "forgotten": 1, "step": "2026-01-01T00:05:00Z"}
    {"event": "zone_changed", "id": ID, "from": "core", "to": "cloud", "reason": "idle"}
    {"event": "decayed", "demoted": 3, "forgotten": 1}
    {"event": "auto_forgotten", "id": ID, "idle_days": 90}
    {"event": "consolidated", "survivor": ID, "absorbed": ID}
    {"event": "split", "survivor": ID, "absorbed": ID}
    {"event": "superseded", "older": ID, "newer": ID}
    {"event": "contradicted", "first": ID, "second": ID}
    {"event": "linked", "source": ID, "targets": [ID]}
    {"event": "unlinked", "source": ID, "targets": []}
    {"event": "session_started", "session": "晨会"}
    {"event": "session_ended", "session": "晨会", "summary": ID}
    {"event": "session_ended", "session": "晨会", "summary": null}
    {"event": "namespace_moved", "from": "팀/김민수", "memories": 4}
    {"event": "namespace_deleted", "memories": 4, "purged": true}
    {"event": "feedback_given", "used": [ID], "unused": []}
    {"event": "weights_changed", "set": 2, "reason": "feedback"}
    {"event": "imported", "memories": 4, "edges": 2}
    {"event": "pattern_learned", "pattern": ID, "quality": 0.5}
    {"event": "pattern_promoted", "pattern": ID}
    {"event": "pattern_retired", "pattern": ID}
    {"event": "trajectory_recorded", "trajectory": ID, "outcome": "partial"}
    {"event": "learned", "name": "router", "set": 3, "reason": "learned from 40 outcomes"}
    {"event": "worker_dispatched", "worker": "w", "priority": "low"}
    {"event": "worker_completed", "worker": "w", "ok": false, "duration_ms": 12}
    {"event": "worker_alert", "worker": "w", "severity": "critical", "message": "look"}
    {"event": "worker_alert", "worker": "w", "message": "look"}
    {"event": "worker_alert", "worker": "vault", "message": "both", "ids": [ID, ID], "file": "knowledge/커피.md"}
    {"event": "observed", "session": "standup"}
    {"event": "reflected", "session": "standup"}
    {"event": "promoted", "candidates": 2}
    {"event": "compacted", "tokens": 800}
    {"event": "expired", "id": ID, "layer": "working"}
    {"event": "evicted", "id": ID}
    {"event": "layer_promoted", "id": ID, "sources": [ID, ID], "from": "episodic", "to": "long_term"}
    {"event": "promotion_undone", "id": ID, "sources": [ID]}
    {"event": "outlived", "id": ID, "age_days": 31}
    {"event": "cleaned_up", "id": ID, "reason": "too_many"}
    {"event": "snapshot_taken", "file": "episodes-20261116T071040Z.jsonl.zst", "episodes": 150}
    {"event": "backed_up", "backup": "20261116T071040Z-000000000042", "change": 42}
    {"event": "backup_restored", "backup": "20261116T071040Z-000000000042", "memories": 7}
    {"event": "journal_dropped", "entries": 4, "turns": 1, "before": "2026-01-01T00:00:00Z"}
    {"event": "operation_failed", "operation": "snapshot", "reason": "disk full", "count": 3}
    {"event": "writes_queued", "reason": "the database cannot be reached"}
    {"event": "queue_emptied", "replayed": 7, "dead": 1}
    {"event": "key_created", "key": "k3tq7zab", "role": "writer", "scope": "team/*"}
    {"event": "key_revoked", "key": "k3tq7zab"}
    {"event": "access_refused", "key": "k3tq7zab", "action": "POST /v1/memories", "reason": "role", "count": 2}
    {"event": "access_refused", "key": null, "action": "other", "reason": "no key", "count": 200}
"#;

const ID: &str = r#""0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a""#;

fn happened() -> Vec<Happening> {
    let lines = HAPPENED.trim().lines().map(|line| line.replace("ID", ID));
    lines.map(|line| serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

#[test]
fn an_event_of_every_kind_is_what_its_schema_says() {
    let happened = happened();
    let kinds: BTreeSet<EventKind> = happened.iter().map(Happening::kind).collect();
    assert_eq!(kinds, EventKind::ALL.iter().copied().collect(), "one of each");
    let at = "2026-01-01T00:00:00Z".parse().unwrap();
    check_all(&happened);
    check_all(EventKind::ALL);
    for namespace in [None, Some("팀/김민수".parse().unwrap())] {
        let event = |(number, what)| Event { number, at, namespace: namespace.clone(), what };
        let events: Vec<Event> = (1..).zip(happened.clone()).map(event).collect();
        check_all(&events);
    }
}

#[test]
fn an_event_with_the_fields_of_another_is_none() {
    let event =
        |what: &str, field: &str| json!({"number": 1, "at": "2026-01-01T00:00:00Z", "event": what, field: 7});
    agree::<Event>(&event("promoted", "candidates"), true);
    agree::<Event>(&event("promoted", "tokens"), false);
    agree::<Event>(&event("danced", "candidates"), false);
    agree::<Event>(&json!({"number": 1, "event": "promoted", "candidates": 7}), false);
    assert!(!admits::<EventKind>(&json!("danced")));
}
