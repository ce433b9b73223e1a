//! The tables of `peri-bench notes`.

use std::collections::BTreeMap;

use super::Kept;
use super::answer::{Answer, FIRST, Source};
use super::heard::Keeping;

/// A column: how conversations were kept, and the answers.
struct Column {
    name: &'static str,
    answers: Vec<Answer>,
}

/// Prints what was found by category, what was handed out, and what notes did to the results.
pub(super) fn print(kept: &[Kept]) {
    let mut columns: Vec<Column> =
        kept.iter().map(|kept| Column { name: kept.keeping.name(), answers: kept.answers.clone() }).collect();
    let both = kept.iter().find(|kept| kept.keeping == Keeping::Both);
    columns.extend(both.map(|both| Column { name: "as one", answers: both.as_one() }));
    print_recall(&columns);
    print_handed_out(&columns);
    print_kept(kept);
    if let [turns, _, both, ..] = columns.as_slice() {
        print_gains(&turns.answers, &both.answers);
    }
    both.iter().for_each(|both| print_notes(&both.answers));
}

fn print_recall(columns: &[Column]) {
    print!("{:<32} questions", "R@5 / R@10");
    columns.iter().for_each(|column| print!("  {:>13}", column.name));
    println!();
    let mut categories: BTreeMap<&str, ()> = BTreeMap::new();
    columns.iter().flat_map(|column| &column.answers).for_each(|answer| {
        categories.insert(&answer.category, ());
    });
    let names = categories.into_keys().map(Some).chain([None]);
    for name in names {
        let of = |answer: &&Answer| name.is_none_or(|name| answer.category == name);
        let count = columns.first().map_or(0, |column| column.answers.iter().filter(of).count());
        print!("{:<32} {count:>9}", name.unwrap_or("all"));
        for column in columns {
            let at = |first| mean(column.answers.iter().filter(of).map(|answer| answer.recall(first)));
            print!("  {:>13}", format!("{:.3} / {:.3}", at(5), at(FIRST)));
        }
        println!();
    }
    println!();
}

fn print_handed_out(columns: &[Column]) {
    println!("{:<12} results  of them notes  tokens", "handed out");
    for column in columns {
        let each = |figure: fn(&Answer) -> usize| mean(column.answers.iter().map(|one| figure(one) as f64));
        let results = each(|answer| answer.handed_out().len());
        let notes =
            each(|answer| answer.handed_out().iter().filter(|one| one.source == Source::Note).count());
        let tokens = each(|answer| answer.handed_out().iter().map(|one| one.tokens).sum());
        println!("{:<12} {results:>7.1}  {notes:>13.1}  {tokens:>6.0}", column.name);
    }
    println!();
}

fn print_kept(kept: &[Kept]) {
    println!("{:<12} turns  memories  notes  notes per 100 turns", "kept");
    for kept in kept {
        let (turns, memories, notes) = (kept.turns, kept.memories, kept.notes);
        let share = 100.0 * notes as f64 / turns.max(1) as f64;
        println!("{:<12} {turns:>5}  {memories:>8}  {notes:>5}  {share:>19.1}", kept.keeping.name());
    }
    println!();
}

/// How many questions are answered better and worse with notes beside the turns.
fn print_gains(turns: &[Answer], both: &[Answer]) {
    println!("notes beside turns   better  worse  the same");
    for first in [5, FIRST] {
        let (mut better, mut worse, mut same) = (0, 0, 0);
        for (one, other) in turns.iter().zip(both) {
            match other.recall(first).total_cmp(&one.recall(first)) {
                std::cmp::Ordering::Greater => better += 1,
                std::cmp::Ordering::Less => worse += 1,
                std::cmp::Ordering::Equal => same += 1,
            }
        }
        println!("R@{first:<18} {better:>6}  {worse:>5}  {same:>8}");
    }
    println!();
}

/// What the notes among the results brought.
#[derive(Debug, Default, PartialEq, Eq)]
struct Brought {
    /// Their turns are among the results as well.
    said_again: usize,
    /// A gold turn that is not among the results otherwise.
    gold: usize,
    /// Anything else.
    other: usize,
}

impl Brought {
    fn count(&mut self, answer: &Answer) {
        let handed_out = answer.handed_out();
        for (place, note) in handed_out.iter().enumerate().filter(|(_, one)| one.source == Source::Note) {
            let mut others = handed_out.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, one)| one);
            let is_told = !note.turns.is_empty()
                && note.turns.iter().all(|turn| others.clone().any(|one| one.turns.contains(turn)));
            let is_gold = note
                .turns
                .iter()
                .any(|turn| answer.gold.contains(turn) && !others.any(|one| one.turns.contains(turn)));
            *(match (is_told, is_gold) {
                (true, _) => &mut self.said_again,
                (false, true) => &mut self.gold,
                (false, false) => &mut self.other,
            }) += 1;
        }
    }
}

fn print_notes(answers: &[Answer]) {
    let mut brought = Brought::default();
    answers.iter().for_each(|answer| brought.count(answer));
    let all = (brought.said_again + brought.gold + brought.other).max(1) as f64;
    println!("notes among the first {FIRST}, beside turns");
    for (name, count) in [
        ("say a turn again that is there too", brought.said_again),
        ("bring a right turn that is not", brought.gold),
        ("bring another turn", brought.other),
    ] {
        println!("{name:<36} {count:>6}  {:>5.1} %", 100.0 * count as f64 / all);
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    sum / count.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::super::answer::Found;
    use super::*;

    #[test]
    fn notes_are_told_apart_by_what_they_bring() {
        let found = |source, turns: &[&str]| {
            let turns = turns.iter().map(ToString::to_string).collect();
            Found { source, turns, tokens: 3 }
        };
        let answer = Answer {
            category: "any".to_owned(),
            gold: vec!["1".to_owned(), "2".to_owned()],
            found: vec![
                found(Source::Turn, &["1"]),
                found(Source::Note, &["1"]),
                found(Source::Note, &["2", "5"]),
                found(Source::Note, &["7"]),
                found(Source::Note, &[]),
            ],
        };
        let mut brought = Brought::default();
        brought.count(&answer);
        assert_eq!(brought, Brought { said_again: 1, gold: 1, other: 2 });
    }
}
