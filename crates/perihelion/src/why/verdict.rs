//! What became of a memory, in a sentence for people.

use super::{Why, WhyReason};
use crate::recall::{Recall, Recalled};

impl Why {
    /// What became of it, in a sentence.
    pub(super) fn sentence(&self, request: &Recall, recalled: &Recalled) -> String {
        let facets = &self.memory.facets;
        match self.reason {
            WhyReason::Recalled => {
                let at = recalled.hits.iter().position(|hit| hit.memory.id == self.id).unwrap_or_default();
                format!("It is number {} of {} results.", at + 1, recalled.hits.len())
            }
            WhyReason::BelowFloor => self.floor(),
            WhyReason::BeyondLimit => self.crowded_out(),
            WhyReason::OverBudget => format!(
                "It is among the best, but its {} tokens do not fit into what the others leave of {}.",
                peri_text::count_tokens(&self.memory.content),
                request.tokens_max.unwrap_or_default()
            ),
            WhyReason::Filtered => {
                let names: Vec<&str> = self.filtered_by.iter().map(|condition| condition.as_str()).collect();
                format!("It does not meet what was asked for: {}.", names.join(", "))
            }
            WhyReason::Superseded => match facets.superseded_by {
                Some(newer) => format!("The memory {newer} took its place."),
                None => "Another memory took its place.".to_owned(),
            },
            WhyReason::Expired => match facets.valid_until {
                Some(until) => format!("It held until {until} and does not hold any more."),
                None => "It does not hold any more.".to_owned(),
            },
            WhyReason::Trashed => "It lies in the trash.".to_owned(),
            WhyReason::NotWeighed if self.memory.space.is_none() => {
                "It shares no word with the question, and it has no vector to compare its meaning by."
                    .to_owned()
            }
            WhyReason::NotWeighed => {
                "Neither its words nor its meaning come near the question, so it was not weighed.".to_owned()
            }
            WhyReason::Elsewhere => {
                format!("It is in the namespace {}, where was not looked.", self.memory.namespace)
            }
        }
    }

    fn floor(&self) -> String {
        match self.score {
            Some(score) if score < self.score_min => {
                format!("Its score of {score:.2} is less than the {:.2} that a result needs.", self.score_min)
            }
            _ => "It shares too little with the question to be relevant.".to_owned(),
        }
    }

    fn crowded_out(&self) -> String {
        let (limit, place) = (self.limit, self.place.unwrap_or_default());
        if place > limit {
            format!("It is relevant, at place {place}, but only {limit} results were asked for.")
        } else {
            format!(
                "It is about as relevant as the last of the {limit} results, which are nearer or of the session."
            )
        }
    }
}
