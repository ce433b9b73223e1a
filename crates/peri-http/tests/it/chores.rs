//! Chores over HTTP.

use jiff::SignedDuration;
use perihelion::{Clock, EngineChoice, Scope};
use serde_json::json;

use crate::support::House;

#[tokio::test]
async fn the_trash_is_emptied_where_and_as_far_back_as_is_said() {
    let clock = Clock::manual("2026-03-04T05:06:07Z".parse().unwrap());
    let twin = clock.clone();
    let house = House::over(
        |options| {
            options.engine = EngineChoice::Off;
            options.clock = twin;
        },
        |_| (),
    )
    .await;
    for (namespace, content) in [("team/a", "the first"), ("else", "the second"), ("team/a", "the third")] {
        let id = house.keep(namespace, content);
        house.engine.forget(&Scope::All, id).unwrap();
        clock.advance(SignedDuration::from_secs(60));
    }
    let purge = async |body| house.post("/v1/trash/purge", &body).send().await.expect(200)["purged"].clone();
    assert_eq!(purge(json!({"before": "2026-03-04T05:06:07Z"})).await, 0);
    assert_eq!(purge(json!({"before": "2026-03-04T05:06:08Z", "scope": "else"})).await, 0);
    assert_eq!(purge(json!({"before": "2026-03-04T05:06:08Z", "scope": "team/*"})).await, 1);
    assert_eq!(purge(json!({"scope": "team/*"})).await, 1);
    assert_eq!(purge(json!({})).await, 1);
}

#[tokio::test]
async fn zones_and_chores_are_brought_up_to_date_by_hand() {
    let clock = Clock::manual("2026-03-04T05:06:07Z".parse().unwrap());
    let twin = clock.clone();
    let house = House::over(|options| options.clock = twin, |_| ()).await;
    house.keep("team/a", "Ana prefers tea");
    house.keep("else", "the build is green");
    clock.advance(SignedDuration::from_hours(24));
    let reorbit = async |body| house.post("/v1/reorbit", &body).send().await.expect(200);
    let done = reorbit(json!({"scope": "team/*"})).await;
    assert_eq!((&done["namespaces"], &done["memories"]), (&json!(["team/a"]), &json!(1)), "{done}");
    assert_eq!(reorbit(json!({})).await["namespaces"], json!(["else"]));
    assert_eq!(reorbit(json!({})).await["namespaces"], json!([]));
    let done = house.post("/v1/maintain", &json!({})).send().await.expect(200);
    assert_eq!((&done["purged"], &done["unembedded"]), (&json!(0), &json!(0)), "{done}");
}
