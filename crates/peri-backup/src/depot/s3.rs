//! Backups in a bucket that speaks S3.

use std::io::{ErrorKind, Read};
use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path as Key;
use object_store::{ClientOptions, Error, ObjectStore, ObjectStoreExt, PutPayload, RetryConfig};
use tokio::runtime::Runtime;

use super::{Depot, Held, Sink};
use crate::{BackupError, BackupName, Halt, Reach, manifest};

/// Files above this size are sent in parts of it. Ten thousand parts are allowed, so none is larger than 160 GB.
const PART: usize = 16 * 1024 * 1024;
/// A part must be through by then.
const TIMEOUT: Duration = Duration::from_secs(300);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Failed requests are sent again so often, and no longer than this.
const RETRIES: usize = 4;
const RETRY_TIMEOUT: Duration = Duration::from_secs(60);
/// How often it is looked whether to wait any longer.
const LOOK: Duration = Duration::from_millis(50);

/// Without one of these there is nobody to sign as.
const CREDENTIALS: [&str; 4] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
];

/// A bucket, or the part of it below a prefix.
#[derive(Debug)]
pub struct S3Depot {
    bucket: AmazonS3,
    prefix: Key,
    place: String,
    runtime: Runtime,
    halt: Halt,
}

impl S3Depot {
    /// The depot in a bucket. Nothing is asked of it yet.
    pub fn open(bucket: &str, prefix: &str, reach: &Reach) -> Result<Self, BackupError> {
        let place =
            if prefix.is_empty() { format!("s3://{bucket}") } else { format!("s3://{bucket}/{prefix}") };
        let refused = |detail: String| BackupError::Depot {
            place: place.clone(),
            what: "it cannot be opened".to_owned(),
            detail,
        };
        if !reach
            .variables
            .iter()
            .any(|(name, value)| CREDENTIALS.contains(&name.as_str()) && !value.is_empty())
        {
            let why = "there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment";
            return Err(refused(why.to_owned()));
        }
        // Whoever came first chose; it is the same choice everywhere in this program.
        if rustls::crypto::ring::default_provider().install_default().is_err() {
            tracing::trace!("the cryptography was chosen before");
        }
        let built = builder(bucket, reach).build().map_err(|error| refused(told(&error)))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| refused(error.to_string()))?;
        Ok(Self { bucket: built, prefix: Key::from(prefix), place, runtime, halt: reach.halt.clone() })
    }

    /// Does something with the bucket, unless the program is to end before it answers.
    fn wait<T>(&self, work: impl Future<Output = Result<T, BackupError>>) -> Result<T, BackupError> {
        let halted = async {
            while !self.halt.is_halted() {
                tokio::time::sleep(LOOK).await;
            }
        };
        self.runtime.block_on(async {
            match select(pin!(work), pin!(halted)).await {
                Either::Left((done, _)) => done,
                Either::Right(_) => Err(BackupError::Halted),
            }
        })
    }

    fn key(&self, path: &str) -> Key {
        Key::from_iter(self.prefix.parts().chain(Key::from(path).parts()))
    }

    fn failed(&self, what: impl Into<String>) -> impl FnOnce(Error) -> BackupError {
        let (place, what) = (self.place.clone(), what.into());
        move |error| BackupError::Depot { place, what, detail: told(&error) }
    }

    async fn send(&self, key: &Key, first: Vec<u8>, bytes: &mut dyn Read) -> Result<(), BackupError> {
        let what = || format!("{key} cannot be put there");
        let mut upload = self.bucket.put_multipart(key).await.map_err(self.failed(what()))?;
        let mut part = first;
        loop {
            let full = part.len() == PART;
            if let Err(error) = upload.put_part(PutPayload::from(part)).await {
                if let Err(error) = upload.abort().await {
                    tracing::warn!(%error, place = %self.place, "parts of a file are left behind");
                }
                return Err(self.failed(what())(error));
            }
            if !full {
                break;
            }
            part = match fill(bytes) {
                Ok(part) if part.is_empty() => break,
                Ok(part) => part,
                Err(source) => {
                    if let Err(error) = upload.abort().await {
                        tracing::warn!(%error, place = %self.place, "parts of a file are left behind");
                    }
                    return Err(BackupError::file(
                        key.to_string(),
                        "what belongs here cannot be read",
                        source,
                    ));
                }
            };
        }
        upload.complete().await.map_err(self.failed(what()))?;
        Ok(())
    }
}

impl Depot for S3Depot {
    fn place(&self) -> String {
        self.place.clone()
    }

    fn folder(&self) -> Option<&Path> {
        None
    }

    fn free_bytes(&self) -> Option<u64> {
        None
    }

    fn put(&self, path: &str, bytes: &mut dyn Read) -> Result<(), BackupError> {
        let key = self.key(path);
        let first = fill(bytes)
            .map_err(|source| BackupError::file(path, "what belongs here cannot be read", source))?;
        self.wait(async {
            if first.len() == PART {
                return self.send(&key, first, bytes).await;
            }
            let put = self.bucket.put(&key, PutPayload::from(first)).await;
            put.map(drop).map_err(self.failed(format!("{key} cannot be put there")))
        })
    }

    /// A bucket has what it has taken.
    fn settle(&self, _: &BackupName) -> Result<(), BackupError> {
        Ok(())
    }

    fn get(&self, path: &str, sink: Sink<'_>) -> Result<bool, BackupError> {
        let key = self.key(path);
        let what = || format!("{key} cannot be read");
        self.wait(async {
            let mut pieces = match self.bucket.get(&key).await {
                Ok(found) => found.into_stream(),
                Err(Error::NotFound { .. }) => return Ok(false),
                Err(error) => return Err(self.failed(what())(error)),
            };
            while let Some(piece) = pieces.next().await {
                sink(&piece.map_err(self.failed(what()))?)?;
            }
            Ok(true)
        })
    }

    fn held(&self) -> Result<Vec<Held>, BackupError> {
        let what = "the backups in it cannot be listed";
        self.wait(async {
            let listed =
                self.bucket.list_with_delimiter(Some(&self.prefix)).await.map_err(self.failed(what))?;
            let mut held = Vec::new();
            for folder in listed.common_prefixes {
                let name = folder.parts().next_back();
                let Some(name) = name.and_then(|name| name.as_ref().parse::<BackupName>().ok()) else {
                    continue;
                };
                let manifest = self.key(&format!("{name}/{}", manifest::FILE));
                let finished = match self.bucket.head(&manifest).await {
                    Ok(_) => true,
                    Err(Error::NotFound { .. }) => false,
                    Err(error) => return Err(self.failed(what)(error)),
                };
                held.push(Held { name, finished });
            }
            held.sort_by(|a, b| a.name.cmp(&b.name));
            Ok(held)
        })
    }

    fn remove(&self, name: &BackupName) -> Result<(), BackupError> {
        let what = || format!("{name} cannot be removed");
        self.wait(async {
            let manifest = self.key(&format!("{name}/{}", manifest::FILE));
            match self.bucket.delete(&manifest).await {
                Ok(()) | Err(Error::NotFound { .. }) => {}
                Err(error) => return Err(self.failed(what())(error)),
            }
            let folder = self.key(name.as_str());
            let objects: Vec<_> =
                self.bucket.list(Some(&folder)).try_collect().await.map_err(self.failed(what()))?;
            for object in objects {
                self.bucket.delete(&object.location).await.map_err(self.failed(what()))?;
            }
            Ok(())
        })
    }
}

fn builder(bucket: &str, reach: &Reach) -> AmazonS3Builder {
    let options = ClientOptions::new().with_timeout(TIMEOUT).with_connect_timeout(CONNECT_TIMEOUT);
    let retry = RetryConfig { max_retries: RETRIES, retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() };
    let mut builder = AmazonS3Builder::new().with_client_options(options).with_retry(retry);
    for (name, value) in &reach.variables {
        if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
            builder = builder.with_config(key, value);
        }
    }
    builder = builder.with_bucket_name(bucket);
    if !reach.endpoint.is_empty() {
        builder = builder.with_endpoint(&reach.endpoint);
    }
    if !reach.region.is_empty() {
        builder = builder.with_region(&reach.region);
    }
    let endpoint = builder.get_config_value(&AmazonS3ConfigKey::Endpoint).unwrap_or_default();
    builder.with_allow_http(endpoint.starts_with("http://"))
}

/// The next part, which is shorter only at the end.
fn fill(bytes: &mut dyn Read) -> std::io::Result<Vec<u8>> {
    let mut part = vec![0; PART];
    let mut filled = 0;
    while filled < PART {
        match bytes.read(&mut part[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    part.truncate(filled);
    Ok(part)
}

/// What went wrong, down to the last cause, on one line.
fn told(error: &Error) -> String {
    let mut text = error.to_string();
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        next = cause.source();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
