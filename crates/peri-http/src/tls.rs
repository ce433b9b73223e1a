//! Certificates.

use axum_server::tls_rustls::RustlsConfig;

use crate::server::ServeError;
use crate::settings::Tls;

/// Reads a certificate and its key.
pub(crate) async fn load(tls: &Tls) -> Result<RustlsConfig, ServeError> {
    RustlsConfig::from_pem_file(&tls.certificate, &tls.key)
        .await
        .map_err(|source| ServeError::Certificate { path: tls.certificate.clone(), source })
}
