/** How a memory came to be what it is, the latest first. */
import type { ComponentChildren } from "preact";
import type { Loaded } from "../../api.ts";
import { Button, Card, Failure, Loading } from "../../parts/basic.tsx";
import { mayWrite } from "../../shell/place.ts";
import { ago, moment, percent } from "../../strings/define.ts";
import { memory as strings } from "../../strings/memory.ts";
import type { History, Memory, Merge } from "../../wire.ts";
import { diff } from "./diff.ts";
import { MemoryLink, MemoryLinks } from "./links.tsx";
import { story, type Step } from "./story.ts";
import { Text } from "./text.tsx";
import { split } from "./verbs.ts";

interface HistoryProps {
  memory: Memory;
  history: Loaded<History>;
  reload: () => void;
}

export function HistoryCard({ memory, history, reload }: HistoryProps) {
  return (
    <Card title={strings().history} note={strings().historyNote} class="memory-history">
      {history.error && <Failure error={history.error} retry={history.reload} />}
      {!history.value && history.loading && <Loading />}
      {history.value && (
        <ol class="memory-steps">
          {story(history.value).map((step) => (
            <li key={step.what + step.at + keyOf(step)} class={`memory-step ${step.what}`} data-part="step">
              <StepShown step={step} own={memory.id} reload={reload} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function keyOf(step: Step): string {
  if (step.what === "revised") return String(step.version);
  if (step.what === "merge") return step.merge.absorbed;
  return step.what === "stored" ? "" : step.memory.id;
}

function StepShown({ step, own, reload }: { step: Step; own: string; reload: () => void }) {
  switch (step.what) {
    case "stored":
      return (
        <Told title={strings().firstStored} at={step.at}>
          <p class="memory-was">
            <Text text={step.content} />
          </p>
        </Told>
      );
    case "revised":
      return (
        <Told title={`${strings().revisedAt} · ${strings().versionNow(step.version)}`} at={step.at}>
          <Difference before={step.before} after={step.after} />
        </Told>
      );
    case "merge":
      return <Merged merge={step.merge} own={own} at={step.at} reload={reload} />;
    default:
      return (
        <Told title={titleOf(step.what, step.memory, own)} at={step.at}>
          <MemoryLink id={step.memory.id} memory={step.memory} isKnown />
        </Told>
      );
  }
}

/** A promotion puts aside what it is made from, as a newer statement does with an older one. */
function titleOf(what: "replaces" | "replaced-by", other: Memory, own: string): string {
  if (what === "replaced-by") return strings().replacedThis;
  return other.promoted_to === own ? strings().madeFrom : strings().replacedOne;
}

function Told({ title, at, children }: { title: string; at: string; children: ComponentChildren }) {
  return (
    <>
      <header>
        <h3>{title}</h3>
        <time dateTime={at} title={moment(at)} class="faint">
          {ago(at)}
        </time>
      </header>
      {children}
    </>
  );
}

function Difference({ before, after }: { before: string; after: string }) {
  if (before === after) return <p class="note">{strings().sameText}</p>;
  if (before.replace(/\s+/g, "") === after.replace(/\s+/g, "")) return <p class="note">{strings().onlyWhitespace}</p>;
  return (
    <p class="memory-diff" data-part="diff">
      {diff(before, after).map((change, at) => {
        const text = <Text text={change.text} />;
        if (change.as === "added") return <ins key={at}>{text}</ins>;
        if (change.as === "removed") return <del key={at}>{text}</del>;
        return <span key={at}>{text}</span>;
      })}
    </p>
  );
}

function Merged({ merge, own, at, reload }: { merge: Merge; own: string; at: string; reload: () => void }) {
  const isAbsorbed = merge.absorbed === own;
  const other = isAbsorbed ? merge.survivor : merge.absorbed;
  const gained = gains(merge);
  return (
    <Told title={isAbsorbed ? strings().mergedInto : strings().absorbedOne} at={at}>
      <MemoryLinks ids={[other]} />
      {gained !== "" && <p class="note">{strings().gained(gained)}</p>}
      {mayWrite() && !isAbsorbed && (
        <p>
          <Button small onClick={() => void split(merge.absorbed).then((done) => done && reload())}>
            {strings().split}
          </Button>
        </p>
      )}
    </Told>
  );
}

function gains({ gained }: Merge): string {
  const { tags = [], aliases = [], pinned, importance_before } = gained;
  const all: string[] = [];
  if (tags.length > 0) all.push(strings().gainedTags(tags.join(", ")));
  if (aliases.length > 0) all.push(strings().gainedAliases(aliases.join(", ")));
  if (pinned) all.push(strings().gainedPin);
  if (importance_before != null) all.push(strings().gainedImportance(percent(importance_before)));
  return all.join(", ");
}
