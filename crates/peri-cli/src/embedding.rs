//! The embedding engines of the settings that ask a server, made when they are first needed.
//!
//! Commands that embed nothing must neither need a key nor wait for anything.

use std::path::Path;
use std::sync::Arc;

use peri_embed_remote::{
    Address, HybridEngine, OpenAiEngine, RemoteError, RemoteSettings, Secret, Understands,
};
use perihelion::embed::{EmbedError, Engine, StaticEngine, TransformerEngine};
use perihelion::{EngineChoice, PreparedEngine, SpaceId};

use crate::config::{Fallback, Languages, RemoteModel};

/// The choice of an engine that asks a server.
pub(crate) fn prepared(model: RemoteModel) -> EngineChoice {
    let space = match model.fallback {
        // Its space is that of the folder, which is known when the folder is read.
        Fallback::Folder(_) => None,
        Fallback::Nothing | Fallback::Server(..) => Some(model.settings.space_name().to_owned()),
    };
    let prepared = PreparedEngine::new(model.name(), move |known| start(&model, known));
    EngineChoice::Prepared(match space {
        Some(space) => prepared.of_model(space),
        None => prepared,
    })
}

/// Starts the engine: this is where the key is read.
fn start(model: &RemoteModel, known: Option<&SpaceId>) -> Result<Arc<dyn Engine>, EmbedError> {
    match &model.fallback {
        Fallback::Nothing => Ok(server(model, model.settings.clone(), known)?),
        Fallback::Folder(folder) => beside_folder(model, folder),
        Fallback::Server(address, key) => beside_server(model, address, key.as_deref(), known),
    }
}

fn server(
    model: &RemoteModel,
    settings: RemoteSettings,
    known: Option<&SpaceId>,
) -> Result<Arc<dyn Engine>, EmbedError> {
    let engine = OpenAiEngine::start(with_key(settings, model.key_variable.as_deref())?, known)?;
    Ok(Arc::new(match understood(model.languages)? {
        Some(understands) => engine.understanding(understands),
        None => engine,
    }))
}

/// The server, and the same model in a folder. Only texts that the one in the folder understands are sent, so that it
/// makes no difference who answers.
fn beside_folder(model: &RemoteModel, folder: &Path) -> Result<Arc<dyn Engine>, EmbedError> {
    let local = Arc::new(TransformerEngine::load(folder)?);
    let own = local.space();
    let settings = RemoteSettings {
        space: Some(model.settings.space.clone().unwrap_or_else(|| own.model.clone())),
        dimensions: Some(model.settings.dimensions.unwrap_or(own.dimensions)),
        ..with_key(model.settings.clone(), model.key_variable.as_deref())?
    };
    let reader = Arc::clone(&local);
    let first =
        OpenAiEngine::start(settings, None)?.understanding(Arc::new(move |text| reader.understands(text)));
    Ok(Arc::new(HybridEngine::new(Arc::new(first), local)?))
}

/// Two servers of one model. How long its vectors are is asked of whichever answers.
fn beside_server(
    model: &RemoteModel,
    address: &Address,
    key: Option<&str>,
    known: Option<&SpaceId>,
) -> Result<Arc<dyn Engine>, EmbedError> {
    let settings = RemoteSettings { address: address.clone(), ..model.settings.clone() };
    let other = RemoteModel { key_variable: key.map(str::to_owned), ..model.clone() };
    let (first, second) = match server(model, model.settings.clone(), known) {
        Ok(first) => {
            let space = first.space().clone();
            (first, server(&other, settings, Some(&space))?)
        }
        Err(_) => {
            let second = server(&other, settings, known)?;
            let space = second.space().clone();
            (server(model, model.settings.clone(), Some(&space))?, second)
        }
    };
    Ok(Arc::new(HybridEngine::new(first, second)?))
}

fn with_key(settings: RemoteSettings, variable: Option<&str>) -> Result<RemoteSettings, EmbedError> {
    let key = variable.map(Secret::from_variable).transpose();
    let key = key.map_err(|error| RemoteError::Settings { what: error.to_string() })?;
    Ok(RemoteSettings { key, ..settings })
}

fn understood(languages: Languages) -> Result<Option<Understands>, EmbedError> {
    match languages {
        Languages::Any => Ok(None),
        Languages::English => {
            let english = StaticEngine::bundled()?;
            Ok(Some(Arc::new(move |text| english.understands(text))))
        }
    }
}
