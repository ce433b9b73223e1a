//! Where backups go, as somebody writes it down.

use std::path::{Path, PathBuf};

use crate::depot::{Depot, FolderDepot};
use crate::{BackupError, FOLDER, Halt};

/// Where backups go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A folder.
    Folder(PathBuf),
    /// A bucket that speaks S3, and the beginning of all names in it.
    Bucket {
        /// The bucket's name.
        bucket: String,
        /// What names in it begin with; may be empty.
        prefix: String,
    },
}

/// How to reach buckets.
#[derive(Clone, Default)]
pub struct Reach {
    /// The service's address, such as `https://s3.example.org`; that of AWS if empty.
    pub endpoint: String,
    /// The service's region; that of the environment if empty.
    pub region: String,
    /// The `AWS_` variables of the environment, among them the credentials.
    pub variables: Vec<(String, String)>,
    /// Tells when not to wait for the service any more.
    pub halt: Halt,
}

impl std::fmt::Debug for Reach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.variables.iter().map(|(name, _)| name.as_str()).collect();
        let mut told = f.debug_struct("Reach");
        told.field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .field("variables", &names)
            .finish()
    }
}

impl Destination {
    /// Reads a destination: `s3://bucket/prefix`, or a folder that starts at the data folder unless it is absolute.
    /// Nothing means the folder `backups` in the data folder.
    pub fn parse(text: &str, data: &Path) -> Result<Self, BackupError> {
        let refused = |why: &str| BackupError::Destination { given: text.to_owned(), why: why.to_owned() };
        if text.is_empty() {
            return Ok(Self::Folder(data.join(FOLDER)));
        }
        if let Some(rest) = text.strip_prefix("s3://") {
            let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
            let sound = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-_".contains(c);
            if bucket.is_empty() || !bucket.chars().all(sound) {
                return Err(refused("the bucket's name has small letters, digits, dots and hyphens"));
            }
            let prefix = prefix.trim_matches('/').to_owned();
            return Ok(Self::Bucket { bucket: bucket.to_owned(), prefix });
        }
        if text.contains("://") {
            return Err(refused("only folders and s3:// are known"));
        }
        if text.starts_with('~') {
            return Err(refused("it begins with a ~ that no shell replaced"));
        }
        if Path::new(text) == data || data.join(text) == *data {
            return Err(refused("it is the data folder itself"));
        }
        Ok(Self::Folder(data.join(text)))
    }

    /// Opens the place. A bucket is not asked yet.
    pub fn open(&self, reach: &Reach) -> Result<Box<dyn Depot>, BackupError> {
        match self {
            Self::Folder(folder) => Ok(Box::new(FolderDepot::new(folder.clone()))),
            Self::Bucket { bucket, prefix } => open_bucket(bucket, prefix, reach),
        }
    }
}

#[cfg(feature = "s3")]
fn open_bucket(bucket: &str, prefix: &str, reach: &Reach) -> Result<Box<dyn Depot>, BackupError> {
    Ok(Box::new(crate::S3Depot::open(bucket, prefix, reach)?))
}

#[cfg(not(feature = "s3"))]
fn open_bucket(bucket: &str, prefix: &str, _: &Reach) -> Result<Box<dyn Depot>, BackupError> {
    let given = format!("s3://{bucket}/{prefix}");
    Err(BackupError::Destination { given, why: "this program was built without support for S3".to_owned() })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn destinations_are_folders_or_buckets() {
        let data = Path::new("/data");
        let folder = |path: &str| Destination::Folder(PathBuf::from(path));
        let bucket = |bucket: &str, prefix: &str| Destination::Bucket {
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
        };
        for (text, expected) in [
            ("", folder("/data/backups")),
            ("/mnt/usb", folder("/mnt/usb")),
            ("elsewhere", folder("/data/elsewhere")),
            ("s3://mine", bucket("mine", "")),
            ("s3://mine/", bucket("mine", "")),
            ("s3://mine/a/b/", bucket("mine", "a/b")),
        ] {
            assert_eq!(Destination::parse(text, data).unwrap(), expected);
        }
        for text in ["s3://", "s3:///x", "s3://My Bucket", "ftp://x", "~/x", "/data", "."] {
            assert!(Destination::parse(text, data).is_err(), "{text:?}");
        }
    }

    #[test]
    fn credentials_are_never_told() {
        let reach = Reach {
            variables: vec![("AWS_SECRET_ACCESS_KEY".into(), "tell nobody".into())],
            ..Reach::default()
        };
        let told = format!("{reach:?}");
        assert!(told.contains("AWS_SECRET_ACCESS_KEY") && !told.contains("tell nobody"), "{told}");
    }
}
