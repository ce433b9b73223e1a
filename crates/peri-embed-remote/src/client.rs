//! Asks the server for one batch: sends, tries again, and rests after failures in a row.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use peri_remote::{
    Admission, Backoff, Body, Breaker, Health, Pace, Question, Reply, Transport, Waits, Watch, complaint,
    is_transient, retry_after,
};
use peri_types::{Clock, Timestamp, patience};

use crate::wire::{Unusable, Wanted, not_understood, read};
use crate::{RemoteError, RemoteSettings};

/// Asks one server.
pub(crate) struct Client {
    pub(crate) settings: RemoteSettings,
    clock: Clock,
    pace: Pace,
    transport: Transport,
    breaker: Breaker,
    backoff: Backoff,
    /// Whether the server takes the number of dimensions that is wanted.
    takes_dimensions: AtomicBool,
}

/// One answer a text: a vector, or none where the server says that it does not understand the text.
type Vectors = Vec<Option<Vec<f32>>>;

/// What follows from one attempt.
enum Next {
    Done(Vec<Vec<f32>>),
    /// Ask again at once, without the number of dimensions.
    Adapt,
    /// Ask again at once, without these texts.
    Without(Vec<usize>),
    /// Ask again after a wait, which the server may have asked for.
    Retry(Option<Duration>, RemoteError),
    Fail(RemoteError),
}

impl Client {
    /// Nothing is sent yet.
    pub(crate) fn new(settings: RemoteSettings, clock: Clock, pace: Pace) -> Result<Self, RemoteError> {
        settings.check()?;
        let transport = Transport::new(&settings.address, settings.answer_bytes_max)
            .map_err(|error| RemoteError::Settings { what: error.to_string() })?;
        Ok(Self {
            transport,
            breaker: Breaker::new(settings.breaker_failures, settings.breaker_pause),
            backoff: Backoff::new(Waits {
                min: settings.backoff_min,
                max: settings.backoff_max,
                server_max: settings.retry_after_max,
                seed: settings.seed,
            }),
            takes_dimensions: AtomicBool::new(true),
            settings,
            clock,
            pace,
        })
    }

    /// Where the server is, without what must not be shown.
    pub(crate) fn place(&self) -> String {
        self.settings.address.to_string()
    }

    /// Until when the server rests, if it does.
    pub(crate) fn rests_until(&self) -> Option<Timestamp> {
        self.breaker.pauses_until()
    }

    /// Asks for the vectors of texts, of so many numbers each if that is known.
    pub(crate) fn ask(&self, texts: &[&str], dimensions: Option<u32>) -> Result<Vectors, RemoteError> {
        let admission = self
            .breaker
            .admit(self.clock.now())
            .map_err(|until| RemoteError::Resting { place: self.place(), until })?;
        let attempts_max = match admission {
            Admission::Freely => self.settings.attempts_max,
            // Whoever tries whether a server is well again should not wait for long.
            Admission::OnTrial => 1,
        };
        if patience::left() == Some(Duration::ZERO) {
            self.breaker.report(Health::Unknown, self.clock.now());
            return Err(RemoteError::NotAsked { place: self.place() });
        }
        let watch = self.pace.start();
        let result = self.tried(texts, dimensions, attempts_max, &watch);
        if result.is_err() {
            patience::spend(watch.elapsed());
        }
        self.breaker.report(health(&result), self.clock.now());
        result
    }

    /// Tries until there is an answer, or no use in trying.
    fn tried(
        &self,
        texts: &[&str],
        dimensions: Option<u32>,
        attempts_max: u32,
        watch: &Watch,
    ) -> Result<Vectors, RemoteError> {
        let deadline = patience::at_most(self.settings.deadline);
        let mut answers: Vectors = vec![None; texts.len()];
        let mut open: Vec<usize> = (0..texts.len()).collect();
        let (mut attempts, mut failures) = (0, 0);
        while !open.is_empty() {
            attempts += 1;
            let asked: Vec<&str> = open.iter().map(|at| texts[*at]).collect();
            let left = deadline.saturating_sub(watch.elapsed());
            match self.attempt(&asked, dimensions, attempts, left) {
                Next::Done(vectors) => {
                    for (at, vector) in open.iter().zip(vectors) {
                        answers[*at] = Some(vector);
                    }
                    return Ok(answers);
                }
                Next::Adapt => self.takes_dimensions.store(false, Ordering::Relaxed),
                Next::Without(unknown) => {
                    let mut place = 0..;
                    open.retain(|_| place.next().is_none_or(|place| !unknown.contains(&place)));
                }
                Next::Fail(error) => return Err(error),
                Next::Retry(server, error) => {
                    failures += 1;
                    let wait = self.backoff.wait(failures, server);
                    let over = watch.elapsed().saturating_add(wait) >= deadline;
                    if failures >= attempts_max || over {
                        return Err(error);
                    }
                    self.pace.wait(wait);
                }
            }
        }
        Ok(answers)
    }

    fn attempt(&self, texts: &[&str], dimensions: Option<u32>, number: u32, left: Duration) -> Next {
        let settings = &self.settings;
        // Only what somebody set is asked for: most models have but one length.
        let wanted = settings.dimensions.filter(|_| self.takes_dimensions.load(Ordering::Relaxed));
        let wanted =
            Wanted { model: &settings.model, input: texts, encoding_format: "float", dimensions: wanted };
        let body = match serde_json::to_string(&wanted) {
            Ok(body) => body,
            Err(error) => return Next::Fail(RemoteError::Settings { what: error.to_string() }),
        };
        let key = settings.key.as_ref().map(|key| ("authorization", format!("Bearer {}", key.reveal())));
        let question = Question {
            url: settings.address.below(&["embeddings"]),
            headers: key.into_iter().collect(),
            login: settings.address.login().filter(|_| settings.key.is_none()),
            body,
        };
        match self.transport.post(question, settings.attempt_timeout.min(left)) {
            Err(trouble) => {
                let detail = settings.hide_in(&trouble.detail);
                Next::Retry(None, RemoteError::Unreachable { place: self.place(), attempts: number, detail })
            }
            Ok(Reply { status: 200..=299, body, .. }) => self.answered(&body, texts.len(), dimensions),
            Ok(reply) => self.refused(reply, texts.len(), number),
        }
    }

    fn answered(&self, body: &Body, texts: usize, dimensions: Option<u32>) -> Next {
        let garbled = |why: String| {
            let why = self.settings.hide_in(&why);
            Next::Fail(RemoteError::Garbled { place: self.place(), why })
        };
        let Body::Whole(body) = body else {
            return garbled(format!("it has more than {} bytes", self.settings.answer_bytes_max));
        };
        match read(body, texts, dimensions) {
            Ok(vectors) => Next::Done(vectors),
            Err(Unusable::Garbled(why)) => garbled(why),
            Err(Unusable::Dimensions(found)) => Next::Fail(RemoteError::OtherDimensions {
                place: self.place(),
                model: self.settings.model.clone(),
                expected: dimensions.unwrap_or_default(),
                found,
            }),
        }
    }

    fn refused(&self, reply: Reply, texts: usize, number: u32) -> Next {
        let Reply { status, .. } = reply;
        let (complaint, unknown) = match &reply.body {
            _ if (300..400).contains(&status) => {
                ("it sends elsewhere, which is not followed".to_owned(), None)
            }
            Body::Whole(body) => (complaint(body), not_understood(body, texts).filter(|_| status == 422)),
            Body::TooLong => ("its explanation is too long to be read".to_owned(), None),
        };
        if let Some(unknown) = unknown {
            return Next::Without(unknown);
        }
        let names_dimensions = matches!(status, 400 | 422) && complaint.to_lowercase().contains("dimension");
        let sent = self.settings.dimensions.is_some() && self.takes_dimensions.load(Ordering::Relaxed);
        if names_dimensions && sent {
            return Next::Adapt;
        }
        let detail = self.settings.hide_in(&complaint);
        let error = RemoteError::Refused { place: self.place(), status, attempts: number, detail };
        if is_transient(status) {
            let now = self.clock.now();
            Next::Retry(reply.retry_after.and_then(|header| retry_after(&header, now)), error)
        } else {
            Next::Fail(error)
        }
    }
}

fn health(result: &Result<Vectors, RemoteError>) -> Health {
    match result {
        Ok(_) => Health::Well,
        // It answered, and what it says is about these texts.
        Err(RemoteError::Refused { status: 400 | 413 | 422, .. }) => Health::Well,
        Err(_) => Health::Ill,
    }
}
