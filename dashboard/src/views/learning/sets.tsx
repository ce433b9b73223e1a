/** What recall and routing go by, and the way back. */
import { ask, useAsk } from "../../api.ts";
import { Badge, Button, Card, Time } from "../../parts/basic.tsx";
import { confirmed } from "../../parts/dialog.tsx";
import { attempt, tell } from "../../parts/told.tsx";
import { mayRule } from "../../shell/place.ts";
import { namespace } from "../../state.ts";
import { learning } from "../../strings/learning.ts";
import type { LearnedInfo, LearnedName, LearnedSets } from "../../wire.ts";
import { Answer } from "../../parts/answer.tsx";

const NAMES: LearnedName[] = ["router", "adapter"];

export function Sets({ again, done }: { again: number; done: () => void }) {
  const words = learning();
  return (
    <Card title={words.setsTitle} note={words.setsNote}>
      <div class="learning-pair">
        {NAMES.map((name) => (
          <Kind key={name} name={name} again={again} done={done} />
        ))}
      </div>
    </Card>
  );
}

interface KindProps {
  name: LearnedName;
  again: number;
  done: () => void;
}

function Kind({ name, again, done }: KindProps) {
  const words = learning();
  const query = { name, namespace: namespace.value };
  const sets = useAsk((signal) => ask<LearnedSets>("GET", "/v1/learning/sets", { query, signal }), [namespace.value, again]);
  return (
    <section aria-label={words.names[name]}>
      <h3>{words.names[name]}</h3>
      <p class="note learning-gap">{words.namesText[name]}</p>
      <Answer of={sets}>
        {(value) =>
          value.sets.length === 0 ? (
            <p class="note">{words.noSets}</p>
          ) : (
            <ol class="learning-sets">
              {value.sets.map((one) => (
                <One key={one.set} one={one} name={name} done={done} />
              ))}
              {value.sets.some((one) => one.active) && mayRule() && (
                <li>
                  <span class="note">{words.nothingLearned}</span>
                  <BackButton set={0} title={words.nothingLearned} name={name} done={done} />
                </li>
              )}
            </ol>
          )
        }
      </Answer>
    </section>
  );
}

function One({ one, name, done }: { one: LearnedInfo; name: LearnedName; done: () => void }) {
  const words = learning();
  return (
    <li data-part="set" data-set={one.set}>
      <div>
        <p>
          <strong>{words.set(one.set)}</strong> {one.active && <Badge tone="good">{words.holds}</Badge>}{" "}
          <span class="note">
            <Time at={one.at} />
          </span>
        </p>
        <p class="note" lang="en">
          {one.reason}
        </p>
      </div>
      {!one.active && mayRule() && <BackButton set={one.set} title={words.set(one.set)} name={name} done={done} />}
    </li>
  );
}

interface BackProps {
  set: number;
  title: string;
  name: LearnedName;
  done: () => void;
}

function BackButton({ set, title, name, done }: BackProps) {
  const words = learning();
  const whole = `${words.names[name]} · ${title}`;
  const back = async () => {
    if (!(await confirmed(words.goBackTitle(whole), words.goBackText, words.goBack))) return;
    const body = { name, set, namespace: namespace.value };
    const held = await attempt(() => ask<LearnedInfo>("POST", "/v1/learning/rollback", { body }));
    if (held !== undefined) tell(words.wentBack(whole));
    done();
  };
  const text = set === 0 ? words.forget : words.goBack;
  return (
    <Button small aria-label={`${text}: ${whole}`} onClick={() => void back()}>
      {text}
    </Button>
  );
}
