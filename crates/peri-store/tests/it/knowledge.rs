//! Knowledge graphs: parts have identities of their own, and changes rest on the revision that was read.

use peri_store::{Embedding, StoreError, Write, Written};
use peri_types::{Facets, KnowledgePart, Memory, Scope};

use crate::support::{at, keep, memory, ns, open, remember};

fn part(part: KnowledgePart<'_>, text: &str) -> Memory {
    let facets = Facets { metadata: part.metadata(0), ..Facets::default() };
    Memory { facets, ..memory("a", &part.statement(text)) }
}

fn advance(read: u64) -> Write {
    Write::AdvanceKnowledge { namespace: ns("a"), read }
}

#[test]
fn a_change_that_rests_on_an_old_revision_is_refused_whole() {
    let (_folder, store) = open();
    assert_eq!(store.knowledge_revision(&ns("a")).unwrap(), 0);
    store.write(vec![advance(0)]).unwrap();
    let late = vec![remember(memory("a", "too late"), Embedding::Pending), advance(0)];
    assert!(matches!(store.write(late), Err(StoreError::Overtaken { namespace }) if namespace == ns("a")));
    assert_eq!(store.knowledge_revision(&ns("a")).unwrap(), 1);
    assert_eq!(store.knowledge_revision(&ns("b")).unwrap(), 0, "each namespace has its own");
    assert!(store.list(&Default::default()).unwrap().memories.is_empty());
    store.write(vec![advance(1)]).unwrap();
}

#[test]
fn a_part_repeats_only_the_same_part() {
    let (_folder, store) = open();
    keep(&*store, "a", "Ana: sings");
    let observation = |nth| part(KnowledgePart::Observation { entity: "Ana", nth }, "sings");
    let entity = |entity_type| part(KnowledgePart::Entity { name: "Ana", entity_type }, "");
    for (new, is_new) in [
        (observation(0), true),
        (observation(1), true),
        (observation(0), false),
        (entity("person"), true),
        (entity("robot"), false),
    ] {
        let written = store.write(vec![remember(new.clone(), Embedding::Pending)]).unwrap().remove(0);
        assert_eq!(matches!(written, Written::Stored(_)), is_new, "{new:?}");
    }
}

#[test]
fn orbits_know_what_is_kept_for_good() {
    let (_folder, store) = open();
    let entity = part(KnowledgePart::Entity { name: "Ana", entity_type: "person" }, "");
    let mut alike = memory("a", "it only looks alike");
    alike.facets.metadata.insert("knowledge".to_owned(), "deep".into());
    let kept = entity.id;
    let writes = [entity, alike].map(|memory| remember(memory, Embedding::Pending));
    store.write(writes.to_vec()).unwrap();
    let bodies = store.orbit(&ns("a")).unwrap().bodies;
    assert_eq!(bodies.iter().map(|body| body.id == kept).collect::<Vec<_>>(), [true, false]);
    assert_eq!(bodies.iter().map(|body| body.kept).collect::<Vec<_>>(), [true, false]);
    store.write(vec![Write::Forget { scope: Scope::All, id: kept, at: at(1) }]).unwrap();
    assert_eq!(store.orbit(&ns("a")).unwrap().bodies.len(), 1, "somebody may forget it");
}
