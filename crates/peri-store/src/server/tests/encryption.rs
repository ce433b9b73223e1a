//! Encrypted connections to PostgreSQL, over a proxy that encrypts: the server that tests start cannot.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use peri_servers::Certificate;
use rusqlite::types::Value;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::*;

/// Listens, and hands on what comes in encrypted to the server that listens at `server`, until the process ends.
fn encrypt_for(server: String, certificate: &Certificate) -> SocketAddr {
    let chain = vec![CertificateDer::from_pem_file(certificate.path()).unwrap()];
    let key = PrivateKeyDer::from_pem_file(certificate.key()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let settings = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(settings));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        runtime.block_on(async {
            while let Ok((client, _)) = listener.accept().await {
                // A client that leaves is no failure of the proxy.
                drop(relay(client, &server, &acceptor).await);
            }
        });
    });
    address
}

async fn relay(mut client: TcpStream, server: &str, acceptor: &TlsAcceptor) -> std::io::Result<()> {
    let mut request = [0; 8];
    client.read_exact(&mut request).await?;
    assert_eq!(request, [0, 0, 0, 8, 4, 210, 22, 47], "not a wish for encryption");
    client.write_all(b"S").await?;
    let mut client = acceptor.accept(client).await?;
    let mut server = TcpStream::connect(server).await?;
    tokio::io::copy_bidirectional(&mut client, &mut server).await?;
    Ok(())
}

#[test]
fn postgres_is_spoken_to_in_secret_and_checked() {
    if peri_servers::may_be_left_out() {
        return;
    }
    let url = Postgres::shared().url();
    let (login, place) = url.rsplit_once('@').unwrap();
    let (server, database) = place.split_once('/').unwrap();
    let (shown, other) = (Certificate::make().unwrap(), Certificate::make().unwrap());
    let proxy = encrypt_for(server.to_owned(), &shown);
    let address =
        |host: &str, options: String| format!("{login}@{host}:{}/{database}?{options}", proxy.port());
    let trusting = |path: &Path| format!("sslmode=verify-full&sslrootcert={}", path.display());
    for options in ["sslmode=prefer".to_owned(), "sslmode=require".to_owned(), trusting(&shown.path())] {
        let mut driver = connect(&address("127.0.0.1", options));
        let long = "달 月 🌕".repeat(40_000);
        let found = driver.query("SELECT ?1", &[Value::Text(long.clone())]).unwrap();
        assert_eq!(found, [[Value::Text(long)]]);
    }
    let missing = Path::new("/nowhere/certificate.pem");
    for (host, options) in [
        ("127.0.0.1", trusting(&other.path())),
        ("127.0.0.1", trusting(&shown.key())),
        ("127.0.0.1", trusting(missing)),
        ("127.0.0.1", "sslmode=verify-full".to_owned()),
        ("localhost", trusting(&shown.path())),
    ] {
        let failure = refusal(&address(host, options));
        assert!(matches!(&failure, Failure::Refused { code, .. } if code == "tls"), "{failure:?}");
    }
}
