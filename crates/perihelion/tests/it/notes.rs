//! Notes: what is heard becomes notes and memories, and agents are given them once.

mod context;
mod hear;
mod travel;

use std::time::Duration;

use perihelion::{
    AgentContext, ContextRequest, Hear, HeardReceipt, Moment, Namespace, Observe, Perihelion, Said, SaidBy,
};

use crate::support::ns;

/// Something that the user said, at once observed.
fn say(engine: &Perihelion, namespace: &str, session: &str, text: &str) -> HeardReceipt {
    hear(engine, namespace, session, &[(SaidBy::User, text)])
}

fn hear(engine: &Perihelion, namespace: &str, session: &str, said: &[(SaidBy, &str)]) -> HeardReceipt {
    let at = engine.options().clock.now();
    let messages = said.iter().map(|(role, text)| Said::new(*role, *text, at)).collect();
    let heard = Hear { namespace: ns(namespace), session: session.to_owned(), messages, ..Hear::default() };
    engine.hear(heard, Observe::Now).unwrap()
}

fn noted(engine: &Perihelion, namespace: &str, session: &str) -> Vec<String> {
    let notes = engine.session_notes(&ns(namespace), session).unwrap();
    notes.map(|notes| notes.notes.into_iter().map(|note| note.text).collect()).unwrap_or_default()
}

fn request(namespace: &Namespace, session: &str, moment: Moment) -> ContextRequest {
    let mut request =
        ContextRequest::new(namespace.clone()).in_session(session).at(moment).once(Duration::from_secs(30));
    request.occasion = Some(format!("{moment:?} of {session}"));
    request
}

/// What an agent is given, and has then.
fn given(engine: &Perihelion, request: &ContextRequest) -> AgentContext {
    let context = engine.context(request).unwrap();
    engine.confirm_context(&request.namespace, request.session.as_deref().unwrap(), &context).unwrap();
    context
}
