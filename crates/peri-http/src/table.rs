//! The shape of the tables of routes: one line says how a route is reached, who may use it, what it takes and
//! gives. Router, access checks, document and tests read the same lines.

use axum::handler::Handler;
use axum::http::{Method, StatusCode};
use axum::routing::{MethodFilter, MethodRouter, on};
use perihelion::Role;
use schemars::JsonSchema;
#[cfg(test)]
use schemars::{Schema, SchemaGenerator};

use crate::app::App;

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Anybody, without a key; it tells nothing of what is stored.
    Nothing,
    /// A key of at least this role.
    Role(Role),
    /// A key of at least this role for every namespace there is.
    Everywhere(Role),
}

/// Whether a repeated request with the same idempotency key is answered from what was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// It is worked on again.
    Anew,
    /// The first answer is given again.
    Kept,
}

/// How a type looks in JSON. A test makes the document of it and compares that with the one that is served, so that
/// what makes schemas is no part of the program.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    #[cfg(test)]
    pub(crate) of: fn(&mut SchemaGenerator) -> Schema,
}

impl Shape {
    /// By its name where it has one.
    #[cfg_attr(
        not(test),
        expect(clippy::extra_unused_type_parameters, reason = "the test of the document uses it")
    )]
    fn named<T: JsonSchema>() -> Self {
        Self {
            #[cfg(test)]
            of: |generator| generator.subschema_for::<T>(),
        }
    }

    /// Spelt out.
    #[cfg_attr(
        not(test),
        expect(clippy::extra_unused_type_parameters, reason = "the test of the document uses it")
    )]
    fn whole<T: JsonSchema>() -> Self {
        Self {
            #[cfg(test)]
            of: |generator| T::json_schema(generator),
        }
    }
}

/// What an answer holds.
#[derive(Clone, Copy)]
pub(crate) enum Content {
    /// JSON of this shape.
    Json(Shape),
    /// Text of a type of its own.
    Text(#[cfg_attr(not(test), expect(dead_code, reason = "for the document"))] &'static str),
    /// Nothing.
    Empty,
}

/// One route and method.
pub(crate) struct Operation {
    #[cfg_attr(not(test), expect(dead_code, reason = "the route knows it; for the document"))]
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    /// Its name in the document and for clients.
    pub(crate) id: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) need: Need,
    pub(crate) repeats: Repeats,
    pub(crate) query: Option<Shape>,
    pub(crate) body: Option<Shape>,
    /// A body that is no JSON.
    pub(crate) raw_body: Option<&'static str>,
    pub(crate) answers: Vec<(StatusCode, Content)>,
    pub(crate) headers: Vec<(&'static str, &'static str)>,
    pub(crate) route: MethodRouter<App>,
}

impl Operation {
    pub(crate) fn new<H, T>(
        need: Need,
        method: Method,
        path: &'static str,
        id: &'static str,
        handler: H,
    ) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::GET);
        Self {
            method,
            path,
            id,
            summary: "",
            need,
            repeats: Repeats::Anew,
            query: None,
            body: None,
            raw_body: None,
            answers: Vec::new(),
            headers: Vec::new(),
            route: on(filter, handler),
        }
    }

    /// Whether its path names something that lies in a namespace by its id: the query may then say in which.
    pub(crate) fn is_by_id(&self) -> bool {
        let ids = ["{id}", "{entry}", "{turn}", "{pattern}", "{trajectory}"];
        matches!(self.need, Need::Role(_)) && self.path.split('/').any(|part| ids.contains(&part))
    }

    /// What it does, in a line.
    pub(crate) fn says(mut self, summary: &'static str) -> Self {
        self.summary = summary;
        self
    }

    /// Takes parameters after the question mark.
    pub(crate) fn asks<T: JsonSchema>(mut self) -> Self {
        // The document spells them out, so the parameters themselves are wanted and not a reference.
        self.query = Some(Shape::whole::<T>());
        self
    }

    /// Takes a body in JSON.
    pub(crate) fn takes<T: JsonSchema>(mut self) -> Self {
        self.body = Some(Shape::named::<T>());
        self
    }

    /// Takes a body of another type.
    pub(crate) fn takes_raw(mut self, media_type: &'static str) -> Self {
        self.raw_body = Some(media_type);
        self
    }

    /// Answers with 200 and JSON.
    pub(crate) fn gives<T: JsonSchema>(self) -> Self {
        self.answers_with::<T>(StatusCode::OK)
    }

    /// Answers with a status and JSON.
    pub(crate) fn answers_with<T: JsonSchema>(mut self, status: StatusCode) -> Self {
        self.answers.push((status, Content::Json(Shape::named::<T>())));
        self
    }

    /// Answers with 200 and text of a type.
    pub(crate) fn gives_text(mut self, media_type: &'static str) -> Self {
        self.answers.push((StatusCode::OK, Content::Text(media_type)));
        self
    }

    /// Answers with a status alone.
    pub(crate) fn gives_nothing(mut self, status: StatusCode) -> Self {
        self.answers.push((status, Content::Empty));
        self
    }

    /// Reads a header of this name.
    pub(crate) fn heeds(mut self, header: &'static str, description: &'static str) -> Self {
        self.headers.push((header, description));
        self
    }

    /// A repeated request with the same `Idempotency-Key` gets the first answer again.
    pub(crate) fn once(mut self) -> Self {
        self.repeats = Repeats::Kept;
        self
    }
}
