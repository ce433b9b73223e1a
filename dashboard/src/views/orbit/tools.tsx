/** Buttons for the picture: nearer, further, all of it, revolving or not, as a list. */
import type { ComponentChildren } from "preact";
import { Icon } from "../../parts/icon.tsx";
import { orbit } from "../../strings/orbit.ts";
import type { Look } from "./look.ts";
import type { Hands } from "./stage_view.tsx";

const PLUS = "M12 5v14M5 12h14";
const MINUS = "M5 12h14";
const ALL = "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5";
const LIST = "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01";

function Drawing({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}

function Tool({ name, onClick, children }: { name: string; onClick: () => void; children: ComponentChildren }) {
  return (
    <button type="button" aria-label={name} title={name} onClick={onClick}>
      {children}
    </button>
  );
}

export function Tools({ look, hands }: { look: Look; hands: Hands }) {
  const listed = look.asList.value;
  return (
    <div class="orbit-tools" data-part="orbit-tools">
      {!listed && (
        <div>
          <Tool name={orbit().zoomIn} onClick={() => hands.gestures?.zoom("in")}>
            <Drawing path={PLUS} />
          </Tool>
          <Tool name={orbit().zoomOut} onClick={() => hands.gestures?.zoom("out")}>
            <Drawing path={MINUS} />
          </Tool>
          <Tool name={orbit().zoomAll} onClick={() => hands.gestures?.zoom("all")}>
            <Drawing path={ALL} />
          </Tool>
        </div>
      )}
      <div>
        {!listed && (
          <Tool
            name={look.turns.value ? orbit().stop : orbit().turn}
            onClick={() => {
              look.turns.value = !look.turns.value;
            }}
          >
            <Icon name={look.turns.value ? "pause" : "orbit"} />
          </Tool>
        )}
        <Tool
          name={listed ? orbit().asPicture : orbit().asList}
          onClick={() => {
            look.asList.value = !listed;
          }}
        >
          {listed ? <Icon name="orbit" /> : <Drawing path={LIST} />}
        </Tool>
      </div>
    </div>
  );
}
