/** Lines over time. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { parseColour } from "./colour.ts";
import { isDark, language } from "../state.ts";
import { moment } from "../strings/define.ts";
import "./chart.css";

export interface Line {
  label: string;
  values: Array<number | null>;
  /** A variable of the style, such as `--accent`. */
  colour: string;
  fill?: boolean;
  bars?: boolean;
}

interface ChartProps {
  /** What it shows, for those who do not see it. */
  label: string;
  /** Seconds since the epoch. */
  times: number[];
  lines: Line[];
  height?: number;
  /** How a value is written at the axis. */
  write?: (value: number) => string;
}

const POINTS_MAX = 24;

function colourOf(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

/** Times of day, and the day where one begins; only days when they are far apart. */
function written(seconds: number, step: number): string {
  const time = new Date(seconds * 1000);
  const isDay = step >= 86_400 || (time.getHours() === 0 && time.getMinutes() === 0);
  const form = isDay ? ({ month: "short", day: "numeric" } as const) : ({ hour: "2-digit", minute: "2-digit", hour12: false } as const);
  return new Intl.DateTimeFormat(language.value, form).format(time);
}

function timeAxis(): uPlot.Axis {
  return { ...axis(), values: (_, splits, _axis, _space, step) => splits.map((one) => written(one, step)) };
}

/** Bars stand on their time, so that the first and the last need half their width beyond it. */
function room(times: number[], lines: Line[]): uPlot.Scale {
  const half = lines.some((line) => line.bars) && times.length > 1 ? ((times.at(-1) ?? 0) - (times[0] ?? 0)) / (times.length - 1) / 2 : 0;
  return { range: (_, low, high) => (low === high ? [low - 1800, high + 1800] : [low - half, high + half]) };
}

function axis(write?: (value: number) => string): uPlot.Axis {
  const base: uPlot.Axis = {
    stroke: colourOf("--ink-soft"),
    grid: { stroke: colourOf("--line"), width: 1 },
    ticks: { show: false },
    font: "12px system-ui, sans-serif",
  };
  return write ? { ...base, size: 64, values: (_, splits) => splits.map(write) } : base;
}

function series(line: Line, format: (value: number) => string): uPlot.Series {
  const stroke = colourOf(line.colour);
  const value = (_: uPlot, one: number | null) => (one == null ? "–" : format(one));
  // A single point is no line: few of them are seen as points.
  const isSparse = !line.bars && line.values.filter((one) => one !== null).length <= POINTS_MAX;
  const points = { show: isSparse, size: 6, fill: stroke };
  const own: uPlot.Series = { label: line.label, stroke, width: line.bars ? 0 : 2, points, spanGaps: true, value };
  if (line.fill || line.bars) own.fill = `rgb(${parseColour(stroke).join(" ")} / ${line.bars ? 0.8 : 0.2})`;
  const bars = line.bars ? uPlot.paths.bars?.({ size: [0.7, 24] }) : undefined;
  if (bars) own.paths = bars;
  return own;
}

/** Draws itself anew when its data, the theme or the room changes. */
export function Chart({ label, times, lines, height = 180, write }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const own = box.current;
    if (own === null) return;
    const format = write ?? ((value: number) => String(value));
    const options: uPlot.Options = {
      width: Math.max(own.clientWidth, 120),
      height,
      legend: { show: lines.length > 1 },
      cursor: { y: false },
      // Heights are compared by eye, so they begin at nothing.
      scales: { x: room(times, lines), y: { range: (_, low, high) => [Math.min(0, low), high > 0 ? high * 1.06 : 1] } },
      series: [{ value: (_, at) => (at == null ? "" : moment(at * 1000)) }, ...lines.map((line) => series(line, format))],
      axes: [timeAxis(), axis(format)],
    };
    const chart = new uPlot(options, [times, ...lines.map((line) => line.values)], own);
    const watch = new ResizeObserver(() => chart.setSize({ width: Math.max(own.clientWidth, 120), height }));
    watch.observe(own);
    return () => {
      watch.disconnect();
      chart.destroy();
    };
  }, [times, lines, height, isDark.value, language.value]);
  return <div class="chart" ref={box} role="img" aria-label={label} />;
}
