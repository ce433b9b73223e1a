//! Backups: which there are, and making one.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Admin;

use crate::app::App;
use crate::extract::Visit;
use crate::problem::Problem;
use crate::surroundings::{BackupList, BackupMade};
use crate::table::Need::Everywhere;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Everywhere(Admin), Method::GET, "/v1/backups", "listBackups", list)
            .says("The backups there are, the latest first, and when the next one is due")
            .gives::<BackupList>(),
        Operation::new(Everywhere(Admin), Method::POST, "/v1/backups", "createBackup", create)
            .says("Make a backup now and verify it, while others go on. 409: one is being made already")
            .gives::<BackupMade>()
            .once(),
    ]
}

async fn list(visit: Visit) -> Result<Json<BackupList>, Problem> {
    let app = App::clone(&visit.app);
    let listed = visit.work(move |engine| match &app.surroundings().backups {
        Some(place) => Ok((place.list)(engine)?),
        None => Ok(BackupList::default()),
    });
    listed.await.map(Json)
}

async fn create(visit: Visit) -> Result<Json<BackupMade>, Problem> {
    let app = App::clone(&visit.app);
    let made = visit.work(move |engine| match &app.surroundings().backups {
        Some(place) => Ok((place.create)(engine)?),
        None => Err(Problem::missing_part(
            "this server does not know where backups go; nothing was written",
            "`peri serve` knows, and `peri backup create` makes one by hand",
        )),
    });
    made.await.map(Json)
}
