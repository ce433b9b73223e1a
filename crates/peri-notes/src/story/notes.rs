//! What notes must do on any shelf.

use std::sync::Arc;

use jiff::SignedDuration;
use peri_types::{Clock, EntryId, MemoryId, Namespace, Timestamp};

use super::{LEASE, Told, hard_names, namespace, take, ten_times};
use crate::{
    Asked, Candidate, Change, Cleared, Collection, Commit, Draft, Handover, Item, ItemId, Key, Message,
    Notes, NotesError, Origin, Priority, Progress, Revised, Reviser, Revision, Session, Shelf, Source,
    Speaker, Wanted,
};

pub(super) fn story(shelf: &Arc<dyn Shelf>) -> Told {
    let told = Teller { clock: Clock::manual("2026-02-10T09:00:00Z".parse()?), shelf: Arc::clone(shelf) };
    told.records_are_saved_and_read()?;
    told.what_people_write_is_kept()?;
    told.revisions_are_made_at_once()?;
    told.only_what_was_observed_is_cleared()?;
    told.the_inject_flag_is_taken_once()?;
    told.conversations_are_kept()?;
    told.candidates_are_summed_and_cleared_as_considered()?;
    told.the_digest_is_archived_before_each_rewrite()?;
    told.new_notes_are_given_once()?;
    told.notes_are_handed_over_once_and_within_their_namespace()?;
    told.a_session_is_forgotten_whole()?;
    told.every_name_of_a_session_will_do()
}

struct Teller {
    clock: Clock,
    shelf: Arc<dyn Shelf>,
}

fn session(name: &str) -> Session {
    name.parse().expect("a plain name is a name")
}

fn texts<'a>(items: impl IntoIterator<Item = &'a Item>) -> Vec<&'a str> {
    items.into_iter().map(|item| item.text.as_str()).collect()
}

fn ids<'a>(items: impl IntoIterator<Item = &'a Item>) -> Vec<String> {
    items.into_iter().map(|item| item.id.to_string()).collect()
}

/// Takes the new notes of a session.
fn new(notes: &Notes, own: &Namespace, session: &Session) -> Result<Vec<Item>, NotesError> {
    Ok(take(notes, own, session, Wanted::NOTHING.with_new())?.map(|loan| loan.new).unwrap_or_default())
}

/// Takes notes of another session.
fn undelivered(notes: &Notes, own: &Namespace, session: &Session) -> Result<Option<Handover>, NotesError> {
    Ok(take(notes, own, session, Wanted::NOTHING.with_handover())?.and_then(|loan| loan.handover))
}

impl Teller {
    fn notes(&self) -> Notes {
        Notes::new(Arc::clone(&self.shelf), self.clock.clone(), |text: &str| text.chars().count())
    }

    /// Lets some time pass.
    fn later(&self) -> Timestamp {
        self.clock.advance(SignedDuration::from_mins(1));
        self.clock.now()
    }

    fn message(&self, text: &str) -> Message {
        Message::new(Speaker::User, text, self.clock.now())
    }

    fn candidate(&self, text: &str) -> Candidate {
        Candidate {
            priority: Priority::High,
            text: text.to_owned(),
            at: self.clock.now(),
            items: Vec::new(),
            kind: None,
        }
    }

    fn add(&self, namespace: &Namespace, session: &Session, text: &str) -> Result<(), NotesError> {
        self.later();
        self.notes().update(namespace, session, |record, now| {
            record.observed_at = now;
            record.sheet.add(Draft::new(Priority::Medium, text), now);
        })?;
        Ok(())
    }

    fn markdown(&self, namespace: &Namespace, session: &Session) -> Result<String, NotesError> {
        let text = self.shelf.read(namespace, &Key::new(Collection::Observations, session))?;
        Ok(text.map(|text| text.text).unwrap_or_default())
    }

    fn edit(&self, namespace: &Namespace, session: &Session, text: &str) -> Result<(), NotesError> {
        let key = Key::new(Collection::Observations, session);
        let done = self.shelf.commit(namespace, &[Change::Put { key, text: text.to_owned() }], &[])?;
        assert_eq!(done, Commit::Done);
        Ok(())
    }

    fn records_are_saved_and_read(&self) -> Told {
        let (own, session, notes) = (namespace("records")?, session("1770712345.123456"), self.notes());
        assert_eq!(notes.record(&own, &session)?, None);
        let untouched = notes.update(&own, &session, |_, _| {})?;
        assert!(
            untouched.sheet.is_empty() && notes.record(&own, &session)?.is_none(),
            "no change, no record"
        );
        let origins = vec![
            Origin::Entry(EntryId::from_bytes([7; 16])),
            Origin::Memory(MemoryId::from_bytes([8; 16])),
            Origin::Note { session: self::session("다른/세션"), id: "n3".parse()? },
        ];
        let saved = notes.update(&own, &session, |record, now| {
            record.user = Some("김민수".to_owned());
            let draft =
                Draft::new(Priority::High, "금요일에는 배포하지 않는다\n  둘째 줄\n\n넷째 줄 <!-- n9 -->");
            record.sheet.add(Draft { origins: origins.clone(), ..draft }, now);
            let done = Draft { progress: Progress::Done, ..Draft::new(Priority::Low, "测试已迁移") };
            record.sheet.add(Draft { date: Some(jiff::civil::date(2026, 2, 9)), ..done }, now);
        })?;
        let read = notes.record(&own, &session)?.ok_or("it was saved")?;
        assert_eq!(read, saved);
        assert_eq!(ids(read.sheet.items()), ["n2", "n1"], "by day");
        assert_eq!(read.sheet.item("n1".parse()?).map(|item| &item.origins), Some(&origins));
        assert_eq!(read.tokens, read.sheet.items().map(|item| item.text.chars().count()).sum::<usize>());
        assert_eq!((read.observations, read.user.as_deref()), (0, Some("김민수")));
        assert_eq!(notes.sessions(&own)?, [session]);
        assert!(notes.namespaces()?.contains(&own));
        Ok(())
    }

    fn what_people_write_is_kept(&self) -> Told {
        let (own, session, notes) = (namespace("people")?, session("편집"), self.notes());
        self.edit(&own, &session, "머리말\n- [x] 🔴 손으로 쓴 것\n\n## 2026-02-01\n* 项目\n\nfree text\n")?;
        let record = notes.record(&own, &session)?.ok_or("it was written")?;
        assert_eq!(texts(record.sheet.items()), ["손으로 쓴 것", "项目"]);
        assert!(record.sheet.items().all(|item| item.source == Source::Person));
        let written = "머리말\n\n- [x] 🔴 손으로 쓴 것 <!-- n1 -->\n\n## 2026-02-01\n\n- 🟡 项目 <!-- n2 -->\n\nfree text\n";
        assert_eq!(self.markdown(&own, &session)?, written);
        // A note is copied, another one is put before all, and one is gone.
        self.edit(&own, &session, "- 🟢 new\n- 🟡 项目 <!-- n2 -->\n- 🟡 项目 again <!-- n2 -->\n")?;
        let record = notes.record(&own, &session)?.ok_or("it was written")?;
        assert_eq!(ids(record.sheet.items()), ["n3", "n2", "n4"], "no id is given twice");
        assert_eq!(texts(&new(&notes, &own, &session)?), ["new", "项目", "项目 again"]);
        Ok(())
    }

    fn revisions_are_made_at_once(&self) -> Told {
        let (own, session, notes) = (namespace("revisions")?, session("회의"), self.notes());
        for text in ["stays", "changes", "goes", "goes but was edited"] {
            self.add(&own, &session, text)?;
        }
        let base: Vec<Item> = notes
            .record(&own, &session)?
            .map(|record| record.sheet.items().cloned().collect())
            .unwrap_or_default();
        notes.append_pending(&own, &session, &[self.message("하나"), self.message("二")])?;
        let observed = notes.pending(&own, &session)?;
        // Meanwhile a person edits, and somebody speaks.
        let edited =
            self.markdown(&own, &session)?.replace("but was edited", "and was edited") + "- by hand\n";
        self.edit(&own, &session, &edited)?;
        notes.append_pending(&own, &session, &[self.message("셋")])?;
        let mut drafts: Vec<Draft> = base[..2].iter().map(Draft::of).collect();
        drafts[1].text = "changed".to_owned();
        drafts.push(Draft::new(Priority::High, "new"));
        drafts.push(Draft { id: Some("n99".parse()?), ..Draft::new(Priority::Low, "made up") });
        let revision = Revision {
            base: base.clone(),
            drafts,
            candidates: vec![self.candidate("후보")],
            observed: Some(observed.mark),
            ..Revision::default()
        };
        let (spoken_at, now) = (self.clock.now(), self.later());
        let Revised::Saved(record) = notes.revise(&own, &session, &revision)? else {
            return Err("nobody else observed".into());
        };
        let expected = ["stays", "changed", "goes and was edited", "by hand", "new", "made up"];
        assert_eq!(texts(record.sheet.items()), expected);
        assert_eq!((record.observations, record.observed_at), (1, now));
        assert_eq!(notes.record(&own, &session)?.as_ref(), Some(&*record));
        assert_eq!(notes.pending(&own, &session)?.entries, [Message { at: spoken_at, ..self.message("셋") }]);
        assert_eq!(notes.candidates(&own, &session)?.entries.len(), 1);
        assert_eq!(notes.revise(&own, &session, &revision)?, Revised::AlreadyObserved);
        assert_eq!(notes.candidates(&own, &session)?.entries.len(), 1, "nothing of it was done twice");
        let nothing = Revision {
            base: record.sheet.items().cloned().collect(),
            by: Reviser::Reflector,
            ..Revision::default()
        };
        let Revised::Saved(left) = notes.revise(&own, &session, &nothing)? else {
            return Err("it is saved".into());
        };
        assert_eq!((left.sheet == record.sheet, left.reflections), (true, 1), "nothing destroys nothing");
        let dropped: Vec<Item> =
            notes.dropped(&own, &session)?.entries.into_iter().map(|one| one.item).collect();
        assert_eq!(
            dropped,
            [base[1].clone(), base[2].clone()],
            "what was reworded or dropped can be put back"
        );
        Ok(())
    }

    fn only_what_was_observed_is_cleared(&self) -> Told {
        let (own, session, notes) = (namespace("pending")?, session("회의"), self.notes());
        assert!(notes.pending(&own, &session)?.entries.is_empty());
        let said = |number: i32| self.message(&format!("말 {number}\n\"둘째 줄\" 说"));
        notes.append_pending(&own, &session, &[said(1), said(2)])?;
        let batch = notes.pending(&own, &session)?;
        assert_eq!(batch.entries, [said(1), said(2)]);
        notes.append_pending(&own, &session, &[said(3)])?;
        assert_eq!(notes.clear_pending(&own, &session, &batch.mark)?, Cleared::Done);
        assert_eq!(notes.pending(&own, &session)?.entries, [said(3)], "what came meanwhile stays");
        notes.append_pending(&own, &session, &[said(4)])?;
        assert_eq!(notes.clear_pending(&own, &session, &batch.mark)?, Cleared::Already);
        assert_eq!(notes.pending(&own, &session)?.entries, [said(3), said(4)], "as many, but not these");
        // A line that cannot be read stays, and does no harm.
        let key = Key::new(Collection::Pending, &session);
        let broken = Change::Append { key, lines: vec!["{broken".to_owned()] };
        assert_eq!(self.shelf.commit(&own, &[broken], &[])?, Commit::Done);
        let batch = notes.pending(&own, &session)?;
        assert_eq!((batch.entries.len(), batch.unreadable), (2, 1));
        assert_eq!(notes.clear_pending(&own, &session, &batch.mark)?, Cleared::Done);
        assert_eq!(notes.pending(&own, &session)?.unreadable, 1);
        let told = ten_times(|number| notes.append_pending(&own, &session, &[said(number as i32)]));
        told.into_iter().collect::<Result<Vec<_>, _>>()?;
        assert_eq!(notes.pending(&own, &session)?.entries.len(), 10);
        Ok(())
    }

    fn the_inject_flag_is_taken_once(&self) -> Told {
        let (own, session, notes) = (namespace("flags")?, session("회의"), self.notes());
        self.add(&own, &session, "적어 둔 것")?;
        let wanted = Wanted::NOTHING.with_own();
        assert!(take(&notes, &own, &session, wanted)?.is_some_and(|loan| loan.is_empty()));
        for number in 0..3 {
            assert_eq!(notes.raise_inject_flag(&own, &session, &format!("{number} 하나"))?, Asked::First);
            assert_eq!(notes.raise_inject_flag(&own, &session, &format!("{number} 둘"))?, Asked::First);
            assert!(notes.lend(&own, &self::session("other"), wanted, LEASE)?.is_empty());
            let taken = ten_times(|_| take(&notes, &own, &session, wanted));
            let taken = taken.into_iter().collect::<Result<Vec<_>, _>>()?;
            let given = taken.into_iter().flatten().filter(|loan| loan.own.is_some());
            assert_eq!(given.count(), 1, "one of ten takes it");
        }
        Ok(())
    }

    fn conversations_are_kept(&self) -> Told {
        let (own, session, notes) = (namespace("conversations")?, session("회의"), self.notes());
        notes.append_conversation(&own, &session, &[])?;
        assert!(notes.conversation(&own, &session)?.entries.is_empty());
        let answer = Message { role: Speaker::Assistant, ..self.message("네, 그렇게 하겠습니다\0") };
        notes.append_conversation(&own, &session, &[self.message("你好")])?;
        notes.append_conversation(&own, &session, std::slice::from_ref(&answer))?;
        assert_eq!(notes.conversation(&own, &session)?.entries, [self.message("你好"), answer]);
        Ok(())
    }

    fn candidates_are_summed_and_cleared_as_considered(&self) -> Told {
        let (own, notes) = (namespace("candidates")?, self.notes());
        let (one, two) = (session("하나"), session("둘"));
        assert!(notes.all_candidates(&own)?.is_empty());
        let linked = Candidate { items: vec!["n1".parse()?], ..self.candidate("열 글자짜리다") };
        notes.append_candidates(&own, &one, &[self.candidate("四个字儿"), linked.clone()])?;
        notes.append_candidates(&own, &two, &[self.candidate("abc")])?;
        notes.append_candidates(&namespace("elsewhere")?, &two, &[self.candidate("not ours")])?;
        assert_eq!(notes.candidates(&own, &one)?.entries, [self.candidate("四个字儿"), linked]);
        let all = notes.all_candidates(&own)?;
        assert_eq!((all.len(), all.tokens), (3, 4 + 7 + 3));
        notes.append_candidates(&own, &two, &[self.candidate("later")])?;
        assert_eq!(notes.clear_candidates(&own, &all)?, Cleared::Done);
        let left = notes.all_candidates(&own)?;
        assert_eq!((left.len(), left.tokens), (1, 5), "what came meanwhile stays");
        assert_eq!(notes.clear_candidates(&own, &all)?, Cleared::Already);
        assert_eq!(notes.all_candidates(&own)?, left);
        Ok(())
    }

    fn the_digest_is_archived_before_each_rewrite(&self) -> Told {
        let (own, notes) = (namespace("digest")?, self.notes());
        assert!(notes.digest(&own)?.sheet.is_empty() && notes.digest(&own)?.saved_at.is_none());
        notes.append_candidates(&own, &session("s"), &[self.candidate("항상 한국어로 답한다")])?;
        let considered = notes.all_candidates(&own)?;
        let promoted = |text: &'static str| {
            move |digest: &mut crate::Digest, now: Timestamp| {
                digest.sheet.add(Draft { source: Source::Promoter, ..Draft::new(Priority::High, text) }, now);
            }
        };
        assert_eq!(notes.promote(&own, &considered, promoted("항상 한국어로 답한다"))?, Cleared::Done);
        assert_eq!(notes.promote(&own, &considered, promoted("twice"))?, Cleared::Already);
        assert!(notes.archives(&own)?.is_empty(), "there was nothing to archive");
        let first = notes.digest(&own)?;
        assert_eq!(
            (ids(first.sheet.items()), first.saved_at),
            (vec!["d1".to_owned()], Some(self.clock.now()))
        );
        notes.update_digest(&own, |_, _| {})?;
        assert!(notes.archives(&own)?.is_empty(), "nothing changed");
        // Three rewrites in the same instant.
        for text in ["둘", "三", "four"] {
            notes.update_digest(&own, promoted(text))?;
        }
        let archives = notes.archives(&own)?;
        assert_eq!(archives.len(), 3);
        assert_eq!(notes.archived(&own, &archives[0])?, Some(first.sheet.to_markdown()));
        assert!(archives[0].as_str().starts_with("recent_2026-02-10_"), "{}", archives[0]);
        let compacted = notes.update_digest(&own, |digest, now| {
            digest.compacted_at = Some(now);
            let all: Vec<ItemId> = digest.sheet.items().map(|item| item.id).collect();
            all.into_iter().skip(1).for_each(|id| drop(digest.sheet.remove(id)));
        })?;
        assert_eq!(notes.digest(&own)?, compacted);
        let last = notes.archives(&own)?.pop().ok_or("it was archived")?;
        assert!(
            notes.archived(&own, &last)?.is_some_and(|text| text.contains("four")),
            "what was dropped is kept"
        );
        Ok(())
    }

    fn new_notes_are_given_once(&self) -> Told {
        let (own, session, notes) = (namespace("new")?, session("회의"), self.notes());
        assert!(new(&notes, &own, &session)?.is_empty());
        self.add(&own, &session, "하나")?;
        self.add(&own, &session, "둘")?;
        assert_eq!(texts(&new(&notes, &own, &session)?), ["하나", "둘"]);
        assert!(new(&notes, &own, &session)?.is_empty());
        let first =
            notes.record(&own, &session)?.and_then(|record| record.sheet.items().next().map(Draft::of));
        notes.update(&own, &session, |record, _| {
            record
                .sheet
                .revise(Draft { text: "하나, 고침".to_owned(), ..first.clone().expect("it was added") });
        })?;
        assert!(new(&notes, &own, &session)?.is_empty(), "a note in new words is not a new note");
        self.add(&own, &session, "셋")?;
        self.add(&own, &session, "넷")?;
        notes.update(&own, &session, |record, _| {
            drop(record.sheet.remove(ItemId::new(crate::Owner::Session, 3)))
        })?;
        let taken = ten_times(|_| new(&notes, &own, &session));
        let taken = taken.into_iter().collect::<Result<Vec<_>, _>>()?;
        assert_eq!(texts(taken.iter().flatten()), ["넷"], "what was dropped is not given, the rest once");
        Ok(())
    }

    fn notes_are_handed_over_once_and_within_their_namespace(&self) -> Told {
        let (own, other, notes) = (namespace("handover")?, namespace("handover/other")?, self.notes());
        let (me, older, newer) = (session("나"), session("older"), session("새것"));
        assert_eq!(undelivered(&notes, &own, &me)?, None);
        self.add(&other, &session("secret"), "of another namespace")?;
        self.add(&own, &older, "older")?;
        self.add(&own, &newer, "newer")?;
        self.add(&own, &me, "mine")?;
        let taken = ten_times(|_| undelivered(&notes, &own, &me));
        let taken = taken.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut given: Vec<_> = taken.iter().flatten().map(|over| texts(&over.items).concat()).collect();
        given.sort();
        assert_eq!(given, ["newer", "older"], "each once, to ten who ask");
        assert_eq!(undelivered(&notes, &own, &me)?, None);
        self.add(&own, &older, "한 번 더")?;
        self.add(&own, &newer, "再来")?;
        let over = undelivered(&notes, &own, &me)?.ok_or("there is something new")?;
        assert_eq!(
            (&over.session, texts(&over.items)),
            (&newer, vec!["再来"]),
            "the last first, and only what is new"
        );
        let over = undelivered(&notes, &own, &newer)?.ok_or("there is more")?;
        assert_eq!((&over.session, texts(&over.items)), (&older, vec!["한 번 더"]));
        let over = undelivered(&notes, &own, &newer)?.ok_or("there is more")?;
        assert_eq!((&over.session, texts(&over.items)), (&me, vec!["mine"]));
        assert_eq!(undelivered(&notes, &own, &newer)?, None);
        Ok(())
    }

    fn a_session_is_forgotten_whole(&self) -> Told {
        let (own, notes) = (namespace("forgotten")?, self.notes());
        let (gone, stays) = (session("비밀"), session("남는 것"));
        for name in [&gone, &stays] {
            self.add(&own, name, "적어 둔 것")?;
            notes.append_pending(&own, name, &[self.message("말")])?;
            notes.append_conversation(&own, name, &[self.message("말")])?;
            notes.append_candidates(&own, name, &[self.candidate("후보")])?;
            assert_eq!(notes.raise_inject_flag(&own, name, "1")?, Asked::First);
            take(&notes, &own, name, Wanted::ALL)?;
        }
        notes.forget(&own, &gone)?;
        for collection in Collection::ALL {
            let listed = self.shelf.list(&own, *collection)?;
            assert!(listed.iter().all(|key| *key.session() == stays), "{listed:?}");
        }
        assert_eq!(notes.sessions(&own)?, [stays]);
        Ok(notes.forget(&own, &gone)?)
    }

    fn every_name_of_a_session_will_do(&self) -> Told {
        let (own, notes) = (namespace("sessions")?, self.notes());
        let mut names = hard_names();
        for name in &names {
            notes.update(&own, name, |record, now| {
                record.sheet.add(Draft::new(Priority::Low, format!("{name:?}")), now);
            })?;
            notes.append_candidates(&own, name, &[self.candidate("x")])?;
        }
        names.sort();
        assert_eq!(notes.sessions(&own)?, names);
        assert_eq!(notes.all_candidates(&own)?.len(), names.len());
        for name in &names {
            assert_eq!(texts(&new(&notes, &own, name)?), [format!("{name:?}")]);
        }
        Ok(())
    }
}
