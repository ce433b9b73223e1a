/** What workers found. */
import { useSignal } from "@preact/signals";
import { ask, useAsk } from "../../api.ts";
import { Badge, Card, Empty, Time } from "../../parts/basic.tsx";
import { to } from "../../route.ts";
import { workers } from "../../strings/workers.ts";
import type { AlertRecord, Severity, WorkerAlerts } from "../../wire.ts";
import { Answer } from "../../parts/answer.tsx";
import { ended } from "./running.ts";
import { chosenWorker, WorkerChoice } from "./runs.tsx";

const EVERY_MS = 10_000;
const LISTED = 500;
const WEIGHT: Record<Severity, number> = { critical: 0, warning: 1, info: 2 };
const TONES = { critical: "bad", warning: "warn", info: "plain" } as const;

export function Alerts() {
  const words = workers();
  const resolved = useSignal(false);
  const query = { limit: LISTED, resolved: resolved.value };
  const alerts = useAsk((signal) => ask<WorkerAlerts>("GET", "/v1/workers/alerts", { query, signal }), [resolved.value, ended.value], EVERY_MS);
  const actions = (
    <>
      <label class="workers-toggle">
        <input type="checkbox" checked={resolved.value} onChange={(event) => (resolved.value = event.currentTarget.checked)} />
        {words.withResolved}
      </label>
      <WorkerChoice />
    </>
  );
  return (
    <Card title={words.alertsTitle} note={words.alertsNote} actions={actions}>
      <Answer of={alerts}>{(value) => <List of={value.alerts} />}</Answer>
    </Card>
  );
}

/** What still is so first, what matters most on top. */
function sorted(alerts: AlertRecord[]): AlertRecord[] {
  const chosen = chosenWorker();
  const fits = alerts.filter((one) => chosen === undefined || one.worker === chosen);
  const rank = (one: AlertRecord) => (one.resolved_at ? 10 : 0) + (WEIGHT[one.severity] ?? 2);
  return fits.sort((a, b) => rank(a) - rank(b) || b.last_at.localeCompare(a.last_at));
}

function List({ of }: { of: AlertRecord[] }) {
  const words = workers();
  const shown = sorted(of);
  if (shown.length === 0)
    return (
      <Empty title={words.noAlerts}>
        <p>{words.noAlertsText}</p>
      </Empty>
    );
  return (
    <ul class="workers-alertlist" aria-label={words.alertsTitle}>
      {shown.map((alert) => (
        <Alert key={`${alert.worker} ${alert.namespace ?? ""} ${alert.mark}`} alert={alert} />
      ))}
    </ul>
  );
}

function Alert({ alert }: { alert: AlertRecord }) {
  const words = workers();
  return (
    <li class={`workers-alert ${alert.resolved_at ? "gone" : alert.severity}`} data-part="alert" data-severity={alert.severity}>
      <p class="workers-alert-head">
        <Badge tone={alert.resolved_at ? "plain" : TONES[alert.severity]}>{words.severities[alert.severity] ?? alert.severity}</Badge>
        <strong>{alert.worker}</strong>
        {alert.namespace && <span class="note">{alert.namespace}</span>}
      </p>
      <p class="workers-alert-text" lang="en">
        {alert.message}
      </p>
      {alert.file && (
        <p>
          <code>{alert.file}</code>
        </p>
      )}
      <p class="note">
        {words.firstSeen} <Time at={alert.first_at} /> · {words.lastSeen} <Time at={alert.last_at} /> · {words.seen(alert.seen)}
        {alert.resolved_at && (
          <>
            {" "}
            · {words.resolved} <Time at={alert.resolved_at} />
          </>
        )}
      </p>
      <About ids={alert.ids ?? []} />
    </li>
  );
}

function About({ ids }: { ids: string[] }) {
  const words = workers();
  if (ids.length === 0) return null;
  return (
    <p class="workers-about">
      <span class="note">{words.about}</span>
      {ids.map((id) => (
        <a key={id} class="mono" href={to("memory", [id])} title={id}>
          {words.memory} {id.slice(-6)}
        </a>
      ))}
    </p>
  );
}
