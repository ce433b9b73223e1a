/** What is known of a memory besides what it says. */
import type { ComponentChildren } from "preact";
import { Card, Meter } from "../../parts/basic.tsx";
import { to } from "../../route.ts";
import { ago, moment, percent } from "../../strings/define.ts";
import { memory as strings } from "../../strings/memory.ts";
import { words, zoneName } from "../../strings/words.ts";
import type { Context, Memory } from "../../wire.ts";
import { Text } from "./text.tsx";
import { Tree } from "./tree.tsx";

export function Facts({ memory }: { memory: Memory }) {
  const { context, data, metadata } = memory;
  return (
    <Card title={strings().facts} class="memory-facts">
      <dl>
        <What memory={memory} />
        <Whose memory={memory} />
        <When memory={memory} />
        <Inside memory={memory} />
      </dl>
      {context && <Circumstances context={context} />}
      {data !== undefined && data !== null && (
        <Folded title={strings().data} isOpen>
          <Tree value={data} />
        </Folded>
      )}
      {metadata && Object.keys(metadata).length > 0 && (
        <Folded title={strings().metadata}>
          <Tree value={metadata} />
        </Folded>
      )}
    </Card>
  );
}

function Fact({ name, children }: { name: string; children?: ComponentChildren }) {
  if (children === undefined || children === null || children === false || children === "") return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function What({ memory }: { memory: Memory }) {
  const { tags = [], aliases = [] } = memory;
  return (
    <>
      <Fact name={words().kind}>{words().kinds[memory.kind] ?? memory.kind}</Fact>
      <Fact name={words().layer}>{words().layers[memory.layer] ?? memory.layer}</Fact>
      <Fact name={words().zone}>{zoneName(memory.zone)}</Fact>
      <Fact name={words().importance}>
        <span class="memory-importance">
          {percent(memory.importance)}
          <Meter value={memory.importance} label={words().importance} />
        </span>
      </Fact>
      <Fact name={words().tags}>
        {tags.length > 0 && (
          <span class="memory-tags">
            {tags.map((tag) => (
              <a key={tag} class="memory-tag" href={to("memories", [], { tag })}>
                <Text text={tag} />
              </a>
            ))}
          </span>
        )}
      </Fact>
      <Fact name={strings().aliases}>{aliases.length > 0 && <Text text={aliases.join(", ")} />}</Fact>
      <Fact name={strings().key}>{memory.key && <Text text={memory.key} />}</Fact>
    </>
  );
}

function Whose({ memory }: { memory: Memory }) {
  const { session, speaker, source } = memory;
  return (
    <>
      <Fact name={words().session}>
        {session && (
          <a href={to("timeline", [], { session })}>
            <Text text={session} />
          </a>
        )}
      </Fact>
      <Fact name={words().speaker}>{speaker && <Text text={speaker} />}</Fact>
      <Fact name={strings().source}>{source && <Text text={source} />}</Fact>
    </>
  );
}

function When({ memory }: { memory: Memory }) {
  return (
    <>
      <Moment name={words().created} at={memory.created_at} />
      {memory.updated_at !== memory.created_at && <Moment name={words().changed} at={memory.updated_at} />}
      <Moment name={strings().occurred} at={memory.occurred_at} />
      <Moment name={strings().validFrom} at={memory.valid_from} />
      <Moment name={strings().validUntil} at={memory.valid_until} />
      <Moment name={strings().expires} at={memory.expires_at} />
      <Moment name={strings().trashedAt} at={memory.trashed_at} />
    </>
  );
}

function Moment({ name, at }: { name: string; at: string | null | undefined }) {
  return (
    <Fact name={name}>
      {at && (
        <time dateTime={at}>
          {moment(at)} <span class="faint">{ago(at)}</span>
        </time>
      )}
    </Fact>
  );
}

function Inside({ memory }: { memory: Memory }) {
  const { space, promoted_from } = memory;
  return (
    <>
      <Fact name={strings().promotedFrom}>{promoted_from && words().layers[promoted_from]}</Fact>
      <Fact name={words().namespace}>{memory.namespace}</Fact>
      <Fact name={strings().vector}>{space ? `${space.model} · ${strings().dimensions(space.dimensions)}` : strings().noVector}</Fact>
      <Fact name={strings().version}>{memory.version}</Fact>
      <Fact name={strings().id}>
        <code>{memory.id}</code>
      </Fact>
    </>
  );
}

function Circumstances({ context }: { context: Context }) {
  const all = Object.entries(context as Record<string, Record<string, string> | undefined>);
  const facets = all.flatMap(([facet, held]) => Object.entries(held ?? {}).map(([name, value]) => ({ facet, name, value })));
  if (facets.length === 0) return null;
  return (
    <Folded title={strings().circumstances} isOpen>
      <dl>
        {facets.map(({ facet, name, value }) => (
          <Fact key={facet + name} name={strings().facets[facet] ?? facet}>
            <span class="faint">
              <Text text={name} />
            </span>{" "}
            <Text text={value} />
          </Fact>
        ))}
      </dl>
    </Folded>
  );
}

function Folded({ title, isOpen = false, children }: { title: string; isOpen?: boolean; children: ComponentChildren }) {
  return (
    <details class="memory-folded" open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
