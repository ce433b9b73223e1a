//! An export imported under another namespace of the same store.

use perihelion::{Effect, ImportMode, ImportOptions, Imported, Perihelion, Scope};

use super::export;
use crate::graph::link;
use crate::supersession::clocked;
use crate::support::{keep, ns};

fn taken(engine: &Perihelion, lines: &str, mode: ImportMode) -> Imported {
    let import = |effect| {
        let options = ImportOptions { mode, effect, ..ImportOptions::default() };
        engine.import(&mut lines.as_bytes(), options).unwrap()
    };
    let foretold = import(Effect::Rehearsed);
    let imported = import(Effect::Written);
    assert_eq!(foretold, imported);
    imported
}

#[test]
fn an_export_imported_under_another_namespace_is_a_copy_of_its_own() {
    let (_folder, engine, _) = clocked();
    let ids = ["herons nest by the lake", "서울의 왜가리"].map(|text| keep(&engine, text));
    link(&engine, ids[0], ids[1]);
    let own = export(&engine);
    let lines = own.replace("\"namespace\":\"default\"", "\"namespace\":\"copy\"");
    let told = taken(&engine, &lines, ImportMode::Append);
    assert_eq!((told.added, told.edges, &told.refused[..]), (2, 1, &[][..]), "{told:?}");

    let copies = ids.map(|id| id.within(&ns("copy")));
    let there = Scope::Exact(ns("copy"));
    for (id, copy) in ids.into_iter().zip(copies) {
        let here = engine.get(&Scope::All, id).unwrap();
        assert_eq!(here.namespace, ns("default"), "an id names one memory");
        let memory = engine.get(&Scope::All, copy).unwrap();
        assert_eq!((&memory.content, memory.namespace), (&here.content, ns("copy")));
        assert_eq!(memory.facets.metadata["given_id"], id.to_string());
        assert_eq!(engine.get(&there, id).unwrap().id, copy, "its namespace knows it by both");
    }
    let edges = engine.edges(&there, copies[0]).unwrap();
    assert_eq!(
        edges.iter().map(|edge| (edge.source, edge.target)).collect::<Vec<_>>(),
        [(copies[0], copies[1])]
    );
    assert!(export(&engine).contains("given_id"), "where it came from goes out again");

    for mode in [ImportMode::Append, ImportMode::Upsert, ImportMode::Replace] {
        let again = taken(&engine, &lines, mode);
        assert_eq!((again.added, again.trashed), (0, 0), "{mode:?}: {again:?}");
    }
    engine.forget(&there, ids[0]).unwrap();
    assert!(engine.get(&Scope::All, ids[0]).unwrap().trashed_at.is_none());
}
