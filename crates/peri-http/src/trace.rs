//! The span of a request, and the trace of somebody else that it continues.

use axum::http::{HeaderMap, Method};
use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The span of one request. Names that begin with `otel.` are for the exporter and stay out of the log.
pub(crate) fn request(id: &str, method: &Method, route: &str, headers: &HeaderMap) -> Span {
    let span = tracing::info_span!(
        "request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        request_id = id,
        method = method.as_str(),
        route,
        status = tracing::field::Empty,
    );
    if let Some(parent) = parent(headers) {
        let context = Context::new().with_remote_span_context(parent);
        // Without an exporter there is nothing that could be continued.
        if span.set_parent(context).is_err() {
            tracing::trace!("traces are not exported, so none is continued");
        }
    }
    span
}

/// The caller's span as the header `traceparent` names it: version, trace, span, flags.
fn parent(headers: &HeaderMap) -> Option<SpanContext> {
    let mut parts = headers.get("traceparent")?.to_str().ok()?.trim().split('-');
    let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let sized = version.len() == 2 && trace.len() == 32 && span.len() == 16 && flags.len() == 2;
    // Version ff means nothing, and version 00 has exactly four parts; later ones may have more.
    if !sized || version == "ff" || (version == "00" && parts.next().is_some()) {
        return None;
    }
    let hexadecimal = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    if ![version, trace, span, flags].into_iter().all(hexadecimal) {
        return None;
    }
    let sampled = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?) & TraceFlags::SAMPLED;
    let state = headers.get("tracestate").and_then(|state| state.to_str().ok()?.parse::<TraceState>().ok());
    let trace = TraceId::from_hex(trace).ok()?;
    let span = SpanId::from_hex(span).ok()?;
    let context = SpanContext::new(trace, span, sampled, true, state.unwrap_or_default());
    context.is_valid().then_some(context)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_well_formed_trace_is_continued() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        for (text, continued) in [
            (format!("00-{trace}-00f067aa0ba902b7-01"), true),
            (format!("00-{trace}-00f067aa0ba902b7-00"), true),
            (format!("01-{trace}-00f067aa0ba902b7-01-later"), true),
            (format!("00-{trace}-00f067aa0ba902b7-01-more"), false),
            (format!("ff-{trace}-00f067aa0ba902b7-01"), false),
            (format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)), false),
            (format!("00-{trace}-0000000000000000-01"), false),
            (format!("00-{}-00f067aa0ba902b7-01", trace.to_uppercase()), false),
            (format!("00-{trace}-00f067aa0ba902b7"), false),
            ("nonsense".to_owned(), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("traceparent", text.parse().unwrap());
            assert_eq!(parent(&headers).is_some(), continued, "{text}");
        }
        assert!(parent(&HeaderMap::new()).is_none());
    }
}
