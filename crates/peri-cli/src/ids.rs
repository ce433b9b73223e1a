//! Memory ids as people type them: whole, or the first part of one.

use perihelion::{Error, InvalidId, ListQuery, MemoryId, Order, Perihelion, Scope, Timestamp, Trashed};

use crate::error::CliError;

/// The shortest part of an id that is looked up.
pub(crate) const PREFIX_DIGITS_MIN: usize = 8;

/// An id's hexadecimal digits.
const DIGITS: usize = 32;

/// The id that was meant. A whole id is taken as it is; a part must fit exactly one memory of the scope.
pub(crate) fn resolve(engine: &Perihelion, scope: &Scope, given: &str) -> Result<MemoryId, CliError> {
    if let Ok(id) = given.parse() {
        return Ok(id);
    }
    let (first, last) = range(given).ok_or_else(|| invalid(given))?;
    let mut found = Vec::new();
    for trashed in [Trashed::Without, Trashed::Only] {
        let query = ListQuery {
            scope: scope.clone(),
            trashed,
            // Expired memories have ids too.
            now: Some(Timestamp::MIN),
            order: Order::OldestFirst,
            after: first.checked_sub(1).map(|before| MemoryId::from_bytes(before.to_be_bytes())),
            limit: 2,
            ..ListQuery::default()
        };
        let page = engine.list(query)?;
        found.extend(page.memories.into_iter().map(|memory| memory.id));
    }
    found.retain(|id| *id <= MemoryId::from_bytes(last.to_be_bytes()));
    match found[..] {
        [] => Err(CliError::NoSuchPrefix { prefix: given.to_owned() }),
        [id] => Ok(id),
        [one, other, ..] => Err(CliError::input(
            format!("more than one memory has an id that begins with {given}, such as {one} and {other}"),
            "type more of it: what was stored within a minute begins alike; nothing was changed",
        )),
    }
}

/// An id is shown up to one of these places, so that lines of a list look alike.
const ENDS: [usize; 5] = [CHARS_MIN, 18, 23, 28, 36];

/// The least that is shown of an id: the time it was given, to the millisecond.
pub(crate) const CHARS_MIN: usize = 13;

/// How much of an id must be shown to tell it from every other memory outside the trash. Ids are kept in their
/// order, so only the two next to it can begin alike for longer.
pub(crate) fn chars_needed(engine: &Perihelion, id: MemoryId) -> Result<usize, CliError> {
    let text = id.to_string();
    let mut needed = CHARS_MIN;
    for order in [Order::OldestFirst, Order::NewestFirst] {
        let query =
            ListQuery { order, after: Some(id), limit: 1, now: Some(Timestamp::MIN), ..ListQuery::default() };
        if let Some(next) = engine.list(query)?.memories.first() {
            let next = next.id.to_string();
            let alike = text.bytes().zip(next.bytes()).take_while(|(own, other)| own == other).count();
            needed = needed.max(alike + 1);
        }
    }
    Ok(ENDS.into_iter().find(|end| *end >= needed).unwrap_or(text.len()))
}

/// All ids that were meant. The first that fits no memory ends the command before anything is changed.
pub(crate) fn resolve_all(
    engine: &Perihelion,
    scope: &Scope,
    given: &[String],
) -> Result<Vec<MemoryId>, CliError> {
    let mut ids = Vec::with_capacity(given.len());
    for text in given {
        let id = resolve(engine, scope, text)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

/// Changes memories one by one. If some of the changes wait for the store, the rest is asked for all the same, and the
/// answer is that they wait.
pub(crate) fn change_each<T>(
    ids: &[MemoryId],
    change: impl Fn(MemoryId) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let (mut changed, mut waiting) = (Vec::with_capacity(ids.len()), 0);
    for id in ids {
        match change(*id) {
            Err(Error::Queued) => waiting += 1,
            outcome => changed.push(outcome?),
        }
    }
    if waiting == 0 { Ok(changed) } else { Err(Error::Queued) }
}

/// The smallest and the largest id that begin with these digits.
pub(crate) fn range(given: &str) -> Option<(u128, u128)> {
    let digits: String = given.trim().chars().filter(|c| *c != '-').collect();
    if !(PREFIX_DIGITS_MIN..DIGITS).contains(&digits.len()) || !digits.chars().all(|c| c.is_ascii_hexdigit())
    {
        return None;
    }
    let bits = 4 * (DIGITS - digits.len());
    let first = u128::from_str_radix(&digits, 16).ok()? << bits;
    Some((first, first | ((1 << bits) - 1)))
}

fn invalid(given: &str) -> CliError {
    let error = InvalidId { given: given.to_owned() };
    CliError::input(
        error.to_string(),
        format!("give the whole id, or its beginning, {PREFIX_DIGITS_MIN} digits or more"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_that_wait_keep_nobody_from_the_rest_and_a_refusal_ends_it() {
        let ids = [1, 2, 3].map(|byte| MemoryId::from_bytes([byte; 16]));
        let asked = std::cell::RefCell::new(Vec::new());
        let outcome = change_each(&ids, |id| {
            asked.borrow_mut().push(id);
            if id == ids[1] { Ok(id) } else { Err(Error::Queued) }
        });
        assert!(matches!(outcome, Err(Error::Queued)));
        assert_eq!(asked.take(), ids);
        let outcome = change_each(&ids, |id| {
            asked.borrow_mut().push(id);
            if id == ids[0] { Ok(id) } else { Err(Error::Changed { id }) }
        });
        assert!(matches!(outcome, Err(Error::Changed { .. })));
        assert_eq!(asked.take(), ids[..2]);
        assert_eq!(change_each(&ids, Ok::<_, Error>).unwrap(), ids);
    }

    #[test]
    fn a_part_of_an_id_covers_the_ids_that_begin_with_it() {
        let id: MemoryId = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a".parse().unwrap();
        for (given, inside) in [
            ("0198c5b2", Some(true)),
            ("0198C5B2-7", Some(true)),
            ("0198c5b3", Some(false)),
            ("0198c5b", None),
            ("0198c5bz", None),
            ("한국어한국어한국", None),
        ] {
            let found = range(given)
                .map(|(first, last)| (first..=last).contains(&u128::from_be_bytes(*id.as_bytes())));
            assert_eq!(found, inside, "{given}");
        }
    }
}
