//! Health tells the truth in one shape, whether or not there is anything to open.

use super::support::Peri;

#[test]
fn a_good_folder_is_healthy_and_tells_how_full_the_zones_are() {
    let peri = Peri::new().with("PERI_ORBIT_INNER_CAPACITY", "2");
    peri.remember(&["Ana prefers tea"]);
    peri.remember(&["the kiln is in the shed"]);
    peri.ok(&["reorbit"]);
    let told = peri.ok(&["health"]);
    assert!(told.starts_with("healthy\nfolder  "), "{told}");
    for part in ["\ncore           0/20 (0 %)\n", "\ninner          2/2 (100 %)\n", "\nbelt           0\n"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(
        told.contains("\nwarning        the inner zone is at 100 % of its capacity in default\n"),
        "{told}"
    );
    assert_eq!(peri.ok(&["health", "-q"]), "healthy\n");
    assert!(!told.contains("no process is doing the chores,"), "somebody just did them: {told}");
    let health = peri.json(&["health"]);
    assert_eq!((&health["healthy"], &health["memories"]), (&true.into(), &2.into()));
    assert_eq!(health["zones"].as_array().map(Vec::len), Some(5));
}

#[test]
fn what_cannot_be_opened_is_unhealthy_in_the_same_shape() {
    let sound = Peri::new().json(&["health"]);
    let keys = |health: &serde_json::Value| health.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let noise = "this is no database at all, but somebody's letters".repeat(100);
    let damaged = Peri::new();
    std::fs::create_dir_all(damaged.home()).unwrap();
    std::fs::write(damaged.home().join("perihelion.db"), &noise).unwrap();
    let blocked = Peri::new();
    std::fs::write(blocked.home(), "a file where the folder should be").unwrap();
    let misconfigured = Peri::new();
    misconfigured.configure("[recall]\nlimit = 0\n");
    for (peri, says) in [(&damaged, "is damaged"), (&blocked, "home"), (&misconfigured, "recall.limit")] {
        let run = peri.run(&["health"]);
        assert_eq!(run.code, 6, "{run:?}");
        assert!(run.out.starts_with("unhealthy\n") && run.out.contains("\nproblem        "), "{run:?}");
        assert!(run.out.contains(says) && run.err.is_empty(), "{run:?}");
        let run = peri.run(&["health", "--json"]);
        assert_eq!(run.code, 6, "{run:?}");
        let health: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(keys(&health), keys(&sound));
        let reachable = if says == "recall.limit" { serde_json::Value::Null } else { false.into() };
        assert_eq!((&health["healthy"], &health["store_reachable"]), (&false.into(), &reachable), "{says}");
        assert!(health["problems"][0].as_str().unwrap().contains(says), "{health}");
    }
    let told = misconfigured.run(&["health"]).out;
    assert!(told.contains("\nstore          not looked at"), "{told}");
    assert!(!told.contains("cannot be reached"), "{told}");
    assert_eq!(std::fs::read_to_string(damaged.home().join("perihelion.db")).unwrap(), noise);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_is_unhealthy() {
    use std::os::unix::fs::PermissionsExt;
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea"]);
    let allow = |mode| std::fs::set_permissions(peri.home(), std::fs::Permissions::from_mode(mode)).unwrap();
    allow(0o000);
    // Whoever may read everything cannot be shut out.
    let shut = std::fs::read_dir(peri.home()).is_err();
    let run = peri.run(&["health"]);
    allow(0o755);
    if shut {
        assert_eq!(run.code, 6, "{run:?}");
        assert!(run.out.starts_with("unhealthy\n"), "{run:?}");
    }
}
