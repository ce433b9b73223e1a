/** Which view is shown where. Each is loaded when it is first wanted. */
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { signal } from "@preact/signals";
import { asProblem, type PeriError } from "../api.ts";
import { Failure, Loading } from "../parts/basic.tsx";
import type { IconName } from "../parts/icon.tsx";
import { route } from "../route.ts";
import { shell } from "../strings/shell.ts";

/** What a view is given: what stands behind its name in the address. */
export interface ViewProps {
  rest: string[];
}

interface View {
  icon?: IconName;
  /** Follows `g` on the keyboard. */
  letter?: string;
  load: () => Promise<{ default: ComponentType<ViewProps> }>;
}

export const VIEWS: Record<string, View> = {
  orbit: { icon: "orbit", letter: "o", load: () => import("../views/orbit/orbit.tsx") },
  search: { icon: "search", letter: "s", load: () => import("../views/search/search.tsx") },
  memories: { icon: "memories", letter: "m", load: () => import("../views/memory/memories.tsx") },
  graph: { icon: "graph", letter: "g", load: () => import("../views/graph/graph.tsx") },
  timeline: { icon: "timeline", letter: "t", load: () => import("../views/timeline/timeline.tsx") },
  learning: { icon: "learning", letter: "l", load: () => import("../views/learning/learning.tsx") },
  workers: { icon: "workers", letter: "w", load: () => import("../views/workers/workers.tsx") },
  operations: { icon: "operations", letter: "p", load: () => import("../views/operations/operations.tsx") },
  memory: { load: () => import("../views/memory/memory.tsx") },
};

const loaded = signal<Record<string, ComponentType<ViewProps>>>({});
const failed = signal<PeriError | undefined>(undefined);

async function load(name: string): Promise<void> {
  try {
    const view = await VIEWS[name]?.load();
    if (view) loaded.value = { ...loaded.value, [name]: view.default };
  } catch (error) {
    failed.value = asProblem(error);
  }
}

export function CurrentView() {
  const { view, rest } = route.value;
  const known = Object.hasOwn(VIEWS, view);
  useEffect(() => {
    failed.value = undefined;
    if (known && loaded.value[view] === undefined) void load(view);
  }, [view]);
  if (!known) return <p class="empty">{shell().unknown}</p>;
  if (failed.value) return <Failure error={failed.value} retry={() => void load(view)} />;
  const Shown = loaded.value[view];
  return Shown ? <Shown key={view} rest={rest} /> : <Loading />;
}
