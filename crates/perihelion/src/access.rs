//! Who asks, and what they may see and do. Faces find out who asks; these rules say what that allows.

use peri_types::{KeyId, Namespace, Role, Scope};

use crate::ApiKey;

/// Somebody who asks something of the engine through a face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The key that was shown, if there was one.
    pub key: Option<KeyId>,
    /// What they may do.
    pub role: Role,
    /// Where they may do it.
    pub scope: Scope,
}

/// Why a caller is not served. It says nothing of what exists.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The key's role does not allow it. Use another key.
    #[error("this needs a key of the role {needed}, and this one is a {held}")]
    Role {
        /// The least role.
        needed: Role,
        /// The caller's role.
        held: Role,
    },
    /// The namespace is not the key's. Use another key or another namespace.
    #[error("the key is for {allowed}, which does not hold {asked}")]
    Scope {
        /// What was asked for.
        asked: Scope,
        /// What the key is for.
        allowed: Scope,
    },
}

impl Caller {
    /// Whoever sits at the machine itself: everything is allowed.
    pub fn local() -> Self {
        Self { key: None, role: Role::Admin, scope: Scope::All }
    }

    /// Whoever showed this key.
    pub fn of(key: &ApiKey) -> Self {
        Self { key: Some(key.id), role: key.role, scope: key.scope.clone() }
    }

    /// Whether the role allows it.
    pub fn may(&self, needed: Role) -> Result<(), Refused> {
        if self.role >= needed { Ok(()) } else { Err(Refused::Role { needed, held: self.role }) }
    }

    /// The scope, if all of it is the caller's.
    pub fn within(&self, asked: Scope) -> Result<Scope, Refused> {
        if self.scope.covers(&asked) {
            Ok(asked)
        } else {
            Err(Refused::Scope { asked, allowed: self.scope.clone() })
        }
    }

    /// Whether a namespace is the caller's.
    pub fn sees(&self, namespace: &Namespace) -> bool {
        self.scope.contains(namespace)
    }

    /// The one namespace of a caller who has exactly one.
    pub fn only_namespace(&self) -> Option<&Namespace> {
        match &self.scope {
            Scope::Exact(namespace) => Some(namespace),
            Scope::Under(_) | Scope::All => None,
        }
    }
}
