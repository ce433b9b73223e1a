/** The twelve, side by side. */
import { Badge, Button, Meter, Time } from "../../parts/basic.tsx";
import { confirmed } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { to } from "../../route.ts";
import { mayRule } from "../../shell/place.ts";
import { between, duration } from "../../strings/durations.ts";
import { workers } from "../../strings/workers.ts";
import type { WorkerPriority, WorkerRun, WorkersStatus, WorkerStatus } from "../../wire.ts";
import { cancel, run, waited } from "./running.ts";

const ORDER: WorkerPriority[] = ["critical", "high", "normal", "low"];

export function RunAll() {
  const words = workers();
  if (!mayRule()) return null;
  const ask = async () => {
    if (await confirmed(words.runAllTitle, words.runAllText, words.runAll, false)) await run();
  };
  const busy = waited.value.has("all");
  return (
    <Button disabled={busy} onClick={() => void ask()}>
      <Icon name="play" />
      {busy ? words.asked : words.runAll}
    </Button>
  );
}

export function Overview({ status }: { status: WorkersStatus }) {
  const sorted = [...status.workers].sort((a, b) => ORDER.indexOf(a.priority) - ORDER.indexOf(b.priority));
  return (
    <>
      <State status={status} />
      <ul class="workers-grid">
        {sorted.map((worker) => (
          <Worker key={worker.worker} worker={worker} />
        ))}
      </ul>
    </>
  );
}

function State({ status }: { status: WorkersStatus }) {
  const words = workers();
  const state = !status.scheduled ? "rest" : status.paused ? "wait" : "live";
  return (
    <div class={`workers-state ${state}`} data-part="workers-state">
      <i aria-hidden="true" />
      <p>
        {status.scheduled ? words.scheduled : words.notScheduled}
        {status.paused && (
          <>
            {" "}
            <strong>{words.paused}</strong>: <span lang="en">{status.paused}</span>
          </>
        )}
      </p>
      <p class="note">
        {status.workspace ? (
          <>
            {words.workspace}: <code>{status.workspace}</code>
          </>
        ) : (
          words.noWorkspace
        )}
      </p>
    </div>
  );
}

function Worker({ worker }: { worker: WorkerStatus }) {
  const words = workers();
  const heading = `worker-${worker.worker}`;
  return (
    <li>
      <section class={`card workers-card ${worker.running === "no" ? "" : "at-work"}`} aria-labelledby={heading} data-part="worker" data-worker={worker.worker}>
        <header>
          <h2 id={heading}>{worker.worker}</h2>
          {worker.priority !== "normal" && (
            <span title={words.priority}>
              <Badge tone={worker.priority === "critical" ? "accent" : "plain"}>{words.priorities[worker.priority]}</Badge>
            </span>
          )}
          {worker.open_alerts > 0 && (
            <a class="workers-alerts" href={to("workers", ["alerts"], { worker: worker.worker })}>
              {words.alertsOpen(worker.open_alerts)}
            </a>
          )}
        </header>
        <p class="soft workers-purpose">{words.purposes[worker.worker] ?? worker.purpose}</p>
        {worker.last ? <Last run={worker.last} /> : <p class="note workers-last">{words.neverRan}</p>}
        {worker.runs > 0 && <Share worker={worker} />}
        <footer>
          <When worker={worker} />
          {mayRule() && <Doing worker={worker} />}
        </footer>
      </section>
    </li>
  );
}

export function StatusBadge({ status }: { status: string }) {
  const tone = status === "done" ? "good" : status === "failed" || status === "timed_out" ? "bad" : "plain";
  return <Badge tone={tone}>{workers().statuses[status] ?? status}</Badge>;
}

function Last({ run: last }: { run: WorkerRun }) {
  return (
    <div class="workers-last">
      <p class="note">
        <StatusBadge status={last.status} /> <Time at={last.finished_at} /> · {between(last.started_at, last.finished_at)}
      </p>
      <p class="workers-summary" lang="en" title={last.summary}>
        {last.summary}
      </p>
    </div>
  );
}

function Share({ worker }: { worker: WorkerStatus }) {
  const words = workers();
  const text = words.success(worker.successes, worker.runs);
  return (
    <div class="workers-share" title={text}>
      <Meter value={worker.successes / worker.runs} label={words.successLabel} text={text} />
      <span aria-hidden="true">
        {worker.successes}/{worker.runs}
      </span>
    </div>
  );
}

function When({ worker }: { worker: WorkerStatus }) {
  const words = workers();
  const every = words.every(duration(worker.interval_seconds * 1000));
  if (worker.running !== "no")
    return (
      <span class="workers-when busy" role="status">
        <i aria-hidden="true" />
        {worker.running === "here" ? words.here : words.elsewhere}
      </span>
    );
  if (waited.value.has(worker.worker)) return <span class="workers-when busy">{words.asked}</span>;
  if (!worker.enabled) return <span class="workers-when">{words.off}</span>;
  return (
    <span class="workers-when">
      {worker.next_run_at ? (
        <>
          {words.due} <Time at={worker.next_run_at} /> · {every}
        </>
      ) : (
        every
      )}
    </span>
  );
}

function Doing({ worker }: { worker: WorkerStatus }) {
  const words = workers();
  const busy = worker.running !== "no" || waited.value.has(worker.worker);
  return busy ? (
    <Button small aria-label={`${words.cancel}: ${worker.worker}`} onClick={() => void cancel(worker.worker)}>
      {words.cancel}
    </Button>
  ) : (
    <Button small aria-label={`${words.runNow}: ${worker.worker}`} onClick={() => void run(worker.worker)}>
      {words.runNow}
    </Button>
  );
}
