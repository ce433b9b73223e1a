//! What is asked of the engine, and the files that it keeps beside the store.

use std::fs;

use peri_types::{Filter, Namespace};
use perihelion::{ListQuery, LogQuery, Recall, Remember, Scope};

use super::desk::Desk;
use crate::given::{self, is_for_people};

thread_local! {
    /// Only ever asked.
    static ASKED: Desk = Desk::with_memories();
}

/// Questions with filters: what comes back meets the filter, by its definition and in the same way from the index and the store.
pub(crate) fn questions(data: &[u8]) {
    let (query, filter) = given::two_texts(data);
    let filter = serde_json::from_str::<Filter>(&filter).unwrap_or_default();
    ASKED.with(|desk| {
        let recall = Recall { filter: filter.clone(), ..Recall::new(&*query) };
        match desk.engine.recall(&recall.in_scope(Scope::All)) {
            Ok(recalled) => {
                for hit in &recalled.hits {
                    assert!(filter.matches(&hit.memory), "{:?} and {filter:?}", hit.memory);
                    assert!((0.0..=1.0).contains(&hit.score), "{}", hit.score);
                }
            }
            Err(error) => is_for_people(&error),
        }
        let all = desk.engine.list(ListQuery { limit: 100, ..ListQuery::default() }).expect("a list");
        let listed =
            desk.engine.list(ListQuery { filter: filter.clone(), limit: 100, ..ListQuery::default() });
        match listed {
            Ok(listed) => {
                let expected: Vec<_> = all.memories.iter().filter(|memory| filter.matches(memory)).collect();
                assert_eq!(listed.memories.iter().collect::<Vec<_>>(), expected, "{filter:?}");
            }
            Err(error) => is_for_people(&error),
        }
    });
}

/// Contents of any kind: what is taken comes back without its secrets and otherwise as it was; what is refused leaves nothing.
pub(crate) fn contents(data: &[u8]) {
    let text = given::text(data);
    ASKED.with(|desk| {
        let namespace: Namespace = "tried".parse().expect("a name");
        let before = desk.everything();
        match desk.engine.remember(Remember::new(&*text).in_namespace(namespace.clone())) {
            Ok(receipt) => {
                let memory =
                    desk.engine.get(&Scope::Exact(namespace.clone()), receipt.id).expect("it is there");
                assert_eq!(memory.content, peri_text::redact(&text).text);
                let recalled =
                    desk.engine.recall(&Recall::new(&*text).in_scope(Scope::Exact(namespace.clone())));
                if let Err(error) = recalled {
                    is_for_people(&error);
                }
                desk.engine
                    .forget(&Scope::Exact(namespace.clone()), receipt.id)
                    .expect("it can be forgotten");
                desk.engine.purge(&Scope::Exact(namespace), receipt.id).expect("it can be destroyed");
            }
            Err(error) => is_for_people(&error),
        }
        // Namespaces stay known; memories do not.
        let memories = |bytes: &[u8]| {
            bytes
                .split(|byte| *byte == b'\n')
                .filter(|line| line.starts_with(b"{\"record\":\"memory\""))
                .count()
        };
        assert_eq!(memories(&desk.everything()), memories(&before));
    });
}

/// The audit log: lines that nobody wrote are passed over, and numbers only ever grow.
pub(crate) fn event_log(data: &[u8]) {
    let desk = Desk::with_memories();
    let log = desk.engine.folder().join("logs").join("events.jsonl");
    desk.engine.maintain().expect("events are shipped");
    let mut bytes = fs::read(&log).unwrap_or_default();
    bytes.extend_from_slice(data);
    fs::create_dir_all(log.parent().expect("a folder")).expect("folders are made");
    fs::write(&log, bytes).expect("the log is damaged");
    match desk.engine.events(&LogQuery { limit: 100, ..LogQuery::default() }) {
        Ok(page) => assert!(page.events.len() <= 100),
        Err(error) => is_for_people(&error),
    }
    desk.engine.remember(Remember::new("王芳喝茶")).expect("the log stops nothing");
    desk.engine.maintain().expect("chores go on");
}
