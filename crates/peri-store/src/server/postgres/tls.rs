//! Encrypted connections to PostgreSQL.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;

use crate::server::address::{Address, Encryption};
use crate::server::driver::Failure;

/// Encrypts connections as an address says.
#[derive(Clone)]
pub(super) struct Connector {
    settings: Arc<ClientConfig>,
}

impl Connector {
    /// Reads the certificates that are trusted, if any are needed.
    pub(super) fn new(address: &Address) -> Result<Self, Failure> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| refused(&error.to_string()))?;
        let settings = if address.encryption == Encryption::Verify {
            builder.with_root_certificates(trusted(address)?).with_no_client_auth()
        } else {
            let anybody = Arc::new(Anybody { provider });
            builder.dangerous().with_custom_certificate_verifier(anybody).with_no_client_auth()
        };
        Ok(Self { settings: Arc::new(settings) })
    }
}

fn refused(detail: &str) -> Failure {
    Failure::Refused { code: "tls".to_owned(), detail: detail.to_owned() }
}

/// The certificates in the address's file, or those that the system trusts.
fn trusted(address: &Address) -> Result<RootCertStore, Failure> {
    let mut roots = RootCertStore::empty();
    let Some(path) = &address.root_certificate else {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        return if roots.is_empty() { Err(refused("the system trusts no certificates")) } else { Ok(roots) };
    };
    let unreadable = |error: &dyn std::fmt::Display| {
        refused(&format!("the certificates in {} cannot be read: {error}", path.display()))
    };
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| unreadable(&error))? {
        let certificate = certificate.map_err(|error| unreadable(&error))?;
        roots.add(certificate).map_err(|error| unreadable(&error))?;
    }
    if roots.is_empty() { Err(unreadable(&"there are none in it")) } else { Ok(roots) }
}

/// Takes any certificate: the connection is encrypted, but who is at the other end is not checked.
#[derive(Debug)]
struct Anybody {
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

impl MakeTlsConnect<Socket> for Connector {
    type Stream = Encrypted;
    type TlsConnect = ConnectorTo;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> Result<ConnectorTo, io::Error> {
        let host = ServerName::try_from(host.to_owned());
        Ok(ConnectorTo { settings: Arc::clone(&self.settings), host: host.ok() })
    }
}

/// Encrypts a connection to one host. A socket of this machine has no name and is never encrypted.
pub(super) struct ConnectorTo {
    settings: Arc<ClientConfig>,
    host: Option<ServerName<'static>>,
}

impl TlsConnect<Socket> for ConnectorTo {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let nameless = || io::Error::new(io::ErrorKind::InvalidData, "the host has no name to check");
            let host = self.host.ok_or_else(nameless)?;
            let stream = TlsConnector::from(self.settings).connect(host, socket).await?;
            Ok(Encrypted(Box::new(stream)))
        })
    }
}

/// An encrypted connection.
pub(super) struct Encrypted(Box<tokio_rustls::client::TlsStream<Socket>>);

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
