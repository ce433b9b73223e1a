//! What follows from one attempt: what it spent, and what to do next.

use std::time::Duration;

use jiff::Timestamp;
use peri_remote::{Body, Reached, Reply, Trouble, complaint, is_transient, may_have_charged, retry_after};
use serde_json::Value;

use crate::json::{Shape, find, without_reasoning};
use crate::provider::{Cost, Finish, Manners, Reading, interpret};
use crate::{Answer, Garbled, Refusal, Request, Settings, Unreadable};

/// A longer name of a model is not taken over from a server.
const MODEL_NAME_MAX: usize = 300;

/// What an attempt was about.
pub(crate) struct Attempt<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) request: &'a Request,
    pub(crate) manners: Manners,
    pub(crate) cost: Cost,
    /// The how many-th it is.
    pub(crate) number: u32,
    pub(crate) now: Timestamp,
}

/// What an attempt spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spent {
    Nothing,
    /// Nobody can say, so as much as it could.
    Everything,
    /// Tokens in and out.
    Known(u64, u64),
}

/// What to do after an attempt.
pub(crate) enum Next {
    Done(Answer),
    /// Ask again at once, otherwise.
    Adapt(Manners),
    /// Ask again after a wait, which the server may have asked for.
    Retry(Option<Duration>, Refusal),
    Fail(Refusal),
}

/// What follows from an attempt.
pub(crate) struct Verdict {
    pub(crate) spent: Spent,
    pub(crate) next: Next,
}

impl Attempt<'_> {
    /// What follows from what the server sent.
    pub(crate) fn judge(&self, reply: Result<Reply, Trouble>) -> Verdict {
        match reply {
            Err(trouble) => {
                let spent = match trouble.reached {
                    Reached::No => Spent::Nothing,
                    Reached::Perhaps => Spent::Everything,
                };
                Verdict { spent, next: Next::Retry(None, self.unreachable(&trouble.detail)) }
            }
            Ok(Reply { status: 200..=299, body, .. }) => self.answered(body),
            Ok(reply) => self.refused(reply),
        }
    }

    fn unreachable(&self, detail: &str) -> Refusal {
        Refusal::Unreachable {
            place: self.settings.address.to_string(),
            attempts: self.number,
            detail: self.settings.hide_in(detail),
        }
    }

    fn refused(&self, reply: Reply) -> Verdict {
        let Reply { status, .. } = reply;
        let complaint = match &reply.body {
            _ if (300..400).contains(&status) => "it sends elsewhere, which is not followed".to_owned(),
            Body::Whole(body) => complaint(body),
            Body::TooLong => "its explanation is too long to be read".to_owned(),
        };
        let place = self.settings.address.to_string();
        let detail = self.settings.hide_in(&complaint);
        let refusal = Refusal::Status { place, status, attempts: self.number, detail };
        let adapted = || self.manners.after(self.settings.provider, self.request, &complaint);
        let next = if is_transient(status) {
            let wait = reply.retry_after.and_then(|header| retry_after(&header, self.now));
            Next::Retry(wait, refusal)
        } else if let (400 | 422, Some(manners)) = (status, adapted()) {
            Next::Adapt(manners)
        } else {
            Next::Fail(refusal)
        };
        let spent = if may_have_charged(status) { Spent::Everything } else { Spent::Nothing };
        Verdict { spent, next }
    }

    fn answered(&self, body: Body) -> Verdict {
        let garbled = |why| Verdict { spent: Spent::Everything, next: Next::Fail(Refusal::Garbled { why }) };
        let Body::Whole(body) = body else {
            return garbled(Garbled::Long { bytes_max: self.settings.answer_bytes_max });
        };
        let Ok(body) = serde_json::from_slice::<Value>(&body) else {
            return garbled(Garbled::Envelope {
                detail: "it is not the JSON that such servers send".to_owned(),
            });
        };
        match interpret(self.settings.provider, &body) {
            Ok(reading) => self.read(reading),
            Err(Garbled::Envelope { detail }) => {
                garbled(Garbled::Envelope { detail: self.settings.hide_in(&detail) })
            }
            Err(why) => garbled(why),
        }
    }

    fn read(&self, reading: Reading) -> Verdict {
        let (tokens_in, tokens_out) = self.tokens(&reading);
        let spent = match reading.usage {
            Some(_) => Spent::Known(tokens_in, tokens_out),
            None => Spent::Everything,
        };
        let next = match self.understand(reading) {
            Ok((text, json, model)) => {
                let model = model.filter(|model| model.len() <= MODEL_NAME_MAX);
                let model = model.unwrap_or_else(|| self.settings.model.clone());
                Next::Done(Answer { text, json, tokens_in, tokens_out, model, attempts: self.number })
            }
            Err(refusal) => Next::Fail(refusal),
        };
        Verdict { spent, next }
    }

    fn understand(&self, reading: Reading) -> Result<(String, Option<Value>, Option<String>), Refusal> {
        match reading.finish {
            Finish::Cut => return Err(Refusal::Cut { tokens_max: self.request.max_output_tokens }),
            Finish::Declined => return Err(Refusal::Declined),
            Finish::Whole => {}
        }
        let unreadable = |why: Unreadable| match why {
            Unreadable::Cut => Refusal::Cut { tokens_max: self.request.max_output_tokens },
            why => Refusal::Garbled { why: Garbled::Json(why) },
        };
        let json = match (&self.request.schema, reading.json) {
            (None, _) => None,
            (Some(schema), Some(json)) => {
                Some(Shape::of(schema).check(&json).map(|()| json).map_err(unreadable)?)
            }
            (Some(schema), None) => Some(find(&reading.text, &Shape::of(schema)).map_err(unreadable)?),
        };
        let text = without_reasoning(&reading.text).ok_or(Unreadable::Cut).map_err(unreadable)?;
        if json.is_none() && text.trim().is_empty() {
            return Err(unreadable(Unreadable::Empty));
        }
        Ok((text.trim().to_owned(), json, reading.model))
    }

    /// What is charged: what the server says, or what we count if that is more. Other vocabularies than ours may
    /// make fewer tokens of an answer, so ours count at most what was allowed.
    fn tokens(&self, reading: &Reading) -> (u64, u64) {
        let (reported_in, reported_out) = reading.usage.unwrap_or_default();
        let mut written = peri_tokens::count(&reading.text) as u64;
        written += reading.json.as_ref().map_or(0, |json| peri_tokens::count(&json.to_string()) as u64);
        let counted_out = written.min(u64::from(self.request.max_output_tokens));
        (reported_in.max(self.cost.counted.min(self.cost.worst)), reported_out.max(counted_out))
    }
}
