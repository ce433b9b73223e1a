//! The tables of phrases, one for each language, and what they tell.
//!
//! What makes a text important is told by [`peri_orbit::importance`]; the tables here hold what tells one kind of
//! finding from another, and what keeps a sentence from being one. They are written in lower case, with `|`
//! between phrases; the notation is described where phrases are matched.

mod chinese;
mod english;
mod korean;

/// What a phrase tells about the sentence it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Cue {
    /// Looks like a cue and is none.
    Plain,
    /// It is wished, imagined or merely possible.
    Unreal,
    /// It holds under a condition.
    Conditional,
    /// Nothing is settled yet.
    Undecided,
    /// Somebody else is said to have said it.
    Hearsay,
    /// Whoever said it has a say.
    Authority,
    /// It is said not to be so, or not to be needed.
    Denied,
    /// A question, even without its mark.
    Asks,
    /// The next step of whoever answers, or what the reader could do.
    Offers,
    /// Work that leaves nothing behind, such as looking at a file.
    Routine,
    /// A decision or an agreement.
    Decides,
    /// Announces a correction that the next words make.
    OpensCorrection,
    /// Often announces a correction, and often nothing.
    Objects,
    /// Tells the listener what they did, which often was wrong.
    Blames,
    /// Says how something ought to be.
    Asserts,
    /// Makes a correction.
    Corrects,
    /// Something was done.
    Finishes,
    /// It was not done yet, or will be.
    Unfinished,
    /// Something became different.
    Changes,
    /// Something does not work.
    Breaks,
    /// Something is forbidden.
    Forbids,
    /// Something is demanded or limited.
    Demands,
    /// Somebody or something has to do something.
    Owes,
    /// Without exception.
    Universal,
    /// Something has to stay as it is.
    Stays,
    /// An explicit entry of a list of things to do.
    Reminds,
    /// Something is left to do.
    Left,
    /// The speaker takes something on.
    Commits,
    /// How answers are to be given.
    Manner,
    /// Whenever something is done.
    Occasion,
    /// After some waiting.
    AtLast,
    /// From now on.
    Henceforth,
    /// As a habit.
    Standing,
    /// This once.
    Once,
    /// Likes and dislikes.
    Likes,
    /// Who speaks.
    Speaker,
    /// Those among whom the speaker is.
    Group,
    /// Who is spoken to.
    Listener,
    /// A relative or a friend.
    Kin,
    /// A role at work.
    Post,
    /// What somebody is, or where.
    Identity,
    /// Something that takes place at a time.
    Event,
    /// A day that comes back every year.
    Yearly,
    /// It lies in the past.
    Past,
    /// A name for a secret.
    Secret,
    /// A word that stands for another one.
    Pronoun,
}

impl Cue {
    /// Whether it tells about the scene of a sentence rather than what happens in it. Such phrases are found beside
    /// longer ones: "I like" is a liking and names the speaker.
    pub(crate) fn is_scene(self) -> bool {
        use Cue::{
            Authority, Group, Kin, Left, Listener, Once, Past, Pronoun, Speaker, Standing, Stays, Universal,
        };
        let scene = [
            Authority,
            Group,
            Kin,
            Left,
            Listener,
            Once,
            Past,
            Pronoun,
            Speaker,
            Standing,
            Stays,
            Universal,
            Cue::Post,
            Cue::Manner,
        ];
        scene.contains(&self)
    }
}

/// A row of a table: what the phrases tell, and the phrases with `|` between them.
type Row = (Cue, &'static str);

/// Every phrase with what it tells.
pub(crate) fn all() -> impl Iterator<Item = (Cue, &'static str)> {
    let rows = [english::TABLE, korean::TABLE, chinese::TABLE].into_iter().flatten();
    rows.flat_map(|&(cue, texts)| texts.split('|').map(move |text| (cue, text.trim())))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_phrase_is_written_once_for_what_it_tells() {
        let mut seen = HashSet::new();
        for (cue, text) in all() {
            assert!(!text.is_empty(), "{cue:?} holds an empty phrase");
            assert!(seen.insert((cue, text)), "{text} stands twice under {cue:?}");
        }
    }
}
