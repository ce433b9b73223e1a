/** One memory: what it says, what it is, how it came to be, and what can be done with it. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, useAsk } from "../../api.ts";
import { Empty, Failure, KindBadge, Loading, ZoneBadge } from "../../parts/basic.tsx";
import { Icon } from "../../parts/icon.tsx";
import { to } from "../../route.ts";
import type { ViewProps } from "../../shell/views.tsx";
import { namespace } from "../../state.ts";
import { memory as strings } from "../../strings/memory.ts";
import { words } from "../../strings/words.ts";
import type { History, Memory } from "../../wire.ts";
import { Actions } from "./actions.tsx";
import { Edges } from "./edges.tsx";
import { EditDialog } from "./edit.tsx";
import { Facts } from "./facts.tsx";
import { HistoryCard } from "./history.tsx";
import { Notices } from "./notices.tsx";
import { OrbitCard } from "./orbit.tsx";
import { Provenance } from "./provenance.tsx";
import { Text } from "./text.tsx";
import "./memory_parts.css";
import "./memory.css";

const LARGE_MAX = 160;
const MIDDLE_MAX = 600;
const GONE = [404, 410, 400, 422];

export default function MemoryView({ rest }: ViewProps) {
  const id = rest[0] ?? "";
  const found = useAsk(async (signal) => (id ? ask<Memory>("GET", "/v1/memories/{id}", { parts: { id }, signal }) : undefined), [id]);
  // While another one is on its way, the one before must not stand under its address.
  const memory = found.value?.id === id ? found.value : undefined;
  const isGone = id === "" || (found.error !== undefined && GONE.includes(found.error.status ?? 0));
  useEffect(() => scrollTo(0, 0), [id]);
  return (
    <div class="memory">
      <p class="memory-back">
        <a href={to("memories")}>
          <Icon name="back" />
          {strings().back}
        </a>
      </p>
      <h1 class="unseen">{strings().title}</h1>
      {isGone && (
        <Empty title={strings().notFound}>
          <p>{strings().notFoundText}</p>
        </Empty>
      )}
      {!isGone && found.error && <Failure error={found.error} retry={found.reload} />}
      {!memory && !found.error && found.loading && <Loading />}
      {memory && !isGone && <Whole key={id} memory={memory} reload={found.reload} />}
    </div>
  );
}

function Whole({ memory, reload }: { memory: Memory; reload: () => void }) {
  const isEditing = useSignal(false);
  const parts = { parts: { id: memory.id } };
  const history = useAsk((signal) => ask<History>("GET", "/v1/memories/{id}/history", { ...parts, signal }), [memory.id, memory.change]);
  // A split may leave this memory as it was and yet change its history.
  const again = () => {
    reload();
    history.reload();
  };
  return (
    <>
      <Notices memory={memory} history={history.value} reload={again} />
      <Hero memory={memory} />
      <Actions memory={memory} history={history.value} onEdit={() => (isEditing.value = true)} reload={again} />
      <div class="memory-columns">
        <div class="stack">
          <HistoryCard memory={memory} history={history} reload={again} />
          <Provenance memory={memory} />
          <Edges memory={memory} />
        </div>
        <div class="stack">
          <OrbitCard memory={memory} />
          <Facts memory={memory} />
        </div>
      </div>
      {isEditing.value && <EditDialog memory={memory} onClose={() => (isEditing.value = false)} onSaved={again} />}
    </>
  );
}

function Hero({ memory }: { memory: Memory }) {
  const { length } = memory.content;
  const size = length <= LARGE_MAX ? "large" : length <= MIDDLE_MAX ? "middle" : "long";
  return (
    <section class={`memory-hero kind-${memory.kind}`} aria-label={strings().title}>
      <p class="memory-about">
        <KindBadge kind={memory.kind} />
        <span>{words().layers[memory.layer] ?? memory.layer}</span>
        <ZoneBadge zone={memory.zone} />
        {memory.pinned && (
          <span class="memory-pin">
            <Icon name="pin" />
            {words().pinned}
          </span>
        )}
        {namespace.value !== memory.namespace && <span>{strings().elsewhere(memory.namespace)}</span>}
      </p>
      <p class={`memory-content ${size}`} data-part="content">
        <Text text={memory.content} />
      </p>
    </section>
  );
}
