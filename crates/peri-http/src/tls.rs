//! Certificates.

use std::io::{Error, ErrorKind, Read as _};
use std::path::Path;
use std::sync::Arc;

use axum_server::tls_rustls::RustlsConfig;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem};

use crate::server::ServeError;
use crate::settings::Tls;

/// Reads a certificate and its key, and looks whether they belong together.
pub(crate) fn load(tls: &Tls) -> Result<RustlsConfig, ServeError> {
    let fails = |path: &Path, source| ServeError::Certificate { path: path.to_owned(), source };
    let chain = certificates(&tls.certificate).map_err(|error| fails(&tls.certificate, error))?;
    let key = key(&tls.key).map_err(|error| fails(&tls.key, error))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
        .map_err(|error| fails(&tls.certificate, Error::new(ErrorKind::InvalidData, error)))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(RustlsConfig::from_config(Arc::new(config)))
}

/// Whoever starts the server names these files, and may name a pipe.
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    peri_private::open_named(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let bytes = read(path)?;
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&bytes).collect::<Result<_, _>>().map_err(bad_pem)?;
    if chain.is_empty() {
        return Err(Error::new(ErrorKind::InvalidData, "the file holds no certificate in PEM"));
    }
    Ok(chain)
}

fn key(path: &Path) -> Result<PrivateKeyDer<'static>, Error> {
    let bytes = read(path)?;
    PrivateKeyDer::from_pem_slice(&bytes).map_err(|error| match error {
        pem::Error::NoItemsFound => {
            Error::new(ErrorKind::InvalidData, "the file holds no private key in PEM")
        }
        error => bad_pem(error),
    })
}

fn bad_pem(error: pem::Error) -> Error {
    Error::new(ErrorKind::InvalidData, error)
}
