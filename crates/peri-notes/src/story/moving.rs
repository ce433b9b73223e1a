//! How everything in a namespace is moved, joined and forgotten, on any shelf.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use peri_types::{Clock, MemoryId, Namespace};

use super::{Told, namespace, take};
use crate::{
    Candidate, Change, Collection, Commit, Draft, Expected, Key, Message, Notes, NotesError, Origin,
    Overview, Place, Priority, Replaced, Revision, Session, Shape, Shelf, ShelfError, Speaker, Text, Trouble,
    Wanted,
};

pub(super) fn story(shelf: &Arc<dyn Shelf>) -> Told {
    let teller = Teller { shelf: Arc::clone(shelf), clock: Clock::manual("2026-02-10T09:00:00Z".parse()?) };
    teller.all_is_moved_to_where_nothing_is()?;
    teller.what_is_there_is_joined()?;
    teller.whoever_is_broken_off_goes_on()?;
    teller.what_somebody_adds_meanwhile_is_moved_too()?;
    teller.a_namespace_is_forgotten_whole()?;
    teller.sessions_are_told_at_a_glance()
}

struct Teller {
    shelf: Arc<dyn Shelf>,
    clock: Clock,
}

type Dump = BTreeMap<Key, Vec<String>>;

fn session(name: &str) -> Session {
    name.parse().expect("a plain name is a name")
}

impl Teller {
    fn notes(&self) -> Notes {
        self.notes_on(Arc::clone(&self.shelf))
    }

    /// Notes of which all commits from one on, counted from zero, fail.
    fn failing(&self, at: usize) -> Notes {
        self.notes_on(Arc::new(Failing { shelf: Arc::clone(&self.shelf), at, calls: AtomicUsize::new(0) }))
    }

    fn notes_on(&self, shelf: Arc<dyn Shelf>) -> Notes {
        Notes::new(shelf, self.clock.clone(), |text: &str| text.chars().count())
    }

    /// Everything that a namespace holds.
    fn dump(&self, namespace: &Namespace) -> Result<Dump, ShelfError> {
        let mut dump = Dump::new();
        for collection in Collection::ALL {
            for key in self.shelf.list(namespace, *collection)? {
                let lines = match collection.shape() {
                    Shape::Document => {
                        self.shelf.read(namespace, &key)?.into_iter().map(|text| text.text).collect()
                    }
                    Shape::Log => self.shelf.lines(namespace, &key)?,
                };
                dump.insert(key, lines);
            }
        }
        Ok(dump)
    }

    /// Something of every sort, in the words of a namespace.
    fn fill(&self, own: &Namespace, name: &Session, words: &str) -> Told {
        let (notes, now) = (self.notes(), self.clock.now());
        notes.begin(own, name, Some(words), words)?;
        let said = |text: &str| Message::new(Speaker::User, format!("{text} {words}"), now);
        notes.append_turn(own, name, &[said("하나"), said("둘")], &[format!("기억 {words}")])?;
        let candidate = Candidate {
            priority: Priority::High,
            text: format!("메모 {words}"),
            at: now,
            items: Vec::new(),
            kind: Some("preference".to_owned()),
        };
        let replaced =
            Replaced { at: now, item: Some("n1".parse()?), old: "옛".to_owned(), new: words.to_owned() };
        let drafts = ["같은 메모".to_owned(), format!("메모 {words}")];
        let revision = Revision {
            drafts: drafts.iter().map(|text| Draft::new(Priority::Medium, text.clone())).collect(),
            candidates: vec![candidate],
            replaced: vec![replaced],
            ..Revision::default()
        };
        notes.revise(own, name, &revision)?;
        let untold = notes.untold(own, name)?;
        let told = untold.into_iter().map(|one| crate::Told {
            item: one.item.id,
            version: one.version,
            memory: MemoryId::from_bytes([words.len() as u8; 16]),
        });
        notes.tell(own, name, &told.collect::<Vec<_>>())?;
        notes.raise_inject_flag(own, name, words)?;
        let trouble = |_: Option<Trouble>, now| Trouble {
            attempts: 1,
            unusable: 0,
            since: now,
            next_at: None,
            error: words.to_owned(),
        };
        notes.note_trouble(own, Place::Session(name), words, trouble)?;
        take(&notes, own, &session("누구"), Wanted::NOTHING.with_handover())?;
        let origin = Origin::Note { session: name.clone(), id: "n2".parse()? };
        for text in ["같은 요약".to_owned(), format!("요약 {words}")] {
            notes.update_digest(own, |digest, now| {
                let draft = Draft::new(Priority::High, text.clone());
                digest.sheet.add(Draft { origins: vec![origin.clone()], ..draft }, now);
            })?;
        }
        Ok(())
    }

    fn all_is_moved_to_where_nothing_is(&self) -> Told {
        let (from, to, notes) = (namespace("move/a")?, namespace("move/b")?, self.notes());
        self.fill(&from, &session("회의"), "하나")?;
        let before = self.dump(&from)?;
        notes.rename_namespace(&from, &from)?;
        assert_eq!(self.dump(&from)?, before, "nowhere");
        notes.rename_namespace(&from, &to)?;
        assert_eq!(self.dump(&to)?, before);
        assert!(self.dump(&from)?.is_empty() && !notes.namespaces()?.contains(&from));
        notes.rename_namespace(&from, &to)?;
        assert_eq!(self.dump(&to)?, before, "there was nothing to move");
        Ok(())
    }

    /// Two namespaces that have a session in common.
    fn two(&self, name: &str) -> Result<[Namespace; 2], Box<dyn std::error::Error>> {
        let both = |name: &str| -> Result<_, Box<dyn std::error::Error>> {
            Ok([namespace(&format!("{name}/from"))?, namespace(&format!("{name}/to"))?])
        };
        let models = both("model")?;
        if self.dump(&models[0])?.is_empty() {
            self.fill(&models[0], &session("회의"), "从这里")?;
            self.fill(&models[0], &session("혼자"), "혼자")?;
            self.fill(&models[1], &session("회의"), "to here")?;
        }
        let copies = both(name)?;
        for (model, copy) in models.iter().zip(&copies) {
            let change = |(key, lines): (Key, Vec<String>)| match key.collection().shape() {
                Shape::Document => Change::Put { key, text: lines.concat() },
                Shape::Log => Change::Append { key, lines },
            };
            let changes: Vec<Change> = self.dump(model)?.into_iter().map(change).collect();
            assert_eq!(self.shelf.commit(copy, &changes, &[])?, Commit::Done);
        }
        Ok(copies)
    }

    fn what_is_there_is_joined(&self) -> Told {
        let (notes, name) = (self.notes(), session("회의"));
        let [from, to] = self.two("join")?;
        notes.rename_namespace(&from, &to)?;
        assert!(self.dump(&from)?.is_empty());
        let record = notes.record(&to, &name)?.ok_or("it has notes")?;
        let items: Vec<_> =
            record.sheet.items().map(|item| (item.id.to_string(), item.text.as_str())).collect();
        let expected = [("n1", "같은 메모"), ("n2", "메모 to here"), ("n3", "메모 从这里")];
        assert_eq!(items, expected.map(|(id, text)| (id.to_owned(), text)));
        assert_eq!((record.observations, record.user.as_deref()), (2, Some("to here")));
        let pending: Vec<String> =
            notes.pending(&to, &name)?.entries.into_iter().map(|message| message.text).collect();
        assert_eq!(pending, ["하나 to here", "둘 to here", "하나 从这里", "둘 从这里"]);
        let candidates = notes.candidates(&to, &name)?.entries;
        let links: Vec<_> = candidates.iter().map(|one| one.items[0].to_string()).collect();
        assert_eq!(links, ["n2", "n3"], "they name the notes as they are called now");
        assert_eq!(notes.untold(&to, &name)?, [], "the memories were told of all");
        assert_eq!(notes.told(&to, &name)?.len(), 3);
        assert_eq!(notes.troubles(&to, Place::Session(&name))?.len(), 2);
        let digest = notes.digest(&to)?;
        let texts: Vec<&str> = digest.sheet.items().map(|item| item.text.as_str()).collect();
        assert_eq!(texts, ["같은 요약", "요약 to here", "요약 从这里", "요약 혼자"]);
        let moved = digest.sheet.items().nth(2).map(|item| item.origins.clone());
        assert_eq!(moved, Some(vec![Origin::Note { session: name.clone(), id: "n3".parse()? }]));
        let archived =
            notes.archives(&to)?.iter().map(|own| notes.archived(&to, own)).collect::<Result<Vec<_>, _>>()?;
        assert_eq!(archived.len(), 4, "one that both have, two of the other, and the digest as it was");
        // What was handed over stays so, and what was not is handed over once.
        let over = take(&notes, &to, &session("또 누구"), Wanted::NOTHING.with_handover())?;
        assert_eq!(over.and_then(|loan| loan.handover), None);
        assert_eq!(take(&notes, &to, &name, Wanted::NOTHING.with_new())?.map(|loan| loan.new.len()), Some(3));
        assert!(self.shelf.list(&to, Collection::Moving)?.is_empty());
        Ok(())
    }

    fn whoever_is_broken_off_goes_on(&self) -> Told {
        let [from, to] = self.two("whole")?;
        self.notes().rename_namespace(&from, &to)?;
        let whole = self.dump(&to)?;
        for at in 0.. {
            let [from, to] = self.two(&format!("broken/{at}"))?;
            let failing = self.failing(at);
            let broken = failing.rename_namespace(&from, &to);
            if broken.is_ok() {
                assert!(at > 7, "there are more commits than {at}");
                break;
            }
            self.notes().rename_namespace(&from, &to)?;
            assert_eq!(self.dump(&to)?, whole, "broken off at {at}");
            assert!(self.dump(&from)?.is_empty());
        }
        // Broken off, and then moved on to a third place: what was begun is finished first.
        let [from, to] = self.two("chain")?;
        let third = namespace("chain/third")?;
        let failing = self.failing(1);
        assert!(failing.rename_namespace(&from, &to).is_err());
        self.notes().rename_namespace(&to, &third)?;
        assert_eq!(self.dump(&third)?, whole);
        assert!(self.dump(&from)?.is_empty() && self.dump(&to)?.is_empty());
        Ok(())
    }

    fn what_somebody_adds_meanwhile_is_moved_too(&self) -> Told {
        let (notes, names) = (self.notes(), ["회의", "혼자"].map(session));
        // When each session in turn is where it goes to, and still where it was.
        for at in [1, 4, 7] {
            let [from, to] = self.two(&format!("meanwhile/{at}"))?;
            assert!(self.failing(at).rename_namespace(&from, &to).is_err());
            let late = Message::new(Speaker::User, "늦은 말", self.clock.now());
            for name in &names {
                notes.append_turn(&from, name, std::slice::from_ref(&late), &[])?;
                notes.update(&from, name, |record, now| {
                    record.sheet.add(Draft::new(Priority::Low, "늦은 메모"), now);
                })?;
            }
            notes.rename_namespace(&from, &to)?;
            let texts = |name: &Session| -> Result<Vec<String>, NotesError> {
                let record = notes.record(&to, name)?;
                Ok(record.iter().flat_map(|own| own.sheet.items()).map(|item| item.text.clone()).collect())
            };
            let joined = ["같은 메모", "메모 to here", "메모 从这里", "늦은 메모"];
            assert_eq!(texts(&names[0])?, joined, "each once, at {at}");
            assert_eq!(texts(&names[1])?, ["같은 메모", "메모 혼자", "늦은 메모"], "each once, at {at}");
            for (name, count) in names.iter().zip([5, 3]) {
                let pending = notes.pending(&to, name)?.entries;
                assert_eq!(pending.len(), count, "{name} at {at}");
                assert_eq!(pending.iter().filter(|message| message.text == "늦은 말").count(), 1);
            }
            assert!(self.dump(&from)?.is_empty());
        }
        Ok(())
    }

    fn a_namespace_is_forgotten_whole(&self) -> Told {
        let notes = self.notes();
        let [gone, stays] = self.two("gone")?;
        let before = self.dump(&stays)?;
        let failing = self.failing(1);
        assert!(failing.forget_namespace(&gone).is_err());
        notes.forget_namespace(&gone)?;
        assert!(self.dump(&gone)?.is_empty() && !notes.namespaces()?.contains(&gone));
        assert_eq!(self.dump(&stays)?, before);
        Ok(notes.forget_namespace(&gone)?)
    }

    fn sessions_are_told_at_a_glance(&self) -> Told {
        let (own, notes) = (namespace("overview")?, self.notes());
        assert_eq!(notes.overview(&own)?, []);
        self.fill(&own, &session("회의"), "김민수")?;
        let late = Message::new(Speaker::User, "새로 온 말", self.clock.now());
        notes.append_turn(&own, &session("北京"), &[late], &[])?;
        let poison =
            notes.first_pending(&own, &session("회의"), |message| message.text.starts_with("하나"))?;
        assert_eq!(
            notes.put_aside(&own, &session("회의"), &poison, ("observe", "안 된다"))?,
            crate::Cleared::Done
        );
        let all = notes.overview(&own)?;
        let names: Vec<&str> = all.iter().map(|one| one.session.as_str()).collect();
        assert_eq!(names, ["北京", "누구", "회의"]);
        let now = Some(self.clock.now());
        let expected = Overview {
            session: session("회의"),
            user: Some("김민수".to_owned()),
            created_at: now,
            observed_at: now,
            observations: 1,
            notes: 2,
            tokens: 11,
            pending: 1,
            troubles: 1,
            aside: 1,
        };
        assert_eq!(all[2], expected);
        assert_eq!((all[0].pending, all[0].notes, all[0].created_at, all[0].observed_at), (1, 0, None, None));
        Ok(())
    }
}

/// A shelf on which a commit, counted from zero, and all that come after it fail.
struct Failing {
    shelf: Arc<dyn Shelf>,
    at: usize,
    calls: AtomicUsize,
}

impl Shelf for Failing {
    fn read(&self, namespace: &Namespace, key: &Key) -> Result<Option<Text>, ShelfError> {
        self.shelf.read(namespace, key)
    }

    fn lines(&self, namespace: &Namespace, key: &Key) -> Result<Vec<String>, ShelfError> {
        self.shelf.lines(namespace, key)
    }

    fn list(&self, namespace: &Namespace, collection: Collection) -> Result<Vec<Key>, ShelfError> {
        self.shelf.list(namespace, collection)
    }

    fn namespaces(&self) -> Result<Vec<Namespace>, ShelfError> {
        self.shelf.namespaces()
    }

    fn commit(
        &self,
        namespace: &Namespace,
        changes: &[Change],
        expected: &[(Key, Expected)],
    ) -> Result<Commit, ShelfError> {
        let number = self.calls.fetch_add(1, Ordering::SeqCst);
        if number < self.at {
            return self.shelf.commit(namespace, changes, expected);
        }
        Err(ShelfError::Store { detail: "the power is gone".to_owned() })
    }
}
