//! Keys: who is let in, and that it is told.

use peri_store::{KeyRecord, KeyUse, Store, StoreError, Write, Written};
use peri_types::{Happening, KeyId, Role, Scope};

use crate::support::{at, key, open};

fn create(store: &dyn Store, key: &KeyRecord) -> Result<Vec<Written>, StoreError> {
    store.write(vec![Write::CreateKey(Box::new(key.clone()))])
}

fn revoke(store: &dyn Store, id: KeyId, second: i64) -> Result<Vec<Written>, StoreError> {
    store.write(vec![Write::RevokeKey { id, at: at(second) }])
}

fn told(store: &dyn Store) -> Vec<Happening> {
    store.events(0, 100).unwrap().events.into_iter().map(|event| event.what).collect()
}

#[test]
fn keys_come_back_whole_after_opening_again() {
    let (folder, store) = open();
    let mut keys = vec![key("aaaaaaaa"), key("bbbbbbbb"), key("cccccccc")];
    keys[1].role = Role::Admin;
    keys[1].scope = Scope::All;
    keys[1..].iter_mut().for_each(|key| key.name = "이름은 같아도 된다".to_owned());
    keys[2].hash = [0xFF; 32];
    for key in &keys {
        assert_eq!(create(&*store, key).unwrap(), [Written::Key(Box::new(key.clone()))]);
    }
    drop(store);
    let store = folder.open();
    assert_eq!(store.keys().unwrap(), keys);
    assert_eq!(store.key(keys[1].id).unwrap().as_ref(), Some(&keys[1]));
    assert_eq!(store.key("zzzzzzzz".parse().unwrap()).unwrap(), None);
    assert!(store.has_keys().unwrap());
}

#[test]
fn a_revoked_key_stays_on_the_list_and_is_revoked_once() {
    let (_folder, store) = open();
    let (one, two) = (key("aaaaaaaa"), key("bbbbbbbb"));
    create(&*store, &one).unwrap();
    create(&*store, &two).unwrap();
    let revoked = KeyRecord { revoked_at: Some(at(5)), ..one.clone() };
    assert_eq!(revoke(&*store, one.id, 5).unwrap(), [Written::Key(Box::new(revoked.clone()))]);
    assert_eq!(revoke(&*store, one.id, 9).unwrap(), [Written::Key(Box::new(revoked.clone()))]);
    assert_eq!(store.keys().unwrap(), [revoked, two.clone()]);
    assert!(store.has_keys().unwrap());
    revoke(&*store, two.id, 9).unwrap();
    assert!(!store.has_keys().unwrap());
    let created = |key: &KeyRecord| Happening::KeyCreated {
        key: key.id,
        role: Role::Writer,
        scope: "team/*".parse().unwrap(),
    };
    let gone = |key: &KeyRecord| Happening::KeyRevoked { key: key.id };
    assert_eq!(told(&*store), [created(&one), created(&two), gone(&one), gone(&two)]);
}

#[test]
fn an_unknown_key_cannot_be_revoked_and_an_id_is_not_given_twice() {
    let (_folder, store) = open();
    let one = key("aaaaaaaa");
    let error = revoke(&*store, one.id, 1).unwrap_err();
    assert!(matches!(error, StoreError::NoKey { id } if id == one.id), "{error}");
    create(&*store, &one).unwrap();
    let error = create(&*store, &KeyRecord { hash: [9; 32], ..one.clone() }).unwrap_err();
    assert!(matches!(error, StoreError::KeyTaken { id } if id == one.id), "{error}");
    assert_eq!(store.keys().unwrap(), [one], "the first one is as it was");
    assert_eq!(told(&*store).len(), 1);
}

#[test]
fn the_last_use_of_a_key_is_kept_whatever_the_order_it_is_told_in() {
    let (_folder, store) = open();
    let one = key("aaaaaaaa");
    create(&*store, &one).unwrap();
    let used = |second| KeyUse { id: one.id, at: at(second) };
    let stranger = KeyUse { id: "zzzzzzzz".parse().unwrap(), at: at(1) };
    store.note_key_uses(&[used(3), stranger, used(8), used(5)]).unwrap();
    store.note_key_uses(&[used(4)]).unwrap();
    assert_eq!(store.keys().unwrap(), [KeyRecord { used_at: Some(at(8)), ..one }]);
    assert_eq!(told(&*store).len(), 1, "use is no event");
}

#[test]
fn what_another_handle_revoked_is_seen_at_once() {
    let (folder, store) = open();
    let other = folder.open();
    let one = key("aaaaaaaa");
    create(&*store, &one).unwrap();
    assert_eq!(other.key(one.id).unwrap().unwrap().revoked_at, None);
    revoke(&*store, one.id, 7).unwrap();
    assert_eq!(other.key(one.id).unwrap().unwrap().revoked_at, Some(at(7)));
}
