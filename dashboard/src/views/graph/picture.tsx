/** The picture, and what moves it. */
import { effect, useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button } from "../../parts/basic.tsx";
import { isDark } from "../../state.ts";
import { graph } from "../../strings/graph.ts";
import { layOut } from "./layout.ts";
import { Legend } from "./legend.tsx";
import { community, hidden, highlight, hovered, matches, pathIsOpen, press, select, selected, stage } from "./looking.ts";
import type { GraphModel } from "./model.ts";
import { Panel } from "./panel.tsx";
import { PathPanel } from "./path.tsx";
import { placed } from "./placement.ts";
import { Stage } from "./stage.ts";

export function Picture({ model }: { model: GraphModel }) {
  const box = useRef<HTMLDivElement>(null);
  const isArranging = useSignal(true);
  const help = useId();
  useEffect(() => {
    const own = box.current;
    return own ? show(own, model, (arranging) => (isArranging.value = arranging)) : undefined;
  }, [model]);
  const node = selected.value;
  return (
    <div class="graph-frame">
      <div
        class="graph-stage"
        data-part="graph-canvas"
        data-arranging={isArranging.value}
        ref={box}
        role="application"
        tabIndex={0}
        aria-label={graph().canvas}
        aria-describedby={help}
        onKeyDown={onKeyDown}
      />
      <p id={help} class="unseen">
        {graph().canvasHelp}
      </p>
      <Legend model={model} />
      {isArranging.value && (
        <p class="graph-arranging" role="status">
          {graph().arranging}
        </p>
      )}
      <Zoom />
      {pathIsOpen.value ? <PathPanel model={model} /> : node !== undefined && <Panel model={model} node={node} />}
    </div>
  );
}

/** Draws the model into the box until what is returned is called. */
function show(box: HTMLElement, model: GraphModel, onArranging: (arranging: boolean) => void): () => void {
  const positions = placed(model);
  const onHover = (node: number | undefined) => {
    hovered.value = node;
    box.classList.toggle("over", node !== undefined);
  };
  const own = new Stage(box, model, positions, { hidden: hidden.peek(), onClick: (node) => press(model, node), onHover });
  stage.value = own;
  onArranging(true);
  const stop = layOut(
    model,
    positions,
    (moved, done) => {
      own.move(moved);
      if (done) onArranging(false);
    },
    () => own.view.isMoving(),
  );
  const watch = new ResizeObserver(() => own.resize());
  watch.observe(box);
  const endings = [
    stop,
    effect(() => own.highlight(highlight(model))),
    effect(() => own.hideTypes(hidden.value)),
    effect(() => {
      void isDark.value;
      // The page has its new colours only when everything else that goes by the theme has been told.
      queueMicrotask(() => own.recolour());
    }),
    () => watch.disconnect(),
    () => {
      hovered.value = undefined;
      stage.value = undefined;
      own.end();
    },
  ];
  return () => endings.forEach((end) => end());
}

const MOVES: Record<string, (own: Stage) => void> = {
  ArrowLeft: (own) => own.view.pan(-1, 0),
  ArrowRight: (own) => own.view.pan(1, 0),
  ArrowUp: (own) => own.view.pan(0, -1),
  ArrowDown: (own) => own.view.pan(0, 1),
  "+": (own) => own.view.zoom(1.5),
  "=": (own) => own.view.zoom(1.5),
  "-": (own) => own.view.zoom(1 / 1.5),
  "0": (own) => own.view.fit(),
  Escape: letGo,
};

function letGo(): void {
  select(undefined);
  community.value = undefined;
  matches.value = [];
}

function onKeyDown(event: KeyboardEvent): void {
  const move = MOVES[event.key];
  if (move === undefined || stage.value === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  move(stage.value);
}

function Zoom() {
  return (
    <div class="graph-zoom">
      <Button aria-label={graph().zoomIn} title={graph().zoomIn} onClick={() => stage.value?.view.zoom(1.5)}>
        +
      </Button>
      <Button aria-label={graph().zoomOut} title={graph().zoomOut} onClick={() => stage.value?.view.zoom(1 / 1.5)}>
        −
      </Button>
      <Button aria-label={graph().fit} title={graph().fit} onClick={() => stage.value?.view.fit()}>
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5" />
        </svg>
      </Button>
    </div>
  );
}
