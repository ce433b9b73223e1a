//! The chapters of a life: together they touch every durable part.

use super::{BY_HAND, UNQUEUED};
use crate::ledger::Ledger;
use crate::order::{Answer, Order};
use crate::shim::Kinds;

/// What a chapter begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folder {
    /// Nothing.
    Fresh,
    /// A folder with memories, as a crash left it. Nobody has opened it.
    Closed,
    /// The same, and the process has opened it.
    Opened,
}

/// A part of a life.
pub(super) struct Chapter {
    pub(super) name: &'static str,
    pub(super) folder: Folder,
    /// Which calls fail in turn.
    pub(super) kinds: Kinds,
    pub(super) orders: fn() -> Vec<Order>,
}

pub(super) const CHAPTERS: [Chapter; 10] = [
    Chapter {
        name: "begin",
        folder: Folder::Fresh,
        kinds: Kinds::ALL,
        orders: || vec![Order::Open(BY_HAND), remember("a1"), recall("a1"), Order::Close],
    },
    Chapter {
        name: "open",
        folder: Folder::Closed,
        kinds: Kinds::ALL,
        orders: || {
            vec![Order::Open(BY_HAND), recall("base0"), Order::Close, Order::Open(BY_HAND), remember("b1")]
        },
    },
    Chapter {
        name: "write",
        folder: Folder::Opened,
        kinds: Kinds::ALL,
        orders: || {
            let batch = Order::Batch { keys: (0..5).map(|part| format!("c2p{part}")).collect() };
            let revise = Order::Revise { id: LIVE.into(), key: "c3".into() };
            vec![
                remember("c1"),
                batch,
                revise,
                Order::Forget { id: LIVE.into() },
                Order::Restore { id: TRASHED.into() },
                Order::Forget { id: LIVE.into() },
                Order::Purge { id: TRASHED.into() },
                recall("c1"),
                Order::Close,
            ]
        },
    },
    // What is refused and not queued must not turn up later, although a flush that fails has something before it.
    Chapter {
        name: "refused",
        folder: Folder::Closed,
        kinds: Kinds::SYNCS,
        orders: || {
            let revise = Order::Revise { id: LIVE.into(), key: "k2".into() };
            vec![
                Order::Open(UNQUEUED),
                remember("k1"),
                revise,
                Order::Forget { id: LIVE.into() },
                Order::Close,
            ]
        },
    },
    Chapter {
        name: "chores",
        folder: Folder::Opened,
        kinds: Kinds::ALL,
        orders: || {
            let batch = Order::Batch { keys: (0..70).map(|part| format!("d1p{part}")).collect() };
            vec![
                batch,
                recall("base0"),
                Order::Maintain,
                Order::Reorbit,
                Order::Consolidate,
                Order::Snapshot,
                Order::Close,
            ]
        },
    },
    Chapter {
        name: "queue",
        folder: Folder::Opened,
        kinds: Kinds::ALL,
        orders: || {
            let away = |key: &str| Order::RememberAway { key: key.into() };
            vec![
                away("e1"),
                away("e2"),
                Order::Drain,
                away("e3"),
                Order::Close,
                Order::Open(BY_HAND),
                Order::Drain,
            ]
        },
    },
    Chapter {
        name: "parts",
        folder: Folder::Opened,
        kinds: Kinds::ALL,
        orders: || {
            let (append, learn) = (Order::Append { key: "f1".into() }, Order::Learn { key: "f2".into() });
            let hear = |key: &str| Order::Hear { key: key.into() };
            vec![append, learn, hear("f3"), hear("f4"), Order::Maintain, Order::Close]
        },
    },
    Chapter {
        name: "transfer",
        folder: Folder::Opened,
        kinds: Kinds::ALL,
        orders: || vec![Order::Import { keys: vec!["g1".into(), "g2".into()] }, Order::Export, Order::Close],
    },
    Chapter {
        name: "backup",
        folder: Folder::Opened,
        kinds: Kinds::ALL,
        orders: || {
            vec![Order::Backup, remember(AFTER_BACKUP), Order::BringBack, recall("base0"), Order::Close]
        },
    },
    Chapter {
        name: "vault",
        folder: Folder::Opened,
        kinds: Kinds::ALL,
        orders: || vec![Order::Vault { key: "h1".into() }, Order::Vault { key: "h2".into() }, Order::Close],
    },
];

/// Stands for some memory that can be changed.
const LIVE: &str = "live";
const TRASHED: &str = "trashed";

/// Remembered between a backup and its return.
const AFTER_BACKUP: &str = "afterbackup";

/// What most chapters begin with: enough memories for an index to be saved, something of every part, and a log that was
/// not yet taken into the database.
pub(super) fn base() -> Vec<Order> {
    let batch = Order::Batch { keys: (0..70).map(|part| format!("base{part}")).collect() };
    let forget = Order::Forget { id: LIVE.into() };
    vec![
        Order::Open(BY_HAND),
        batch,
        forget.clone(),
        forget,
        Order::Append { key: "basejournal".into() },
        Order::Learn { key: "baselearned".into() },
        Order::Maintain,
        Order::Close,
        Order::Open(BY_HAND),
        remember("baselast"),
    ]
}

fn remember(key: &str) -> Order {
    Order::Remember { key: key.to_owned() }
}

fn recall(key: &str) -> Order {
    Order::Recall { key: key.to_owned() }
}

/// Puts in the id of a memory where an order leaves open which one.
pub(super) fn fill(order: &mut Order, ledger: &Ledger) {
    if let Order::Revise { id, .. } | Order::Forget { id } | Order::Restore { id } | Order::Purge { id } =
        order
        && [LIVE, TRASHED].contains(&id.as_str())
    {
        let of = ledger.settled(id == TRASHED);
        *id = of.first().cloned().unwrap_or_default();
    }
}

/// Other words for an order that is given again.
pub(super) fn reword(order: &mut Order) {
    match order {
        Order::Remember { key }
        | Order::RememberAway { key }
        | Order::Revise { key, .. }
        | Order::Append { key }
        | Order::Learn { key }
        | Order::Hear { key }
        | Order::Vault { key } => key.push_str("again"),
        Order::Batch { keys } | Order::Import { keys } => {
            keys.iter_mut().for_each(|key| key.push_str("again"))
        }
        _ => {}
    }
}

/// A backup that is brought back takes what came after it away. If that broke off, it is there as before or gone.
pub(super) fn after(order: &Order, answer: Option<&Answer>, ledger: &mut Ledger) {
    if matches!(order, Order::BringBack) {
        for key in [AFTER_BACKUP.to_owned(), format!("{AFTER_BACKUP}again")] {
            ledger.open_again(&key, matches!(answer, Some(Answer::Done)));
        }
    }
}
