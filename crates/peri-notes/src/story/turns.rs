//! What becomes of turns and of steps that fail, on any shelf.

use std::sync::Arc;

use jiff::SignedDuration;
use peri_types::{Clock, Namespace, Timestamp};

use super::{Told, namespace, ten_times};
use crate::{
    Aside, Cleared, Draft, Message, Notes, Place, Priority, Replaced, Revised, Reviser, Revision, Session,
    Shelf, Speaker, Trouble,
};

pub(super) fn story(shelf: &Arc<dyn Shelf>) -> Told {
    let clock = Clock::manual("2026-02-10T09:00:00Z".parse()?);
    let notes = Notes::new(Arc::clone(shelf), clock.clone(), |text: &str| text.chars().count());
    let teller = Teller { notes, clock, session: "회의".parse()? };
    teller.a_turn_is_kept_once()?;
    teller.the_first_messages_are_observed_alone()?;
    teller.what_was_replaced_waits_to_be_told()?;
    teller.troubles_are_kept_and_end_with_the_step()?;
    teller.what_cannot_be_observed_is_put_aside_and_taken_back()?;
    teller.notes_are_condensed_once()
}

struct Teller {
    notes: Notes,
    clock: Clock,
    session: Session,
}

fn texts(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(|message| message.text.as_str()).collect()
}

fn trouble(before: Option<Trouble>, now: Timestamp) -> Trouble {
    let attempts = before.map_or(0, |before| before.attempts) + 1;
    Trouble { attempts, unusable: attempts, since: now, next_at: Some(now), error: "안 된다".to_owned() }
}

impl Teller {
    fn said(&self, texts: &[&str]) -> Vec<Message> {
        let at = self.clock.now();
        texts.iter().map(|text| Message::new(Speaker::User, *text, at)).collect()
    }

    fn a_turn_is_kept_once(&self) -> Told {
        let (own, session, notes) = (namespace("turns")?, &self.session, &self.notes);
        let said = self.said(&["하나", "二", "하나"]);
        let handed = ["기억".to_owned(), " ".to_owned(), "기억".to_owned()];
        let kept = ten_times(|_| notes.append_turn(&own, session, &said, &handed));
        let kept = kept.into_iter().collect::<Result<Vec<_>, _>>()?;
        assert_eq!(kept.iter().map(|kept| kept.messages).sum::<usize>(), 2);
        assert_eq!(kept.iter().map(|kept| kept.handed_out).sum::<usize>(), 1);
        let batch = notes.pending(&own, session)?;
        assert_eq!(texts(&batch.entries), ["하나", "二"]);
        assert_eq!(notes.clear_pending(&own, session, &batch.mark)?, Cleared::Done);
        assert_eq!(notes.append_turn(&own, session, &said, &[])?.repeated, 3, "although it was observed");
        self.clock.advance(SignedDuration::from_mins(1));
        assert_eq!(notes.append_turn(&own, session, &self.said(&["하나"]), &[])?.messages, 1);
        assert_eq!(notes.pending_sessions(&own)?, std::slice::from_ref(session));
        for number in 0..50 {
            let many: Vec<String> = (0..10).map(|text| format!("{number} {text}")).collect();
            notes.append_turn(&own, session, &[], &many)?;
        }
        let handed = notes.handed_out(&own, session)?.entries;
        assert_eq!((handed.len(), handed[399].text.as_str()), (400, "49 9"), "the oldest are forgotten");
        Ok(())
    }

    fn the_first_messages_are_observed_alone(&self) -> Told {
        let (own, session, notes) = (namespace("parts")?, &self.session, &self.notes);
        notes.append_turn(&own, session, &self.said(&["하나", "둘", "셋"]), &[])?;
        let mut left = 2;
        let first = notes.first_pending(&own, session, |_| {
            left -= 1;
            left >= 0
        })?;
        assert_eq!(texts(&first.entries), ["하나", "둘"]);
        assert_eq!(notes.clear_pending(&own, session, &first.mark)?, Cleared::Done);
        assert_eq!(notes.clear_pending(&own, session, &first.mark)?, Cleared::Already);
        assert_eq!(texts(&notes.pending(&own, session)?.entries), ["셋"]);
        assert!(notes.first_pending(&own, session, |_| false)?.entries.is_empty());
        Ok(())
    }

    fn what_was_replaced_waits_to_be_told(&self) -> Told {
        let (own, session, notes) = (namespace("replaced")?, &self.session, &self.notes);
        let one = |old: &str| Replaced {
            at: self.clock.now(),
            item: None,
            old: old.to_owned(),
            new: "Postgres".to_owned(),
        };
        let revise = |old: &str| {
            let revision = Revision { replaced: vec![one(old)], ..Revision::default() };
            notes.revise(&own, session, &revision)
        };
        revise("MySQL")?;
        let told = notes.replaced(&own)?;
        assert_eq!((&told[0].0, &told[0].1.entries), (session, &vec![one("MySQL")]));
        revise("오라클")?;
        assert_eq!(notes.clear_replaced(&own, session, &told[0].1.mark)?, Cleared::Done);
        assert_eq!(notes.clear_replaced(&own, session, &told[0].1.mark)?, Cleared::Already);
        assert_eq!(notes.replaced(&own)?[0].1.entries, [one("오라클")]);
        Ok(())
    }

    fn troubles_are_kept_and_end_with_the_step(&self) -> Told {
        let (own, session, notes) = (namespace("troubles")?, &self.session, &self.notes);
        for place in [Place::Session(session), Place::Digest] {
            assert!(notes.troubles(&own, place)?.is_empty());
            let noted = ten_times(|_| notes.note_trouble(&own, place, "observe", trouble));
            noted.into_iter().collect::<Result<Vec<_>, _>>()?;
            notes.note_trouble(&own, place, "reflect", trouble)?;
            let troubles = notes.troubles(&own, place)?;
            assert_eq!((troubles["observe"].attempts, troubles["reflect"].attempts), (10, 1));
        }
        assert_eq!(notes.troubled_sessions(&own)?, std::slice::from_ref(session));
        let revision = Revision { step: Some("observe"), ..Revision::default() };
        notes.revise(&own, session, &revision)?;
        let left = notes.troubles(&own, Place::Session(session))?;
        assert_eq!(left.keys().collect::<Vec<_>>(), ["reflect"]);
        notes.clear_trouble(&own, Place::Session(session), "reflect")?;
        notes.clear_trouble(&own, Place::Session(session), "reflect")?;
        assert!(notes.troubled_sessions(&own)?.is_empty());
        assert_eq!(notes.troubles(&own, Place::Digest)?.len(), 2, "the digest has its own");
        Ok(())
    }

    fn what_cannot_be_observed_is_put_aside_and_taken_back(&self) -> Told {
        let (own, session, notes) = (namespace("aside")?, &self.session, &self.notes);
        notes.append_turn(&own, session, &self.said(&["毒药", "둘"]), &[])?;
        notes.note_trouble(&own, Place::Session(session), "observe", trouble)?;
        let poison = notes.first_pending(&own, session, |message| message.text == "毒药")?;
        let put = ten_times(|_| notes.put_aside(&own, session, &poison, ("observe", "안 된다")));
        let put = put.into_iter().collect::<Result<Vec<_>, _>>()?;
        assert_eq!(put.iter().filter(|put| **put == Cleared::Done).count(), 1);
        let message = poison.entries[0].clone();
        let entry = Aside { at: self.clock.now(), error: "안 된다".to_owned(), message };
        assert_eq!(notes.aside(&own, session)?.entries, [entry]);
        assert!(notes.troubles(&own, Place::Session(session))?.is_empty());
        assert_eq!(texts(&notes.pending(&own, session)?.entries), ["둘"]);
        let taken = ten_times(|_| notes.take_back(&own, session));
        assert_eq!(taken.into_iter().sum::<Result<usize, _>>()?, 1);
        assert_eq!(texts(&notes.pending(&own, session)?.entries), ["毒药", "둘"]);
        assert!(notes.aside(&own, session)?.entries.is_empty());
        Ok(())
    }

    fn notes_are_condensed_once(&self) -> Told {
        let (own, session, notes): (Namespace, _, _) = (namespace("condensed")?, &self.session, &self.notes);
        let add = |record: &mut crate::Record, now| {
            record.sheet.add(Draft::new(Priority::Low, "하나"), now);
            record.sheet.add(Draft::new(Priority::Low, "둘"), now);
        };
        let record = notes.update(&own, session, add)?;
        let revision = Revision {
            by: Reviser::Reflector,
            base: record.sheet.items().cloned().collect(),
            drafts: vec![Draft::new(Priority::Low, "하나와 둘")],
            reflections: Some(record.reflections),
            ..Revision::default()
        };
        let revised = ten_times(|_| notes.revise(&own, session, &revision));
        let revised = revised.into_iter().collect::<Result<Vec<_>, _>>()?;
        let saved = revised.iter().filter(|revised| matches!(revised, Revised::Saved(_))).count();
        let already = revised.iter().filter(|revised| **revised == Revised::AlreadyCondensed).count();
        assert_eq!((saved, already), (1, 9));
        assert_eq!(notes.sizes(&own)?, [(session.clone(), 5)]);
        Ok(())
    }
}
