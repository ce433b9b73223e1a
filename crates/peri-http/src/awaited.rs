//! What whoever asks for an operation waits for.

use perihelion::Awaited;

/// Work that somebody started, and that takes as long as it takes.
const WORK: &[&str] = &[
    "createBackup",
    "deleteNamespace",
    "dispatchWorkers",
    "distil",
    "embeddings",
    "export",
    "exportGraph",
    "import",
    "loadSample",
    "maintain",
    "migrate",
    "moveNamespace",
    "observeDue",
    "observeSession",
    "purgeTrash",
    "removeSample",
    "reorbit",
    "replayQueue",
    "sweep",
    "takeSnapshot",
    "train",
];

/// What is to be kept.
const RECEIPTS: &[&str] = &[
    "appendJournal",
    "beginTurn",
    "cancelWorker",
    "clearAllWork",
    "clearWork",
    "confirmContext",
    "createKey",
    "dropQueued",
    "endSession",
    "feedback",
    "forget",
    "forgetNotes",
    "hear",
    "link",
    "promote",
    "promotePattern",
    "purge",
    "recordTrajectory",
    "remember",
    "rememberAll",
    "restore",
    "restorePattern",
    "retirePattern",
    "returnContext",
    "revokeKey",
    "revise",
    "rollbackLearned",
    "rollbackWeights",
    "setWork",
    "split",
    "startSession",
    "storePattern",
    "undoPromotion",
    "unlink",
    "updateTurn",
];

/// What whoever asks for an operation waits for.
pub(crate) fn awaited(operation: &str) -> Awaited {
    if WORK.contains(&operation) {
        Awaited::Work
    } else if RECEIPTS.contains(&operation) {
        Awaited::Receipt
    } else {
        Awaited::Answer
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Method;

    use super::*;

    #[test]
    fn every_operation_that_changes_something_is_work_or_kept_and_no_other_is() {
        // These ask in a body.
        let asks = ["context", "explainRecall", "recall", "routeTask"];
        for operation in crate::routes::all() {
            let is_answer = awaited(operation.id) == Awaited::Answer;
            let reads = operation.method == Method::GET || asks.contains(&operation.id);
            assert!(is_answer == reads || operation.id.starts_with("export"), "{}", operation.id);
        }
        let known: Vec<&str> = crate::routes::all().iter().map(|operation| operation.id).collect();
        assert!(WORK.iter().chain(RECEIPTS).all(|own| known.contains(own)));
    }
}
