/** What the store holds and what it takes on the disk. */
import { ask, useAsk } from "../../api.ts";
import { Card, Empty, Figure, KindBadge, Time } from "../../parts/basic.tsx";
import { mayRule } from "../../shell/place.ts";
import { namespace } from "../../state.ts";
import { bytes, number } from "../../strings/define.ts";
import { operations } from "../../strings/operations.ts";
import { words as glossary } from "../../strings/words.ts";
import type { DaysTold, NamespaceStats, Numbers, ReportedDisk, Whole } from "../../wire.ts";
import { Chores } from "./chores.tsx";
import { Answer } from "../../parts/answer.tsx";
import { Bars } from "../../parts/bars.tsx";
import { Table } from "../../parts/table.tsx";

export function StorePage() {
  const numbers = useAsk((signal) => ask<Numbers>("GET", "/v1/stats", { signal }), []);
  const told = useAsk((signal) => ask<DaysTold>("GET", "/v1/report", { query: { days: 1 }, signal }), []);
  const reload = () => {
    numbers.reload();
    told.reload();
  };
  const disk = told.value?.store?.disk;
  return (
    <Answer of={numbers}>
      {(value) => (
        <div class="stack">
          {value.store && <Disk store={value.store} disk={disk} />}
          <Namespaces of={value.namespaces} />
          <MakeUp of={value.namespaces} />
          {mayRule() && <Chores done={reload} />}
        </div>
      )}
    </Answer>
  );
}

function Disk({ store, disk }: { store: Whole; disk: ReportedDisk | undefined }) {
  const words = operations();
  const parts = Object.entries(disk ?? { database_bytes: store.database_bytes, index_bytes: store.index_bytes });
  const bars = parts
    .filter(([name, size]) => size > 0 || ["database_bytes", "index_bytes"].includes(name))
    .sort(([, a], [, b]) => b - a)
    .map(([name, size]) => ({ name: words.diskParts[name] ?? name, value: size, text: bytes(size) }));
  return (
    <Card title={words.disk} note={words.diskNote}>
      <div class="operations-split">
        <dl class="figures operations-column">
          <Figure label={words.disk}>{bytes(parts.reduce((sum, [, size]) => sum + size, 0))}</Figure>
          <Figure label={words.space}>
            <span class="operations-state mono">{store.space ?? words.noSpace}</span>
          </Figure>
        </dl>
        <Bars label={words.disk} of={bars} />
      </div>
    </Card>
  );
}

function Namespaces({ of }: { of: NamespaceStats[] }) {
  const words = operations();
  if (of.length === 0) return <Empty />;
  return (
    <Card title={words.namespacesTitle}>
      <Table
        label={words.namespacesTitle}
        rows={of}
        rowKey={(row) => row.namespace}
        columns={[
          { label: glossary().namespace, cell: (row) => <strong>{row.namespace}</strong>, wide: true },
          { label: words.memories, cell: (row) => number(row.memories), number: true },
          { label: words.trash, cell: (row) => number(row.trashed), number: true },
          { label: words.edges, cell: (row) => number(row.edges), number: true },
          { label: words.content, cell: (row) => bytes(row.content_bytes), number: true },
          { label: words.unembedded, cell: (row) => number(row.unembedded), number: true },
          { label: words.settled, cell: (row) => <Time at={row.settled_at} /> },
        ]}
      />
    </Card>
  );
}

/** Of the namespace that is looked at. */
function MakeUp({ of }: { of: NamespaceStats[] }) {
  const words = operations();
  const own = of.find((one) => one.namespace === namespace.value);
  if (own === undefined || own.memories === 0) return null;
  const kinds = [...own.kinds].sort(([, a], [, b]) => b - a);
  return (
    <div class="operations-pair">
      <Card title={words.kindsTitle} note={words.inNamespace(own.namespace)}>
        <Bars
          label={words.kindsTitle}
          of={kinds.map(([kind, count]) => ({ name: kind, value: count, text: number(count), tone: `kind-${kind}`, shown: <KindBadge kind={kind} /> }))}
        />
      </Card>
      <Card title={words.layersTitle} note={words.inNamespace(own.namespace)}>
        <Bars
          label={words.layersTitle}
          of={own.layers.map(([layer, count]) => ({ name: glossary().layers[layer] ?? layer, value: count, text: number(count) }))}
        />
      </Card>
    </div>
  );
}
