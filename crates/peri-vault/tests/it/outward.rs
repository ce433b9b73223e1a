//! From memories to files.

use perihelion::{Importance, Kind, Remember, Revise, Scope, Trashed};

use crate::support::{Desk, keys};

#[test]
fn a_revised_memory_rewrites_the_body_and_the_front_matter_stays_byte_for_byte() {
    let desk = Desk::new();
    let front = "---\n# mine\ntags:   [net]   # odd\nowner: 'Ana'\n---\n";
    desk.write("knowledge/facts/port.md", &format!("{front}\nThe port is 8080.\n"));
    desk.sync();
    desk.revise("knowledge/facts/port.md", "포트는 9090이다.");
    assert_eq!(keys(&desk.sync().rewritten), ["knowledge/facts/port"]);
    assert_eq!(desk.read("knowledge/facts/port.md"), format!("{front}\n포트는 9090이다.\n"));
    assert!(desk.sync().is_nothing());
    assert_eq!(desk.memory("knowledge/facts/port.md").version, 2);
}

#[test]
fn what_else_somebody_changes_of_a_memory_stands_in_the_front_matter() {
    let desk = Desk::new();
    desk.write("knowledge/facts/port.md", "---\nowner: Ana\nold: 1\n---\nThe port is 8080. #inline\n");
    desk.sync();
    let memory = desk.memory("knowledge/facts/port.md");
    let mut metadata = memory.facets.metadata.clone();
    metadata.remove("old");
    metadata.insert("reviewed".to_owned(), true.into());
    let revise = Revise {
        tags: Some(vec!["inline".into(), "网络".into()]),
        importance: Importance::new(0.9).ok(),
        pinned: Some(true),
        kind: Some(Kind::Decision),
        valid_until: Some("2030-01-01T00:00:00Z".parse().ok()),
        metadata: Some(metadata),
        ..Revise::default()
    };
    desk.engine.revise(&Scope::All, memory.id, revise).unwrap();
    desk.sync();
    let expected = "---\nowner: Ana\ntags: [\"网络\"]\nimportance: 0.9\npinned: true\nkind: \"decision\"\n\
        valid_until: \"2030-01-01T00:00:00Z\"\nreviewed: true\n---\nThe port is 8080. #inline\n";
    assert_eq!(desk.read("knowledge/facts/port.md"), expected);
    let version = desk.memory("knowledge/facts/port.md").version;
    assert!(desk.sync().is_nothing());
    assert_eq!(desk.memory("knowledge/facts/port.md").version, version);
}

#[test]
fn being_recalled_linked_and_reorbited_rewrites_nothing() {
    let desk = Desk::new();
    desk.write("knowledge/facts/a.md", "The port of the staging server is 8080.");
    desk.write("knowledge/facts/b.md", "The port of the staging server was 7070.");
    desk.sync();
    desk.ask("which port has the staging server?");
    desk.engine.remember(Remember::new("The staging server has the port 8080")).unwrap();
    desk.clock.advance(jiff::SignedDuration::from_hours(24 * 40));
    desk.engine.maintain().unwrap();
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_forgotten_memory_moves_its_file_to_the_vaults_trash() {
    let desk = Desk::new();
    desk.write("knowledge/facts/x.md", "Mars is red.");
    desk.sync();
    desk.engine.forget(&Scope::All, desk.memory("knowledge/facts/x.md").id).unwrap();
    assert_eq!(keys(&desk.sync().discarded), ["knowledge/facts/x"]);
    assert!(!desk.has("knowledge/facts/x.md"));
    assert_eq!(std::fs::read_to_string(desk.path(".trash/knowledge/facts/x.md")).unwrap(), "Mars is red.");
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_memory_that_is_brought_back_from_the_trash_gets_its_file_back() {
    let desk = Desk::new();
    desk.write("knowledge/facts/x.md", "---\ntags: [planet]\n---\nMars is red.\n");
    desk.sync();
    let id = desk.memory("knowledge/facts/x.md").id;
    desk.remove("knowledge/facts/x.md");
    desk.sync();
    desk.engine.restore(&Scope::All, id).unwrap();
    assert_eq!(keys(&desk.sync().restored), ["knowledge/facts/x"]);
    assert!(desk.read("knowledge/facts/x.md").contains("Mars is red."));
    let memory = desk.memory("knowledge/facts/x.md");
    assert_eq!((memory.id, memory.facets.tags.as_slice()), (id, &["planet".to_owned()][..]));
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_memory_that_comes_back_to_a_taken_place_gets_a_name_beside_it() {
    let desk = Desk::new();
    desk.write("knowledge/facts/x.md", "Mars is red.");
    desk.sync();
    let id = desk.memory("knowledge/facts/x.md").id;
    desk.remove("knowledge/facts/x.md");
    desk.sync();
    desk.write("knowledge/facts/x.md", "Mars is rusty.");
    desk.sync();
    desk.engine.restore(&Scope::All, id).unwrap();
    desk.sync();
    assert_eq!(desk.read("knowledge/facts/x.md"), "Mars is rusty.");
    let place = "knowledge/facts/x (restored 2026-11-16 10-42-05).md";
    assert!(desk.read(place).contains("Mars is red."));
    assert_eq!(desk.memory(place).id, id);
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_memory_that_names_a_document_becomes_one() {
    let desk = Desk::new();
    let mut request = Remember::new("행성은 여덟 개다.");
    request.facets.source = Some("vault:knowledge/facts/행성.md".to_owned());
    let mut escaping = Remember::new("nothing good");
    escaping.facets.source = Some("vault:../../outside.md".to_owned());
    desk.sync();
    desk.engine.remember(request).unwrap();
    desk.engine.remember(escaping).unwrap();
    assert_eq!(keys(&desk.sync().restored), ["knowledge/facts/행성"]);
    assert!(desk.read("knowledge/facts/행성.md").contains("여덟"));
    assert!(!desk.folder.path().join("outside.md").exists());
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_part_that_is_forgotten_leaves_the_file_and_the_whole_is_kept_in_the_trash() {
    let desk = Desk::new();
    let filler = "A long story goes on and on. ".repeat(80);
    let text = format!("# One\n\n{filler}\n\n## Two\n\nThe port is 8080.\n\n## Three\n\nlast\n");
    desk.write("knowledge/facts/x.md", &text);
    desk.sync();
    desk.engine.forget(&Scope::All, desk.memory("knowledge/facts/x.md#Two").id).unwrap();
    desk.revise("knowledge/facts/x.md#Three", "## Three\n\nat last");
    desk.sync();
    let rewritten = desk.read("knowledge/facts/x.md");
    assert!(
        !rewritten.contains("8080")
            && rewritten.contains("# One")
            && rewritten.contains("## Three\n\nat last\n")
    );
    assert_eq!(desk.trashed_files(), ["x.md"]);
    assert_eq!(desk.memories(Trashed::Without).len(), 2);
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_secret_stays_in_the_file_alone_and_a_rewrite_keeps_the_file_in_the_trash() {
    let desk = Desk::new();
    let token = ["ghp_", "Qm7Xk2Vd9Rt4", "Yb6Nw3Hs8Pz5", "Lc1Jf0Ga7Te2"].concat();
    desk.write("knowledge/facts/x.md", &format!("The deploy token is {token}"));
    desk.sync();
    assert!(!desk.memory("knowledge/facts/x.md").content.contains(&token));
    assert!(desk.sync().is_nothing());
    assert!(desk.read("knowledge/facts/x.md").contains(&token));
    desk.revise("knowledge/facts/x.md", "The deploy token is in the safe.");
    desk.sync();
    assert_eq!(desk.read("knowledge/facts/x.md"), "The deploy token is in the safe.");
    assert_eq!(desk.trashed_files(), ["x.md"]);
}

#[cfg(unix)]
#[test]
fn a_rewrite_keeps_the_permissions_of_the_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::new();
    desk.write("knowledge/facts/x.md", "Mars is red.");
    std::fs::set_permissions(desk.path("knowledge/facts/x.md"), std::fs::Permissions::from_mode(0o640))
        .unwrap();
    desk.sync();
    desk.revise("knowledge/facts/x.md", "Mars is rusty.");
    desk.sync();
    let mode = std::fs::metadata(desk.path("knowledge/facts/x.md")).unwrap().permissions().mode();
    assert_eq!((mode & 0o777, desk.read("knowledge/facts/x.md").as_str()), (0o640, "Mars is rusty."));
}
