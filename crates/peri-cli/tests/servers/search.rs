//! Which namespaces are searched inside the database is a setting.

use peri_store::{Readiness, Store as _};
use perihelion::Namespace;

use crate::database::{Database, program, store};

/// Whether a database was made ready to be searched after some memories and a question, with a value of the setting.
fn is_searched_inside(server: &Database, in_database_from: Option<&str>) -> bool {
    let url = server.fresh();
    let mut peri = program(&url);
    if let Some(value) = in_database_from {
        peri = peri.with("PERI_SEARCH_IN_DATABASE_FROM", value);
    }
    for content in ["The heron lives by the lake", "지수는 제주도로 이사했다", "李娜喜欢喝茶"]
    {
        peri.remember(&[content]);
    }
    assert_eq!(peri.recall(&["where does the heron live?"])[0], "The heron lives by the lake");
    let tables = store(&url);
    let searcher = tables.searcher().unwrap();
    // Where nobody has searched yet, this makes the tables that can be looked at.
    assert_eq!(searcher.readiness().unwrap(), Readiness::Ready);
    searcher.state(&Namespace::default()).unwrap().is_some()
}

#[test]
fn namespaces_of_at_least_as_many_memories_as_the_setting_says_are_searched_inside_postgresql() {
    let Some(server) = Database::postgres() else { return };
    assert!(!is_searched_inside(&server, None));
    assert!(!is_searched_inside(&server, Some("4")));
    assert!(is_searched_inside(&server, Some("3")));
    assert!(is_searched_inside(&server, Some("0")));
}
