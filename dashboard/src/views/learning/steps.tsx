/** What was done for a task, step by step. */
import { percent } from "../../strings/define.ts";
import { duration } from "../../strings/durations.ts";
import { learning } from "../../strings/learning.ts";
import type { Trajectory, TrajectoryStep } from "../../wire.ts";

function told(step: TrajectoryStep): string {
  const parts: string[] = [];
  if (step.duration_ms) parts.push(duration(step.duration_ms));
  if (step.confidence !== undefined && step.confidence < 1) parts.push(learning().sure(percent(step.confidence)));
  return parts.join(" · ");
}

export function Steps({ of }: { of: Trajectory }) {
  const words = learning();
  const steps = of.steps ?? [];
  if (steps.length === 0) return <p class="note">{words.noSteps}</p>;
  return (
    <ol class="learning-steps" aria-label={words.steps(steps.length)}>
      {steps.map((step, place) => (
        <li key={place}>
          <code>{step.input}</code>
          {step.output && <p>{step.output}</p>}
          <p class="note">{told(step)}</p>
        </li>
      ))}
    </ol>
  );
}
