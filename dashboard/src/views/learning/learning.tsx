/** What was learned: patterns, routes, recorded tasks, and what it gained. */
import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { ask, useAsk } from "../../api.ts";
import { Button, Card, Figure, PageHead, Time } from "../../parts/basic.tsx";
import { attempt, tell } from "../../parts/told.tsx";
import { mayWrite } from "../../shell/place.ts";
import type { ViewProps } from "../../shell/views.tsx";
import { namespace } from "../../state.ts";
import { number } from "../../strings/define.ts";
import { learning } from "../../strings/learning.ts";
import type { Distilled, LearningNumbers, Trained } from "../../wire.ts";
import { Answer } from "../../parts/answer.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { Gain } from "./gain.tsx";
import { PatternsPage } from "./patterns.tsx";
import { RouteTask } from "./route_task.tsx";
import { Sets } from "./sets.tsx";
import { TrajectoriesPage, TrajectoryPage } from "./trajectories.tsx";
import "./learning.css";

const PAGES = ["overview", "patterns", "trajectories"];

export default function Learning({ rest }: ViewProps) {
  const words = learning();
  const again = useSignal(0);
  const [named = "", id] = rest;
  const now = PAGES.includes(named) ? named : "overview";
  return (
    <div class="learning">
      <PageHead title={words.title} lead={words.lead}>
        {mayWrite() && <Doing done={() => again.value++} />}
      </PageHead>
      <Tabs label={words.pages} view="learning" now={now} of={PAGES.map((name) => [name, words.tabs[name] ?? name])} />
      {now === "overview" && <Overview again={again.value} done={() => again.value++} />}
      {now === "patterns" && <PatternsPage again={again.value} />}
      {now === "trajectories" && (id ? <TrajectoryPage key={id} id={id} /> : <TrajectoriesPage again={again.value} />)}
    </div>
  );
}

/** Does now what the workers do by themselves. */
function Doing({ done }: { done: () => void }) {
  const words = learning();
  const busy = useSignal<string | undefined>(undefined);
  const act = async (name: string, work: () => Promise<string>) => {
    busy.value = name;
    const text = await attempt(work);
    busy.value = undefined;
    if (text !== undefined) tell(text);
    done();
  };
  return (
    <>
      <Button disabled={busy.value !== undefined} title={words.distilHint} onClick={() => void act("distil", distil)}>
        {busy.value === "distil" ? words.atWork : words.distil}
      </Button>
      <Button disabled={busy.value !== undefined} title={words.trainHint} onClick={() => void act("train", train)}>
        {busy.value === "train" ? words.atWork : words.train}
      </Button>
    </>
  );
}

async function distil(): Promise<string> {
  const { namespaces } = await ask<Distilled>("POST", "/v1/learning/distil", { body: { scope: namespace.value } });
  const sum = (count: (one: Distilled["namespaces"][number]) => number) => namespaces.reduce((all, one) => all + count(one), 0);
  return learning().distilled(
    sum((one) => one.trajectories),
    sum((one) => one.learned.length),
    sum((one) => one.promoted.length),
  );
}

async function train(): Promise<string> {
  const words = learning();
  const { router, adapter } = await ask<Trained>("POST", "/v1/learning/train", { body: { namespace: namespace.value } });
  const told: string[] = [];
  if (router) told.push(words.trainedRouter(router.outcomes, router.set));
  if (adapter) told.push(words.trainedAdapter(adapter.verdict));
  return told.length > 0 ? told.join(" ") : words.nothingToTrain;
}

function Overview({ again, done }: { again: number; done: () => void }) {
  const numbers = useAsk(
    (signal) => ask<LearningNumbers>("GET", "/api/memory/learning/stats", { query: { scope: namespace.value }, signal }),
    [namespace.value, again],
  );
  return (
    <div class="stack">
      <Answer of={numbers}>{(value) => <Figures numbers={value} />}</Answer>
      <RouteTask />
      <Gain again={again} />
      <Sets again={again} done={done} />
    </div>
  );
}

/** What stands below a figure. */
function Under({ children }: { children: ComponentChildren }) {
  return <span class="learning-under">{children}</span>;
}

function Figures({ numbers }: { numbers: LearningNumbers }) {
  const words = learning();
  return (
    <Card>
      <dl class="figures learning-figures">
        <Figure label={words.proven}>
          {number(numbers.long_term)}
          <Under>{words.provenNote}</Under>
        </Figure>
        <Figure label={words.onTrial}>
          {number(numbers.short_term)}
          <Under>{words.onTrialNote}</Under>
        </Figure>
        <Figure label={words.aside}>{number(numbers.retired)}</Figure>
        <Figure label={words.tasks}>
          {number(numbers.trajectories)}
          <Under>{words.undistilled(numbers.undistilled)}</Under>
        </Figure>
        {numbers.active_workers != null && (
          <Figure label={words.lastTraining}>
            <span class="learning-small">{numbers.last_training ? <Time at={numbers.last_training.finished_at} /> : words.neverTrained}</span>
            {numbers.last_training && (
              <Under>
                <span lang="en">{numbers.last_training.summary}</span>
              </Under>
            )}
          </Figure>
        )}
        {numbers.last_adaptation_at && (
          <Figure label={words.lastAdaptation}>
            <span class="learning-small">
              <Time at={numbers.last_adaptation_at} />
            </span>
          </Figure>
        )}
      </dl>
    </Card>
  );
}
