//! Keys are sent and never told.

use peri_embed::Engine as _;
use peri_embed_remote::{Address, RemoteError, Secret};

use crate::server::{Server, complains, reply, truth};
use crate::support::{desk_with, said, settings};

const KEY: &str = "sk-very-secret-7319";

#[test]
fn the_key_is_sent_as_a_header_and_as_nothing_else() {
    let server = Server::answering(|_, request| truth(request));
    let desk = desk_with(server, |settings| settings.key = Some(Secret::new(KEY)));
    desk.engine.embed(&["tea"]).unwrap();
    let seen = desk.server.seen().remove(0);
    assert!(seen.head.contains(&format!("authorization: Bearer {KEY}")), "{}", seen.head);
    assert!(!seen.body.to_string().contains(KEY) && !seen.head.lines().next().unwrap().contains(KEY));
}

#[test]
fn no_error_and_nothing_that_is_shown_holds_the_key_even_if_the_server_repeats_it() {
    let talkative: [fn() -> crate::server::Step; 4] = [
        || complains(401, &format!("the key {KEY} is not known")),
        || complains(500, &format!("out of luck with {KEY}")),
        || reply(302, &format!("location: http://127.0.0.1:1/{KEY}\r\n"), KEY),
        || reply(200, "", format!("{{\"data\": \"{KEY}\"}}")),
    ];
    for answer in talkative {
        let server = Server::answering(move |_, _| answer());
        let desk = desk_with(server, |settings| settings.key = Some(Secret::new(KEY)));
        let error = said(desk.engine.embed(&["tea"]));
        let told = format!("{error} {error:?} {:?} {:?}", desk.engine, desk.engine.trouble());
        assert!(!told.contains(KEY), "{told}");
    }
    let mut shown = settings("http://127.0.0.1:1");
    shown.key = Some(Secret::new(KEY));
    assert!(!format!("{shown:?}").contains(KEY));
}

#[test]
fn passwords_of_addresses_are_sent_and_not_shown() {
    let server = Server::answering(|_, _| complains(401, "hunter2 is wrong"));
    let address = server.address().replace("http://", "http://me:hunter2@");
    let desk = desk_with(server, |settings| settings.address = Address::parse(&address).unwrap());
    let error = said(desk.engine.embed(&["tea"]));
    assert!(matches!(&error, RemoteError::Refused { status: 401, .. }));
    assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
    assert!(desk.server.seen()[0].head.contains("authorization: Basic "), "{:?}", desk.server.seen()[0].head);
}
