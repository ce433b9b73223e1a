/** The frame around every view. */
import { useEffect } from "preact/hooks";
import { ask, useAsk } from "../api.ts";
import { Button, Failure, Loading } from "../parts/basic.tsx";
import { confirmed, Dialog, Questions } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { attempt, ToldList } from "../parts/told.tsx";
import { go, route, to } from "../route.ts";
import { key, language, namespace, showKey, theme } from "../state.ts";
import { shell } from "../strings/shell.ts";
import { words } from "../strings/words.ts";
import { Start } from "../views/start/start.tsx";
import { KeyGate } from "./key_gate.tsx";
import { changeTheme, finder, helpIsOpen } from "./keyboard.ts";
import { looked, lookAround, mayWrite, me, namespaces, SAMPLE, seesAll, trouble } from "./place.ts";
import { CurrentView, VIEWS } from "./views.tsx";
import type { Health, SampleStatus } from "../wire.ts";

const LOOK_EVERY_MS = 15_000;

export function Shell() {
  useEffect(() => {
    void lookAround();
    const timer = setInterval(() => void (document.hidden || lookAround()), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [key.value]);
  if (trouble.value?.status === 401) return <KeyGate wrong={key.value !== undefined} />;
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>
        {shell().skip}
      </a>
      <Navigation />
      <Head />
      <main id="main" tabIndex={-1}>
        <Notices />
        {!looked.value ? <Loading /> : isNew() ? <Start /> : <CurrentView />}
      </main>
      {helpIsOpen.value && <Help />}
      <Questions />
      <ToldList />
    </div>
  );
}

/** The address after `#` names the view, so the jump is made by hand. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** Nothing was ever stored here, as far as the key sees. Operations are there from the first moment. */
function isNew(): boolean {
  const holds = namespaces.value.some((one) => one.memories > 0 || one.trashed > 0);
  return me.value !== undefined && !holds && !["operations", "workers"].includes(route.value.view);
}

function Navigation() {
  const now = route.value.view === "memory" ? "memories" : route.value.view;
  return (
    <nav class="views" aria-label={shell().navigation}>
      <a class="brand" href={to("orbit")}>
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="28" height="28" />
        <span>Perihelion</span>
      </a>
      {Object.entries(VIEWS).map(
        ([name, view]) =>
          view.icon && (
            <a key={name} href={to(name)} aria-current={name === now ? "page" : undefined}>
              <Icon name={view.icon} />
              <span>{shell().views[name]}</span>
            </a>
          ),
      )}
      <p class="version">{me.value?.version}</p>
    </nav>
  );
}

function Head() {
  const find = (event: Event) => {
    event.preventDefault();
    go("search", [], { q: finder.current?.value });
  };
  return (
    <header class="head">
      <NamespaceChoice />
      <form role="search" onSubmit={find}>
        <Icon name="search" />
        <input
          type="search"
          aria-label={shell().find}
          placeholder={shell().findHint}
          ref={(input) => {
            finder.current = input;
          }}
        />
      </form>
      <div class="head-actions">
        <HealthDot />
        <Button tone="quiet" aria-label={shell().language} title={shell().language} onClick={changeLanguage}>
          <Icon name="language" />
        </Button>
        <Button tone="quiet" aria-label={shell().theme[theme.value]} title={shell().theme[theme.value]} onClick={changeTheme}>
          <Icon name={theme.value === "auto" ? "auto" : theme.value === "dark" ? "moon" : "sun"} />
        </Button>
        {key.value !== undefined && (
          <Button tone="quiet" aria-label={shell().keyLeave} title={shell().keyLeave} onClick={() => showKey(undefined)}>
            <Icon name="key" />
          </Button>
        )}
      </div>
    </header>
  );
}

function changeLanguage(): void {
  language.value = language.value === "ko" ? "en" : "ko";
}

function NamespaceChoice() {
  const names = namespaces.value.map((one) => one.namespace);
  const own = namespace.value;
  if (own !== undefined && !names.includes(own)) names.unshift(own);
  return (
    <label class="namespace">
      <span class="unseen">{words().namespace}</span>
      <select
        value={own}
        onChange={(event) => {
          namespace.value = event.currentTarget.value;
        }}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function HealthDot() {
  // How the whole is tells of others, so not every key may ask.
  const look = (signal: AbortSignal) => (seesAll() ? ask<Health>("GET", "/v1/health", { signal }) : Promise.resolve(undefined));
  const health = useAsk(look, [seesAll()], LOOK_EVERY_MS);
  const gone = trouble.value !== undefined;
  const sick = health.value !== undefined && needsSomebody(health.value);
  const text = gone ? shell().unreachable : sick ? shell().troubled : shell().healthy;
  return (
    <a class={`health ${gone ? "bad" : sick ? "warn" : "good"}`} href={to("operations")} title={text} aria-label={text}>
      <i aria-hidden="true" />
    </a>
  );
}

/** Warnings such as a full zone are for Operations: a light that is always on is not looked at. */
function needsSomebody({ healthy, problems, queue }: Health): boolean {
  return !healthy || problems.length > 0 || queue.writes + queue.dead_writes + queue.events_lost > 0;
}

function Notices() {
  const inSample = namespace.value === SAMPLE;
  return (
    <>
      {trouble.value && <Failure error={trouble.value} retry={() => void lookAround()} />}
      {me.value?.read_only && <p class="notice">{shell().readOnly}</p>}
      {inSample && (
        <div class="notice">
          <span>{shell().sampleShown}</span>
          {mayWrite() && (
            <Button small onClick={() => void removeSample()}>
              {shell().sampleRemove}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

async function removeSample(): Promise<void> {
  const status = await attempt(() => ask<SampleStatus>("GET", "/v1/sample"));
  if (!status) return;
  const { sampleRemoveTitle, sampleRemoveText, sampleRemove } = shell();
  if (!(await confirmed(sampleRemoveTitle, sampleRemoveText(status.memories, status.own), sampleRemove))) return;
  const removed = await attempt(() => ask("DELETE", "/v1/sample"));
  if (removed === undefined) return;
  namespace.value = undefined;
  await lookAround();
  go("orbit");
}

function Help() {
  return (
    <Dialog title={shell().shortcuts} onClose={() => (helpIsOpen.value = false)}>
      <dl class="shortcuts">
        {shell().shortcutList.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

