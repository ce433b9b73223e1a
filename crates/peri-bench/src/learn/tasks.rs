//! Two tasks after each other: what the second makes of what was learned of the first, with and without protection.

use peri_learn::adapt::{Adapter, Mode};

use super::feedback::{hear, learn_anew, learn_further};
use super::figures::{Figures, changes, heading, measure, print_changes};
use super::halves;
use super::world::{Talk, World};
use crate::Outcome;

/// What came of one way to learn the second task.
#[derive(Default)]
struct Row {
    first: Vec<Figures>,
    second: Vec<Figures>,
}

/// Every conversation, and after it every other one.
pub(super) fn run(world: &World, talks: &[&Talk], mode: Mode) -> Outcome<()> {
    let own = mode.settings().protection_strength;
    let strengths = [0.0, own / 10.0, own, own * 10.0];
    let mut alone = Row::default();
    let mut rows: Vec<Row> = strengths.iter().map(|_| Row::default()).collect();
    for first in talks {
        let (taught, unseen) = halves(&first.questions, 0);
        let Some(learned) = learn_anew(world, first, &hear(world, first, &taught, 0.0)?, mode)? else {
            continue;
        };
        for second in talks.iter().filter(|second| second.name != first.name) {
            let (taught_then, unseen_then) = halves(&second.questions, 0);
            let heard = hear(world, second, &taught_then, 0.0)?;
            let before = [measure(world, first, &unseen, None)?, measure(world, second, &unseen_then, None)?];
            let note = |row: &mut Row, adapter: &Adapter| -> Outcome<()> {
                row.first.extend(changes(&before[0], &measure(world, first, &unseen, Some(adapter))?));
                row.second.extend(changes(&before[1], &measure(world, second, &unseen_then, Some(adapter))?));
                Ok(())
            };
            note(&mut alone, &learned.lesson.adapter)?;
            for (row, strength) in rows.iter_mut().zip(strengths) {
                note(row, &learn_further(&heard, mode, &learned.lesson, strength)?)?;
            }
        }
    }
    heading(&format!("{mode}, a second conversation after the first: change against no adapter"));
    print_changes("first learned: first", &alone.first);
    print_changes("first learned: second", &alone.second);
    for (row, strength) in rows.iter().zip(strengths) {
        print_changes(&format!("then second, strength {strength}: first"), &row.first);
        print_changes(&format!("then second, strength {strength}: second"), &row.second);
    }
    Ok(())
}
