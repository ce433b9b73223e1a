/** The small parts that every view is made of. */
import type { ComponentChildren, JSX } from "preact";
import type { PeriError } from "../api.ts";
import { ago, moment } from "../strings/define.ts";
import { words, zoneName, zoneNumber } from "../strings/words.ts";
import type { Kind, Zone } from "../wire.ts";

interface Held {
  children?: ComponentChildren;
  class?: string;
}

/** A page's heading, what it is for in a line, and what can be done. */
export function PageHead({ title, lead, children }: { title: string; lead?: string | undefined } & Held) {
  return (
    <header class="page-head">
      <div>
        <h1>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </header>
  );
}

/** A framed part of a page. */
export function Card({ title, note, actions, children, class: extra }: { title?: string; note?: string | undefined; actions?: ComponentChildren } & Held) {
  return (
    <section class={`card ${extra ?? ""}`}>
      {(title || actions) && (
        <header class="card-head">
          <div>
            {title && <h2>{title}</h2>}
            {note && <p class="note">{note}</p>}
          </div>
          {actions && <div class="actions">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

type ButtonProps = Omit<JSX.IntrinsicElements["button"], "class"> & { tone?: "plain" | "main" | "danger" | "quiet"; small?: boolean };

export function Button({ tone = "plain", small, children, ...rest }: ButtonProps) {
  return (
    <button type="button" class={`button ${tone} ${small ? "small" : ""}`} {...rest}>
      {children}
    </button>
  );
}

/** A word in a frame, such as a state. */
export function Badge({ tone = "plain", children }: { tone?: "plain" | "good" | "bad" | "warn" | "accent" } & Held) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** What a memory is, with its colour. */
export function KindBadge({ kind }: { kind: Kind }) {
  return (
    <span class={`kind kind-${kind}`}>
      <i aria-hidden="true" />
      {words().kinds[kind] ?? kind}
    </span>
  );
}

/** How near a memory is. */
export function ZoneBadge({ zone }: { zone: Zone | undefined | null }) {
  return (
    <span class={`zone zone-${zoneNumber(zone)}`} title={words().zone}>
      {zoneName(zone)}
    </span>
  );
}

/** A share from 0 to 1 as a bar, told in words too. */
export function Meter({ value, label, text, class: extra }: { value: number; label: string; text?: string } & Held) {
  const share = Math.max(0, Math.min(1, value));
  return (
    <span class={`meter ${extra ?? ""}`} role="img" aria-label={`${label}: ${text ?? Math.round(share * 100) + "%"}`}>
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}

/** A time as "3 minutes ago"; the exact one when pointed at. */
export function Time({ at }: { at: string | undefined | null }) {
  if (!at) return <span class="faint">–</span>;
  return (
    <time dateTime={at} title={moment(at)}>
      {ago(at)}
    </time>
  );
}

/** That something is on its way. */
export function Loading() {
  return (
    <p class="loading" role="status">
      {words().loading}
    </p>
  );
}

/** What went wrong, and what to do. */
export function Failure({ error, retry }: { error: PeriError; retry?: () => void }) {
  return (
    <div class="failure" role="alert">
      <strong>{words().failed}</strong>
      <p>{error.detail}</p>
      {error.hint && <p class="note">{error.hint}</p>}
      {retry && (
        <Button small onClick={retry}>
          {words().reload}
        </Button>
      )}
    </div>
  );
}

/** That there is nothing, and what would bring something. */
export function Empty({ title, children }: { title?: string } & Held) {
  return (
    <div class="empty">
      <p>
        <strong>{title ?? words().nothing}</strong>
      </p>
      {children}
    </div>
  );
}

/** A figure with what it counts. */
export function Figure({ label, children, note }: { label: string; note?: ComponentChildren } & Held) {
  return (
    <div class="figure">
      <dt>{label}</dt>
      <dd>{children}</dd>
      {note && <dd class="note">{note}</dd>}
    </div>
  );
}

/** A choice between a few, as a row of buttons. */
export function Choice<T extends string>({ label, value, of, onChange }: { label: string; value: T; of: Array<[T, string]>; onChange: (value: T) => void }) {
  return (
    <div class="choice" role="group" aria-label={label}>
      {of.map(([one, text]) => (
        <button type="button" aria-pressed={one === value} onClick={() => onChange(one)} key={one}>
          {text}
        </button>
      ))}
    </div>
  );
}
