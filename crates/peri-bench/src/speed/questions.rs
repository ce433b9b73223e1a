//! Questions to invented memories: of the kinds that people ask, no two alike.

use std::collections::HashSet;

use super::corpus::{Clue, Corpus};

/// About nothing that was told.
const UNRELATED: [&str; 12] = [
    "marzipan",
    "trombone",
    "glacier",
    "origami",
    "tadpole",
    "saffron",
    "hammock",
    "eclipse",
    "fjord",
    "lighthouse",
    "beekeeping",
    "sourdough",
];

/// A question, and the digest of the memory it was made from.
pub(super) struct Asked {
    pub(super) text: String,
    /// None if it was made from no single memory.
    pub(super) about: Option<u64>,
}

/// So many questions to what the corpus has told.
pub(crate) fn ask(corpus: &mut Corpus, count: usize) -> Vec<String> {
    ask_about(corpus, count).into_iter().map(|asked| asked.text).collect()
}

/// So many questions to what the corpus has told, with what each is about.
pub(super) fn ask_about(corpus: &mut Corpus, count: usize) -> Vec<Asked> {
    let mut asked = HashSet::new();
    let mut questions = Vec::with_capacity(count);
    while questions.len() < count {
        let (text, about) = one(corpus, questions.len() % 10);
        if asked.insert(text.clone()) {
            questions.push(Asked { text, about });
        }
    }
    questions
}

/// Three in ten name a speaker, two an identifier, one a day, one is misspelt, one paraphrases.
fn one(corpus: &mut Corpus, kind: usize) -> (String, Option<u64>) {
    match kind {
        0..3 => {
            let clue = clue(corpus, |clue| clue.speaker.is_some());
            let [first, second] = words(corpus, &clue);
            let speaker = clue.speaker.unwrap_or("Ana");
            (format!("What did {speaker} say about the {first} and the {second}?"), Some(clue.digest))
        }
        3..5 => {
            let clue = clue(corpus, |clue| clue.identifier.is_some());
            let [first, _] = words(corpus, &clue);
            let identifier = clue.identifier.unwrap_or_default();
            (format!("Which {first} belongs to {identifier}?"), Some(clue.digest))
        }
        5 => {
            let clue = clue(corpus, |clue| clue.day.is_some());
            let [first, _] = words(corpus, &clue);
            let day = clue.day.map_or_else(String::new, |day| day.strftime("%-d %B %Y").to_string());
            (format!("What happened with the {first} on {day}?"), Some(clue.digest))
        }
        6 => {
            let clue = clue(corpus, |_| true);
            let [first, second] = words(corpus, &clue);
            (format!("why is the {} slower than the {second}", misspelt(first)), Some(clue.digest))
        }
        7 => {
            let topic = corpus.vocabulary.topic(&mut corpus.random);
            let mut word = || corpus.vocabulary.topic_word(topic, &mut corpus.random);
            let (first, second, third) = (word(), word(), word());
            (format!("Tell me anything that has to do with {first}, {second} or {third}"), None)
        }
        8 => {
            let clue = clue(corpus, |_| true);
            let ([first, second], [third, _]) = (words(corpus, &clue), words(corpus, &clue));
            (format!("How does the {first} {second} affect our {third}?"), Some(clue.digest))
        }
        _ => {
            let (first, second) = (corpus.random.pick(&UNRELATED), corpus.random.pick(&UNRELATED));
            let number = corpus.random.below(1000);
            (format!("Is there a {first} with {number} kinds of {second}?"), None)
        }
    }
}

fn clue(corpus: &mut Corpus, accept: fn(&Clue) -> bool) -> Clue {
    loop {
        let clue = &corpus.clues[corpus.random.below(corpus.clues.len())];
        if accept(clue) {
            return clue.clone();
        }
    }
}

/// Two words of a memory, if it has two.
fn words(corpus: &mut Corpus, clue: &Clue) -> [&'static str; 2] {
    let first = corpus.random.pick(&clue.words);
    let others: Vec<&str> = clue.words.iter().copied().filter(|word| *word != first).collect();
    [first, if others.is_empty() { first } else { corpus.random.pick(&others) }]
}

/// The word without its third letter.
fn misspelt(word: &str) -> String {
    word.char_indices().filter(|(at, _)| *at != 2).map(|(_, letter)| letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_asks_the_same_and_no_question_twice() {
        let asked = |seed| {
            let mut corpus = Corpus::new(seed);
            let told: Vec<String> = corpus.take(500).into_iter().map(|one| one.content).collect();
            (told, ask(&mut corpus, 100))
        };
        assert_eq!(asked(7), asked(7));
        let (told, questions) = asked(7);
        assert_eq!(told.iter().collect::<HashSet<_>>().len(), 500);
        assert_eq!(questions.iter().collect::<HashSet<_>>().len(), 100);
        let words: usize = told.iter().map(|content| content.split_whitespace().count()).sum();
        assert!((17..=23).contains(&(words / 500)), "{}", words / 500);
    }
}
