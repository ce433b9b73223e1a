//! Doctor: runs the whole loop and says what it finds.

use std::collections::HashSet;

use peri_store::{ListQuery, Order};
use peri_types::{MemoryId, Namespace, Scope, Timestamp};
use serde::{Deserialize, Serialize};

use crate::engine::Perihelion;
use crate::{EngineChoice, Error, Recall, Remember};

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// All is well.
    Ok,
    /// It works, but somebody should know.
    Warning,
    /// Something is broken.
    Failed,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Check {
    /// What was looked at.
    pub name: &'static str,
    /// How it came out.
    pub verdict: Verdict,
    /// What was found.
    pub detail: String,
    /// What to do about it, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// A restore that has changed the database and has not finished with the rest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interrupted {
    /// The backup that was being restored.
    pub backup: String,
    /// Whether what is here may be replaced although the backup does not hold it.
    pub overwrite: bool,
    /// When it began.
    pub at: Timestamp,
}

impl Check {
    fn new(name: &'static str, verdict: Verdict, detail: impl Into<String>, remedy: Option<&str>) -> Self {
        Self { name, verdict, detail: detail.into(), remedy: remedy.map(ToOwned::to_owned) }
    }
}

impl Perihelion {
    /// Looks at the database, the vectors and the log, and changes nothing: for those who look again and again.
    pub fn inspect(&self) -> Vec<Check> {
        let database = self.check_database();
        if database.verdict == Verdict::Failed {
            return vec![database];
        }
        let mut checks = vec![database, self.check_vectors()];
        checks.extend(self.check_log());
        checks.extend(self.check_clock());
        checks
    }

    /// Looks at the database, the indexes, the vectors and the engine, then remembers, recalls and forgets
    /// something in a namespace of its own. Indexes that disagree with the store are built anew.
    pub fn doctor(&self) -> Vec<Check> {
        let database = self.check_database();
        if database.verdict == Verdict::Failed {
            // Whatever else is done to a damaged database may make it worse.
            return std::iter::once(database).chain(self.check_queue()).collect();
        }
        let mut checks = vec![database];
        checks.extend(self.check_queue());
        checks.push(self.check_indexes());
        checks.extend(self.check_engine());
        checks.extend([self.check_vectors(), self.check_loop()]);
        checks.extend(self.check_notes());
        checks.extend(self.check_log());
        checks.extend(self.check_clock());
        checks.extend(self.check_restore());
        checks.extend(self.check_privacy());
        checks
    }

    /// The mark of a restore that is under way, in the data folder.
    pub const RESTORING: &str = "restoring.json";

    /// The restore that was interrupted here, if one was. One whose mark cannot be read was interrupted too.
    pub fn interrupted_restore(&self) -> Option<Interrupted> {
        let bytes = peri_private::read(self.folder().join(Self::RESTORING)).ok()?;
        Some(serde_json::from_slice(&bytes).unwrap_or_else(|_| Interrupted {
            backup: "latest".to_owned(),
            overwrite: false,
            at: Timestamp::UNIX_EPOCH,
        }))
    }

    /// The number of the last event in the audit log, if the log is ahead of the store or holds other events under the
    /// store's numbers. What waits for the log cannot be written to it then.
    pub fn log_ahead(&self) -> Option<u64> {
        if !self.core.options.events.log {
            return None;
        }
        self.core.flush_events();
        let logged = self.core.audit.log.last_number().ok().flatten()?;
        let is_ahead = logged > self.last_event_number().ok()?;
        let page = self.core.store.events(u64::MAX >> 1, 0).ok()?;
        let waiting = self.core.store.events(page.shipped, 1).ok()?.events;
        // What was written to the log and could not be noted as such waits as well, and is the same there.
        let is_other = match waiting.first() {
            Some(event) if event.number <= logged => self.core.audit.log.holds_another(event).ok()?,
            _ => false,
        };
        (is_ahead || is_other).then_some(logged)
    }

    /// Looks whether the audit log goes on; nothing is said while it does.
    fn check_log(&self) -> Option<Check> {
        const NAME: &str = "audit log";
        if let Some(logged) = self.log_ahead() {
            let detail = format!(
                "it goes up to event {logged}, which the database does not know: the database was replaced, and \
                 what happens now is not in the log"
            );
            let remedy = "restore a backup, which lets events go on after the log's last; or move logs/events.jsonl \
                          and the files beside it that are called alike away, and a new log begins";
            return Some(Check::new(NAME, Verdict::Warning, detail, Some(remedy)));
        }
        let trouble = self.core.audit.trouble()?;
        let remedy = "events wait in the database; look at the folder logs, its permissions and the disk";
        Some(Check::new(NAME, Verdict::Warning, trouble, Some(remedy)))
    }

    /// Looks whether the clock can be believed; nothing is said while it can.
    fn check_clock(&self) -> Option<Check> {
        let leap = self.clock_leap()?;
        let remedy = "set the clock right; if it is right, `peri reorbit --accept-clock` says so, and a clock that goes on \
                      for a day is accepted by itself; `peri reorbit --rewind` takes back what a wrong clock did";
        Some(Check::new("clock", Verdict::Warning, leap.to_string(), Some(remedy)))
    }

    /// Looks whether a restore was interrupted; nothing is said if none was.
    fn check_restore(&self) -> Option<Check> {
        let Interrupted { backup, overwrite, .. } = self.interrupted_restore()?;
        let overwrite = if overwrite { " --overwrite" } else { "" };
        let detail = format!(
            "a restore of {backup} was interrupted: the database may be that of the backup, and other files and \
             notes may not"
        );
        let remedy = format!("run `peri backup restore {backup}{overwrite}` again, which finishes it");
        Some(Check::new("restore", Verdict::Warning, detail, Some(&remedy)))
    }

    /// Looks for sessions whose notes are in trouble; nothing is said where nothing was ever heard.
    fn check_notes(&self) -> Option<Check> {
        const NAME: &str = "notes";
        let looked = || -> Result<Vec<crate::SessionOverview>, Error> {
            let mut all = Vec::new();
            for namespace in self.core.notes()?.namespaces()? {
                all.extend(self.note_sessions(&namespace)?);
            }
            Ok(all)
        };
        let sessions = match looked() {
            Ok(sessions) if sessions.is_empty() => return None,
            Ok(sessions) => sessions,
            Err(error) => {
                return Some(Check::new(NAME, Verdict::Failed, error.to_string(), error.hint().as_deref()));
            }
        };
        let total = |part: fn(&crate::SessionOverview) -> usize| sessions.iter().map(part).sum::<usize>();
        let (notes, waiting, aside) =
            (total(|own| own.notes), total(|own| own.pending), total(|own| own.aside));
        let detail =
            format!("notes: {notes}, of sessions: {}, messages that wait: {waiting}", sessions.len());
        let trouble = sessions.iter().find_map(|own| Some((&own.session, own.troubles.first()?)));
        Some(match trouble {
            Some((session, trouble)) => Check::new(
                NAME,
                Verdict::Warning,
                format!("{detail}; session {session}: {trouble}"),
                Some("it is tried again by itself; `peri session retry` does so at once"),
            ),
            None if aside > 0 => Check::new(
                NAME,
                Verdict::Warning,
                format!("{detail}; {aside} messages could not be observed and were put aside"),
                Some("they are kept; `peri session retry` tries them again"),
            ),
            None => Check::new(NAME, Verdict::Ok, detail, None),
        })
    }

    fn check_database(&self) -> Check {
        const NAME: &str = "database";
        match self.core.store.in_place().and_then(|()| self.core.store.check()) {
            Ok(problems) if problems.is_empty() => {
                let count = self.stats(&Scope::All).map_or(0, |stats| stats.memories);
                if count == 0 && self.core.senses.now().indexes.are_foreign() {
                    let detail = "it is empty, but indexes of another database lie beside it";
                    let remedy = "was perihelion.db deleted or replaced? put it back before you go on";
                    return Check::new(NAME, Verdict::Warning, detail, Some(remedy));
                }
                Check::new(
                    NAME,
                    Verdict::Ok,
                    format!("{count} {}, no damage found", if count == 1 { "memory" } else { "memories" }),
                    None,
                )
            }
            Ok(problems) => {
                let detail =
                    problems.iter().map(|problem| problem.what.clone()).collect::<Vec<_>>().join("; ");
                Check::new(
                    NAME,
                    Verdict::Failed,
                    detail,
                    problems.first().map(|problem| problem.remedy.as_str()),
                )
            }
            Err(error) => failed(NAME, &error.into()),
        }
    }

    /// Whether writes can wait when the store cannot take them; nothing if they can.
    fn check_queue(&self) -> Option<Check> {
        const NAME: &str = "queue";
        self.core.queue.as_ref()?;
        let status = match self.queue_status() {
            Ok(status) => status,
            Err(error) => return Some(failed(NAME, &error)),
        };
        let remedy = Some("make room on the disk of the data folder; nothing that waits is lost");
        match (status.disk_full, status.trouble) {
            (true, _) => {
                let detail =
                    "the disk is full: a write that the store cannot take is refused as \"not kept\"";
                Some(Check::new(NAME, Verdict::Failed, detail, remedy))
            }
            (false, Some(trouble)) => Some(Check::new(NAME, Verdict::Warning, trouble, remedy)),
            (false, None) => None,
        }
    }

    fn check_indexes(&self) -> Check {
        const NAME: &str = "indexes";
        match self.rebuild_wrong_indexes() {
            Ok((namespaces, 0)) => {
                Check::new(NAME, Verdict::Ok, format!("{namespaces} agree with the database"), None)
            }
            Ok((_, wrong)) => Check::new(
                NAME,
                Verdict::Warning,
                format!("{wrong} disagreed with the database and were built anew"),
                None,
            ),
            Err(error) => failed(NAME, &error),
        }
    }

    /// How many namespaces there are, and how many of their indexes had to be built anew.
    fn rebuild_wrong_indexes(&self) -> Result<(usize, usize), Error> {
        let core = &self.core;
        let sense = core.sense();
        let namespaces = core.store.namespaces(&Scope::All)?;
        let mut wrong = 0;
        for namespace in &namespaces {
            let stored = self.ids_of(namespace)?;
            if let Some(agrees) = core.mend_search(&sense, namespace, stored.len())? {
                wrong += usize::from(!agrees);
                continue;
            }
            let shelf = sense.indexes.fresh(&*core.store, namespace)?;
            let agrees = {
                let index = shelf.read();
                index.len() == stored.len() && stored.iter().all(|id| index.contains(*id))
            };
            if !agrees {
                wrong += 1;
                let shelf = sense.indexes.rebuild(&*core.store, namespace)?;
                sense.indexes.save_if_due(&*core.store, &shelf);
            }
        }
        Ok((namespaces.len(), wrong))
    }

    fn ids_of(&self, namespace: &Namespace) -> Result<HashSet<MemoryId>, Error> {
        let mut ids = HashSet::new();
        let (scope, order) = (Scope::Exact(namespace.clone()), Order::OldestFirst);
        // What was put aside for a promotion is in the index too.
        let mut query = ListQuery { scope, order, limit: 1000, as_kept: true, ..ListQuery::default() };
        loop {
            let page = self.core.store.list(&query)?;
            ids.extend(page.memories.iter().map(|memory| memory.id));
            query.after = page.next;
            if query.after.is_none() {
                return Ok(ids);
            }
        }
    }

    /// Asks the engine at work for a vector; of one that lies on this machine nothing is said unless it fails.
    fn check_engine(&self) -> Option<Check> {
        const NAME: &str = "engine";
        let tried = self.try_engine()?;
        let named = self.core.senses.named.recipe.to_string();
        match tried.map(|()| self.core.sense().engine.as_ref().and_then(|engine| engine.trouble())) {
            Ok(None) if matches!(self.core.options.engine, EngineChoice::Prepared(_)) => {
                Some(Check::new(NAME, Verdict::Ok, format!("{named} answers"), None))
            }
            Ok(None) => None,
            Ok(Some(trouble)) => Some(Check::new(NAME, Verdict::Warning, trouble, None)),
            Err(error) => Some(Check::new(
                NAME,
                Verdict::Warning,
                crate::failures::with_causes(&error),
                Some(
                    "memories are kept and found by their words; the vectors follow when the engine answers again",
                ),
            )),
        }
    }

    /// Whether the engine at work answers; none if there is none.
    fn try_engine(&self) -> Option<Result<(), Error>> {
        match self.embeddings(&["perihelion is the point nearest to the sun".to_owned()]) {
            Ok(_) => Some(Ok(())),
            Err(Error::NoEngine { .. }) => None,
            Err(error) => Some(Err(error)),
        }
    }

    fn check_vectors(&self) -> Check {
        const NAME: &str = "vectors";
        let stats = self.stats(&Scope::All);
        let memories = stats.as_ref().map_or(0, |stats| stats.memories);
        if let Some(warning) = self.core.space_warning(memories) {
            return Check::new(NAME, Verdict::Warning, warning, None);
        }
        let Some(space) = self.space() else {
            return Check::new(
                NAME,
                Verdict::Warning,
                "no embedding engine: memories are found by their words alone",
                None,
            );
        };
        match stats {
            Ok(stats) if stats.unembedded > 0 => Check::new(
                NAME,
                Verdict::Warning,
                format!("{} memories wait for a vector in {space}", stats.unembedded),
                Some("they are found by their words; the vectors follow when the engine answers again"),
            ),
            Ok(_) => Check::new(NAME, Verdict::Ok, format!("none is missing in {space}"), None),
            Err(error) => failed(NAME, &error),
        }
    }

    fn check_loop(&self) -> Check {
        const NAME: &str = "remember, recall, forget";
        if self.is_read_only() {
            let remedy = "mend the permissions of the folder to remember again";
            return Check::new(
                NAME,
                Verdict::Warning,
                "the folder is read-only: only recall works",
                Some(remedy),
            );
        }
        match self.try_loop() {
            Ok(true) => {
                Check::new(NAME, Verdict::Ok, "what was remembered was recalled, forgotten and purged", None)
            }
            Ok(false) => Check::new(
                NAME,
                Verdict::Failed,
                "what was remembered was not recalled",
                Some(
                    "delete the index folder, which is derived, and run this again; report it if that does not help",
                ),
            ),
            Err(error) => failed(NAME, &error),
        }
    }

    fn try_loop(&self) -> Result<bool, Error> {
        let namespace: Namespace = "peri:doctor".parse()?;
        let scope = Scope::Exact(namespace.clone());
        // Two processes may run this at once; each looks for its own.
        let own = MemoryId::generate(self.core.now());
        let content = format!("the doctor's own memory {own}: perihelion is the point nearest to the sun");
        let receipt = self.remember(Remember::new(content).in_namespace(namespace))?;
        let recalled = self
            .recall(&Recall::new(format!("{own} perihelion nearest to the sun")).in_scope(scope.clone()))?;
        let found = recalled.hits.iter().any(|hit| hit.memory.id == receipt.id);
        self.forget(&scope, receipt.id)?;
        self.purge(&scope, receipt.id)?;
        Ok(found)
    }
}

fn failed(name: &'static str, error: &Error) -> Check {
    Check::new(name, Verdict::Failed, error.to_string(), error.hint().as_deref())
}
