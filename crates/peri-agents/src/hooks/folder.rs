//! To which project a call belongs.

use std::path::{Component, Path, PathBuf};

use super::call::Call;

/// Nobody works deeper below the folder of a project than this.
const LEVELS_MAX: usize = 64;

/// The folder of the project that a call belongs to: the nearest one above that holds `.git`, else where the agent
/// works. All folders of one project belong to it.
pub fn folder_of(call: &Call) -> PathBuf {
    project_folder(&call.folder, |folder| folder.join(".git").symlink_metadata().is_ok())
}

/// The nearest folder, from this one upwards, that is the folder of a project; else this one.
pub fn project_folder(folder: &Path, is_project: impl Fn(&Path) -> bool) -> PathBuf {
    let folder = tidied(folder);
    let project = folder.ancestors().take(LEVELS_MAX).find(|above| is_project(above));
    project.map_or_else(|| folder.clone(), Path::to_owned)
}

/// The path without `.` and `..`, by its letters alone: what is there is not asked.
pub(super) fn tidied(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if tidied.file_name().is_some() => {
                tidied.pop();
            }
            Component::ParentDir if tidied.has_root() => {}
            part => tidied.push(part),
        }
    }
    tidied
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(folder: &str, projects: &[&str], expected: &str) {
        let found = project_folder(Path::new(folder), |folder| {
            projects.iter().any(|known| folder == Path::new(known))
        });
        assert_eq!(found, Path::new(expected), "{folder}");
    }

    #[test]
    fn folders_below_a_project_belong_to_it() {
        check("/집/项目/crates/a/src", &["/집/项目"], "/집/项目");
        check("/집/项目", &["/집/项目"], "/집/项目");
        check("/a/b/c", &["/a", "/a/b"], "/a/b");
        check("/a/b/./c/../..", &["/a"], "/a");
        check("/a/b", &[], "/a/b");
        check("/", &[], "/");
        check("/a", &["/"], "/");
        check("/../../a", &[], "/a");
    }

    #[test]
    fn nobody_looks_higher_than_sixty_four_levels() {
        let deep = format!("/top{}", "/x".repeat(63));
        check(&deep, &["/top"], "/top");
        let deeper = format!("{deep}/x");
        check(&deeper, &["/top"], &deeper);
    }
}
