//! Ids that come along while the store is away: whose they are is found out when it is back.

use perihelion::{Remember, Revise, Scope};

use super::{World, queue_one};
use crate::queue::wanted::queued;
use crate::support::ns;

#[test]
fn a_foreign_id_given_while_the_store_is_away_gets_its_own_when_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let foreign = Remember::new("walnuts").in_namespace(ns("team/b"));
    let id = world.engine.remember(foreign).unwrap().id;
    let here = Scope::Exact(ns("default"));
    world.cut_off();
    queue_one(&world.engine, "something before it");
    let squatter = Remember { id: Some(id), ..Remember::new("almonds") };
    world.engine.remember(squatter).unwrap();
    let content = Some("roasted almonds".to_owned());
    queued(world.engine.revise_as_seen(&here, id, Revise { content, ..Revise::default() }, &[]));
    world.come_back();
    assert_eq!(world.engine.get(&Scope::All, id).unwrap().content, "walnuts");
    let own = world.engine.get(&here, id).unwrap();
    assert_eq!((own.content.as_str(), own.id), ("roasted almonds", id.within(&ns("default"))));
    assert_eq!(own.facets.metadata["given_id"], id.to_string());
    assert_eq!(world.depth(), 0);
}
