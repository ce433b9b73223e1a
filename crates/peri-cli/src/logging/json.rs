//! The log as JSON: one object a line, for programs that gather logs.

use std::fmt;
use std::io::Write;

use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::FOR_EXPORT;

/// Writes a line for each event: its time, level, target and message, the request it belongs to, the names of the
/// spans around it, and the fields of all of them.
pub(super) struct Lines;

/// The fields of one span, or of one event.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl<S> Layer<S> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        span.extensions_mut().insert(fields);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(fields) = span.extensions_mut().get_mut::<Fields>() {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let line = line(event, &context);
        // A log that cannot be written must not stop the program, and there is nowhere else to tell.
        std::io::stderr().lock().write_all(line.as_bytes()).unwrap_or_default();
    }
}

fn line<S>(event: &Event<'_>, context: &Context<'_, S>) -> String
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let (mut all, mut spans) = (Map::new(), Vec::new());
    for span in context.event_scope(event).into_iter().flat_map(|scope| scope.from_root()) {
        spans.push(Value::from(span.name()));
        if let Some(Fields(fields)) = span.extensions().get::<Fields>() {
            all.extend(fields.clone());
        }
    }
    let mut own = Fields::default();
    event.record(&mut own);
    let message = own.0.remove("message").unwrap_or_default();
    all.extend(own.0);
    let metadata = event.metadata();
    let mut line = Map::from_iter([
        ("time".to_owned(), Value::from(jiff::Timestamp::now().to_string())),
        ("level".to_owned(), Value::from(metadata.level().as_str().to_lowercase())),
        ("target".to_owned(), Value::from(metadata.target())),
        ("message".to_owned(), message),
    ]);
    line.extend(all.remove("request_id").map(|id| ("request_id".to_owned(), id)));
    line.insert("spans".to_owned(), Value::Array(spans));
    line.insert("fields".to_owned(), Value::Object(all));
    format!("{}\n", Value::Object(line))
}

impl Fields {
    fn put(&mut self, field: &Field, value: Value) {
        if !field.name().starts_with(FOR_EXPORT) {
            self.0.insert(field.name().to_owned(), value);
        }
    }
}

impl Visit for Fields {
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, json!(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, json!(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, json!(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, json!(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, json!(value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, json!(format!("{value:?}")));
    }
}
