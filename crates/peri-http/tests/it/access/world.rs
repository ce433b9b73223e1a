//! A server with somebody's memories, and everybody who might come for them.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use perihelion::{
    Clock, EdgeType, EngineChoice, EntryId, EventKind, Happening, Hear, KeyId, LogQuery, MemoryId, NewEdge,
    NewEntry, NewKey, NewPattern, NewTrajectory, NewTurn, Observe, PatternId, Recallable, Role, Said, SaidBy,
    Scope, TaskOutcome, TrajectoryId, TurnId,
};

use crate::support::{Ask, House};

/// The namespace that the requests are about.
pub const HOME: &str = "team/a";
/// A namespace of somebody else.
pub const ELSEWHERE: &str = "other/b";

/// Somebody who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Stranger,
    WrongKey,
    RevokedKey,
    Reader,
    Writer,
    Admin,
    /// An admin of another namespace.
    Foreigner,
    /// An admin of all there is.
    Owner,
}

impl Who {
    pub const ALL: [Self; 8] = [
        Self::Stranger,
        Self::WrongKey,
        Self::RevokedKey,
        Self::Reader,
        Self::Writer,
        Self::Admin,
        Self::Foreigner,
        Self::Owner,
    ];

    /// The role of those who are let in.
    pub fn role(self) -> Option<Role> {
        match self {
            Self::Stranger | Self::WrongKey | Self::RevokedKey => None,
            Self::Reader => Some(Role::Reader),
            Self::Writer => Some(Role::Writer),
            Self::Admin | Self::Foreigner | Self::Owner => Some(Role::Admin),
        }
    }
}

/// Refusals as the audit tells of them: what was wanted, why it was refused and to which key, with how often.
pub type Told = BTreeMap<(String, String, Option<KeyId>), u64>;

/// The server, and what everybody shows at its door.
pub struct World {
    pub house: House,
    pub clock: Clock,
    secrets: Vec<(Who, String)>,
}

impl World {
    pub async fn open() -> Self {
        let clock = Clock::manual("2026-03-04T05:06:07Z".parse().unwrap());
        let twin = clock.clone();
        let plain = |options: &mut perihelion::Options| {
            options.engine = EngineChoice::Off;
            // The memories are those that the tests keep.
            options.notes.recallable = Recallable::No;
            options.clock = twin;
        };
        let house = House::over(plain, |_| ()).await;
        let revoked = house.key(Role::Admin, "*");
        house.engine.revoke_key(public(&revoked)).unwrap();
        let mut wrong = house.key(Role::Admin, "*");
        let last = if wrong.ends_with('a') { 'b' } else { 'a' };
        wrong.pop();
        wrong.push(last);
        let secrets = vec![
            (Who::WrongKey, wrong),
            (Who::RevokedKey, revoked),
            (Who::Reader, house.key(Role::Reader, "team/*")),
            (Who::Writer, house.key(Role::Writer, "team/*")),
            (Who::Admin, house.key(Role::Admin, "team/*")),
            (Who::Foreigner, house.key(Role::Admin, ELSEWHERE)),
            (Who::Owner, house.key(Role::Admin, "*")),
        ];
        house.keep(ELSEWHERE, "somebody else keeps this");
        Self { house, clock, secrets }
    }

    pub fn secret(&self, who: Who) -> Option<&str> {
        self.secrets.iter().find(|(known, _)| *known == who).map(|(_, secret)| secret.as_str())
    }

    /// The id of the key of those who are let in.
    pub fn key_of(&self, who: Who) -> Option<KeyId> {
        who.role().and_then(|_| self.secret(who)).map(public)
    }

    /// Lets somebody make a request.
    pub fn by(&self, who: Who, ask: Ask) -> Ask {
        match self.secret(who) {
            Some(secret) => ask.key(secret),
            None => ask,
        }
    }

    /// Everything that is stored, as text: what a request changes shows here.
    pub fn state(&self) -> String {
        let mut written = Vec::new();
        self.house.engine.export(&Scope::All, &mut written).unwrap();
        let keys = self.house.engine.keys().unwrap();
        let keys: Vec<_> = keys.iter().map(|key| (key.id, key.revoked_at)).collect();
        format!("{}\n{keys:?}", String::from_utf8(written).unwrap())
    }

    /// The refusals that the audit log tells of since an event.
    pub fn told_since(&self, number: u64) -> Told {
        self.clock.advance(SignedDuration::from_mins(2));
        self.house.engine.maintain().unwrap();
        let kinds = vec![EventKind::AccessRefused];
        let query = LogQuery { limit: 10_000, kinds, after_number: Some(number), ..LogQuery::default() };
        let mut told = Told::new();
        for event in self.house.engine.events(&query).unwrap().events {
            if let Happening::AccessRefused { key, action, reason, count } = event.what {
                *told.entry((action, reason, key)).or_default() += count;
            }
        }
        told
    }

    /// New memories, a new session and a new key to ask for.
    pub fn targets(&self) -> Targets {
        let (house, engine) = (&self.house, &self.house.engine);
        let number = engine.last_event_number().unwrap();
        let memory = house.keep(HOME, &format!("the first of two statements, {number}"));
        let partner = house.keep(HOME, &format!("the second of two statements, {number}"));
        let trashed = house.keep(HOME, &format!("a statement to throw away, {number}"));
        engine.forget(&Scope::All, trashed).unwrap();
        let edge = NewEdge { source: memory, target: partner, edge_type: EdgeType::RelatedTo, weight: 0.5 };
        assert!(engine.link(&Scope::All, &edge).unwrap());
        let session = format!("session-{number}");
        engine.start_session(&HOME.parse().unwrap(), &session).unwrap();
        let new = NewKey { name: "victim".to_owned(), role: Role::Reader, scope: HOME.parse().unwrap() };
        let key = engine.create_key(new).unwrap().key.id;
        let home = || HOME.parse().unwrap();
        let entry = engine.append(NewEntry::new("journal of team").in_namespace(home())).unwrap().id;
        let turn = engine.begin_turn(NewTurn { namespace: home(), ..NewTurn::default() }).unwrap().turn.id;
        let strategy = NewPattern::new(format!("a way of doing number {number}")).in_namespace(home());
        let pattern = engine.store_pattern(strategy).unwrap().pattern.id;
        let task = NewTrajectory::new(format!("task number {number}"), TaskOutcome::Success);
        let trajectory = engine.record_trajectory(task.in_namespace(home())).unwrap().id;
        let namespace = HOME.to_owned();
        Targets { namespace, memory, partner, trashed, session, key, entry, turn, pattern, trajectory }
    }

    /// Has something noted in the session that a request is about.
    pub fn note(&self, targets: &Targets) {
        let text = format!("We decided to use the shelf of {}.", targets.session);
        let messages = vec![Said { role: SaidBy::User, text, at: None }];
        let (namespace, session) = (HOME.parse().unwrap(), targets.session.clone());
        let heard = Hear { namespace, session, messages, ..Hear::default() };
        self.house.engine.hear(heard, Observe::Now).unwrap();
    }
}

/// The id in a secret.
pub fn public(secret: &str) -> KeyId {
    secret.split('_').nth(1).unwrap().parse().unwrap()
}

/// What a request is about.
#[derive(Debug, Clone)]
pub struct Targets {
    pub namespace: String,
    pub memory: MemoryId,
    pub partner: MemoryId,
    pub trashed: MemoryId,
    pub session: String,
    pub key: KeyId,
    pub entry: EntryId,
    pub turn: TurnId,
    pub pattern: PatternId,
    pub trajectory: TrajectoryId,
}

impl Targets {
    /// What was never there.
    pub fn never() -> Self {
        Self {
            namespace: "team/x".to_owned(),
            memory: "0198c5b2-7d3e-7000-8000-000000000001".parse().unwrap(),
            partner: "0198c5b2-7d3e-7000-8000-000000000002".parse().unwrap(),
            trashed: "0198c5b2-7d3e-7000-8000-000000000003".parse().unwrap(),
            session: "session-0".to_owned(),
            key: "aaaaaaaa".parse().unwrap(),
            entry: "0198c5b2-7d3e-7000-8000-000000000004".parse().unwrap(),
            turn: "0198c5b2-7d3e-7000-8000-000000000005".parse().unwrap(),
            pattern: "0198c5b2-7d3e-7000-8000-000000000006".parse().unwrap(),
            trajectory: "0198c5b2-7d3e-7000-8000-000000000007".parse().unwrap(),
        }
    }

    fn parts(&self) -> [(&'static str, String); 10] {
        [
            ("$namespace", self.namespace.clone()),
            ("$memory", self.memory.to_string()),
            ("$partner", self.partner.to_string()),
            ("$trashed", self.trashed.to_string()),
            ("$session", self.session.clone()),
            ("$key", self.key.to_string()),
            ("$entry", self.entry.to_string()),
            ("$turn", self.turn.to_string()),
            ("$pattern", self.pattern.to_string()),
            ("$trajectory", self.trajectory.to_string()),
        ]
    }

    /// Puts the targets in the place of their names.
    pub fn fill(&self, text: &str) -> String {
        self.parts().iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }

    /// Puts the names in the place of the targets, so that two answers can be compared.
    pub fn unfill(&self, text: &str) -> String {
        self.parts().iter().fold(text.to_owned(), |text, (name, value)| text.replace(value, name))
    }
}
