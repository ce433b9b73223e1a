//! Circumstances as models write them: texts such as `spatial.place=office`.

use perihelion::{Circumstance, Context};

use crate::refusal::Refusal;

/// Reads circumstances.
pub(crate) fn read(texts: &[String]) -> Result<Vec<Circumstance>, Refusal> {
    let read = |text: &String| text.parse().map_err(|error| Refusal::argument("context", error));
    texts.iter().map(read).collect()
}

/// Reads circumstances together; of two with one name, the later one counts.
pub(crate) fn together(texts: &[String]) -> Result<Context, Refusal> {
    let mut context = Context::default();
    read(texts)?.into_iter().for_each(|one| context.add(one));
    Ok(context)
}

/// The same as texts.
pub(crate) fn tell(context: &Context) -> Vec<String> {
    context.circumstances().map(|one| one.to_string()).collect()
}
