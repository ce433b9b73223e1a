//! Two engines of one space: who answers when, and that two spaces never mix.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use jiff::SignedDuration;
use peri_embed::{EmbedError, Engine};
use peri_embed_remote::{HybridEngine, RemoteError};
use peri_types::SpaceId;

use crate::server::{complains, meaning, truth, vectors};
use crate::support::{Desk, desk, said, space};

/// An engine at hand, of the same space as the test servers unless told otherwise.
struct Local {
    space: SpaceId,
    asked: AtomicUsize,
    fails: AtomicBool,
}

impl Local {
    fn new(space: SpaceId) -> Arc<Self> {
        Arc::new(Self { space, asked: AtomicUsize::new(0), fails: AtomicBool::new(false) })
    }

    /// How many texts it was asked for since the last time.
    fn asked(&self) -> usize {
        self.asked.swap(0, Ordering::SeqCst)
    }
}

impl Engine for Local {
    fn space(&self) -> &SpaceId {
        &self.space
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        self.asked.fetch_add(texts.len(), Ordering::SeqCst);
        if self.fails.load(Ordering::SeqCst) {
            return Err(EmbedError::NotFinite { model: "local".to_owned() });
        }
        Ok(texts.iter().map(|text| Some(meaning(text))).collect())
    }
}

/// A server that is there while it is said to be.
fn server() -> (Desk, Arc<AtomicBool>) {
    let there = Arc::new(AtomicBool::new(true));
    let told = Arc::clone(&there);
    let desk = desk(
        move |_, request| {
            if told.load(Ordering::SeqCst) { truth(request) } else { complains(503, "away") }
        },
    );
    (desk, there)
}

#[test]
fn the_second_answers_while_the_first_is_away_and_the_first_when_it_is_back() {
    let (Desk { engine, server, clock, .. }, there) = server();
    let local = Local::new(space(3));
    let hybrid = HybridEngine::new(Arc::new(engine), Arc::clone(&local) as Arc<dyn Engine>).unwrap();
    let truly = |text: &str| assert_eq!(hybrid.embed(&[text]).unwrap(), [Some(meaning(text))], "{text}");

    truly("처음");
    assert!(local.asked() > 1, "both were asked for the same sentences first");
    truly("第二");
    assert_eq!((local.asked(), hybrid.trouble()), (0, None), "from then on the first alone");

    there.store(false, Ordering::SeqCst);
    for text in ["one", "two", "three"] {
        truly(text);
    }
    assert_eq!(local.asked(), 3);
    assert!(hybrid.trouble().unwrap().contains("the fallback answers in the same space"));
    let before = server.seen().len();
    truly("four");
    assert_eq!((server.seen().len(), local.asked()), (before, 1), "it rests");

    there.store(true, Ordering::SeqCst);
    clock.advance(SignedDuration::from_secs(31));
    truly("five");
    assert!(server.seen().len() > before && hybrid.trouble().is_none());
    assert!(local.asked() > 1, "whatever came back was compared before it was trusted");
    truly("six");
    assert_eq!(local.asked(), 0);
}

#[test]
fn engines_of_different_spaces_are_refused_with_the_reason() {
    for other in [space(4), SpaceId { model: "다른 모델".to_owned(), dimensions: 3 }] {
        let (desk, _) = server();
        let refused = HybridEngine::new(Arc::new(desk.engine), Local::new(other.clone()));
        let error = said(refused.map(|_| ()));
        assert!(error.is_mismatch() && error.to_string().contains(&other.to_string()), "{error}");
        assert!(error.to_string().contains("never mixed"), "{error}");
    }
}

#[test]
fn a_server_that_gives_other_vectors_under_the_same_name_is_never_used() {
    let desk = desk(|_, request| vectors(&vec![vec![0.0, 0.0, 1.0]; request.texts().len()]));
    let hybrid = HybridEngine::new(Arc::new(desk.engine), Local::new(space(3))).unwrap();
    for _ in 0..3 {
        let error = said(hybrid.embed(&["tea"]));
        assert!(matches!(&error, RemoteError::Unlike { cosine, .. } if *cosine < 0.999), "{error:?}");
    }
    assert_eq!(desk.server.seen().len(), 1, "which is found out once");
    assert!(hybrid.trouble().unwrap().contains("cosine"));
}

#[test]
fn a_server_whose_vectors_are_of_another_length_is_never_used() {
    let desk = desk(|_, request| vectors(&vec![vec![0.6, 0.8]; request.texts().len()]));
    let hybrid = HybridEngine::new(Arc::new(desk.engine), Local::new(space(3))).unwrap();
    for _ in 0..2 {
        let error = said(hybrid.embed(&["차"]));
        assert!(matches!(error, RemoteError::OtherDimensions { found: 2, .. }), "{error:?}");
    }
    assert_eq!(desk.server.seen().len(), 1);
}

#[test]
fn another_model_that_comes_back_at_the_same_address_is_found_out() {
    let state = Arc::new(AtomicUsize::new(0));
    let told = Arc::clone(&state);
    let desk = desk(move |_, request| match told.load(Ordering::SeqCst) {
        0 => truth(request),
        1 => complains(500, "restarting"),
        _ => vectors(&vec![vec![0.0, 1.0, 0.0]; request.texts().len()]),
    });
    let hybrid = HybridEngine::new(Arc::new(desk.engine), Local::new(space(3))).unwrap();
    hybrid.embed(&["tea"]).unwrap();
    state.store(1, Ordering::SeqCst);
    assert_eq!(hybrid.embed(&["tea"]).unwrap(), [Some(meaning("tea"))]);
    state.store(2, Ordering::SeqCst);
    assert!(matches!(said(hybrid.embed(&["tea"])), RemoteError::Unlike { .. }));
}

#[test]
fn when_both_are_away_both_say_why() {
    let (desk, there) = server();
    let local = Local::new(space(3));
    let hybrid = HybridEngine::new(Arc::new(desk.engine), Arc::clone(&local) as Arc<dyn Engine>).unwrap();
    there.store(false, Ordering::SeqCst);
    local.fails.store(true, Ordering::SeqCst);
    let told = said(hybrid.embed(&["tea"])).to_string();
    assert!(told.contains("503") && told.contains("fallback failed too"), "{told}");
}
