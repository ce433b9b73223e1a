/** The orbit's rules without a browser: where bodies stand, where they stood, and which one is next. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const ENTRY = "\0orbit";
const PARTS = ["model", "time", "scene", "walk"];

/** The sources as they are, brought into one module that Node can read. */
async function load() {
  const folder = fileURLToPath(new URL("../../src/views/orbit/", import.meta.url));
  const entry = {
    name: "entry",
    resolveId: (id) => (id === "orbit" ? ENTRY : null),
    load: (id) => (id === ENTRY ? PARTS.map((part) => `export * from ${JSON.stringify(`${folder}${part}.ts`)};`).join("\n") : null),
  };
  const made = await build({
    configFile: false,
    logLevel: "error",
    plugins: [entry],
    build: { write: false, ssr: true, minify: false, rolldownOptions: { input: "orbit" } },
    ssr: { noExternal: true },
  });
  const { code } = made.output[0];
  return import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
}

// What the page's settings ask of a browser when they are read.
const nothing = () => undefined;
globalThis.matchMedia = () => ({ matches: false, addEventListener: nothing });
globalThis.document ??= { documentElement: { dataset: {} } };
if (globalThis.navigator?.language === undefined) Object.defineProperty(globalThis, "navigator", { value: { language: "en" } });

const { RINGS, GONE, Scene, countIn, courseOf, depths, firstAngle, fitted, next, pace, placed, radiusIn, share, tides, under, zonesAt } = await load();

const ZONES = ["core", "inner", "outer", "belt", "cloud"];
const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const at = (hour) => new Date(START + hour * HOUR).toISOString();

/** Numbers that are the same in every run. */
function chance(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

function body(id, zone, score = 0.5, more = {}) {
  const rest = { label: `기억 ${id} 茶`, kind: "fact", layer: "long_term", importance: 0.5, freshness: 0.5, recalls: 0 };
  return { id, zone: ZONES[zone], score, ...rest, created_at: at(0), used_at: at(0), pinned: false, ...more };
}

const picture = (bodies) => ({ namespace: "n", settled_at: null, total: bodies.length, zones: [], bodies });
const zone = (number) => (number === GONE ? null : ZONES[number]);

test("a body's first angle depends on its id alone, and ids in a row are spread over the whole turn", () => {
  assert.equal(firstAngle("0198c5b2-0001"), firstAngle("0198c5b2-0001"));
  const eighths = new Array(8).fill(0);
  for (let number = 0; number < 8000; number++) eighths[Math.floor(share(`0198c5b2-${number.toString(16).padStart(12, "0")}`) * 8)]++;
  for (const count of eighths) assert.ok(count > 850 && count < 1150, `${eighths}`);
});

test("within a ring the higher score is nearer, and every body stays inside its ring", () => {
  const random = chance(3);
  const bodies = Array.from({ length: 500 }, (_, number) => body(`b${number}`, number % 5, random()));
  const depth = depths(bodies);
  for (const [number, ring] of RINGS.entries()) {
    const own = bodies.map((one, slot) => ({ score: one.score, radius: radiusIn(number, depth[slot]), zone: one.zone }));
    const sorted = own.filter((one) => one.zone === ZONES[number]).sort((a, b) => b.score - a.score);
    for (const [rank, one] of sorted.entries()) {
      assert.ok(one.radius >= ring.inner && one.radius <= ring.outer);
      if (rank > 0) assert.ok(one.radius > sorted[rank - 1].radius);
    }
  }
});

test("rings do not overlap, and the nearer goes round faster", () => {
  for (let number = 1; number < RINGS.length; number++) {
    assert.ok(RINGS[number - 1].outer < RINGS[number - 1].line && RINGS[number - 1].line < RINGS[number].inner);
    assert.ok(pace(RINGS[number - 1].outer) > pace(RINGS[number].inner));
  }
});

test("the picture fits into every room", () => {
  for (const [right, bottom] of [[1200, 600], [390, 500], [300, 900], [2000, 300]]) {
    const lie = fitted({ left: 0, top: 0, right, bottom });
    for (let angle = 0; angle < 6.3; angle += 0.1) {
      const { x, y } = placed(lie, 1.09, angle);
      assert.ok(x >= -1 && x <= right + 1 && y >= -1 && y <= bottom + 1, `${right}x${bottom}`);
    }
  }
});

/** A made-up history, told step by step, with what was true after each hour. */
function history(seed, now, until) {
  const random = chance(seed);
  const zones = Array.from({ length: 30 }, () => Math.floor(random() * 6) - 1);
  const [moves, truth] = [[], [[...zones]]];
  for (let hour = 1; hour <= until; hour++) {
    const slot = Math.floor(random() * 30);
    const to = Math.floor(random() * 6) - 1;
    if (to !== zones[slot]) moves.push({ id: `b${slot}`, at: at(hour), from: zone(zones[slot]), to: zone(to), reason: null });
    zones[slot] = to;
    truth.push([...zones]);
  }
  const told = { namespace: "n", from: at(0), now: at(now), until: at(until), complete: true, moves, more: false };
  return { told, truth, present: truth[now] };
}

test("the state at any time, before and after now, is what was or will be true then", () => {
  for (let seed = 1; seed < 30; seed++) {
    const { told, truth, present } = history(seed, 60, 100);
    const course = courseOf(told, new Map(present.map((_, slot) => [`b${slot}`, slot])));
    for (let hour = 0; hour <= 100; hour++) {
      const seen = zonesAt(Int8Array.from(present), course, START + hour * HOUR);
      assert.deepEqual([...seen], truth[hour], `seed ${seed}, hour ${hour}`);
      const between = zonesAt(Int8Array.from(present), course, START + hour * HOUR + HOUR / 2);
      assert.deepEqual([...between], truth[hour], `seed ${seed}, after hour ${hour}`);
    }
  }
});

test("looking at another time leaves the present as it is", () => {
  const { told, present } = history(5, 60, 100);
  const own = Int8Array.from(present);
  zonesAt(own, courseOf(told, new Map(present.map((_, slot) => [`b${slot}`, slot]))), START);
  assert.deepEqual([...own], present);
});

test("what has left since is there at the time when it was, and is counted then only", () => {
  const moves = [{ id: "gone", at: at(5), from: "outer", to: null, reason: "forgotten" }];
  const told = { namespace: "n", from: at(0), now: at(10), until: at(10), complete: true, moves, more: false };
  const scene = new Scene(picture([body("stays", 0)]), told, undefined);
  assert.deepEqual(countIn(zonesAt(scene.present, scene.course, START + 10 * HOUR)), [1, 0, 0, 0, 0]);
  assert.deepEqual(countIn(zonesAt(scene.present, scene.course, START + 4 * HOUR)), [1, 0, 1, 0, 0]);
  assert.equal(scene.bodies[scene.slots.get("gone")], undefined);
});

test("every move is counted once in the tides, inward and arriving apart from outward and leaving", () => {
  const { told, present } = history(9, 60, 100);
  const course = courseOf(told, new Map(present.map((_, slot) => [`b${slot}`, slot])));
  const sum = tides(course, 24).reduce((all, one) => all + one.nearer + one.further, 0);
  assert.equal(sum, course.steps.length);
  const nearer = course.steps.filter((one) => one.from === GONE || (one.to !== GONE && one.to < one.from)).length;
  assert.equal(tides(course, 24).reduce((all, one) => all + one.nearer, 0), nearer);
});

function settled(bodies) {
  const scene = new Scene(picture(bodies), undefined, undefined);
  scene.aim(scene.present, () => 1);
  scene.settle();
  return scene;
}

test("going right along a ring comes by every body once and back to the first; left is the way back", () => {
  const scene = settled(Array.from({ length: 40 }, (_, number) => body(`b${number}`, number % 2)));
  const first = next(scene, undefined, "right");
  const seen = new Set();
  let slot = first;
  do {
    seen.add(slot);
    const after = next(scene, slot, "right");
    assert.equal(next(scene, after, "left"), slot);
    slot = after;
  } while (slot !== first && seen.size < 100);
  assert.equal(seen.size, 20);
});

test("inward and outward go to the next ring that holds something, and stop at the ends", () => {
  const scene = settled([body("a", 0), body("b", 3), body("c", 4)]);
  const [a, b, c] = ["a", "b", "c"].map((id) => scene.slots.get(id));
  assert.equal(next(scene, undefined, "inward"), a);
  assert.equal(next(scene, a, "outward"), b);
  assert.equal(next(scene, b, "outward"), c);
  assert.equal(next(scene, c, "outward"), c);
  assert.equal(next(scene, c, "inward"), b);
  assert.equal(next(scene, a, "inward"), a);
});

test("the pointer finds the body that it is over and none that is hidden", () => {
  const scene = settled([body("a", 0), body("b", 3)]);
  scene.project(fitted({ left: 0, top: 0, right: 800, bottom: 800 }));
  const slot = scene.slots.get("b");
  const sizes = new Float32Array([4, 4]);
  assert.equal(under(scene, sizes, scene.x[slot] + 3, scene.y[slot], 5), slot);
  assert.equal(under(scene, sizes, scene.x[slot] + 60, scene.y[slot], 5), undefined);
  scene.aim(scene.present, (one) => (one === slot ? 0 : 1));
  assert.equal(under(scene, sizes, scene.x[slot] + 3, scene.y[slot], 5), undefined);
});

test("a new look at the same memories moves none of them at once", () => {
  const before = settled([body("a", 0), body("b", 3)]);
  before.step(7, true);
  const after = new Scene(picture([body("b", 2), body("a", 0), body("c", 1)]), undefined, before);
  for (const id of ["a", "b"]) {
    assert.equal(after.angle[after.slots.get(id)], before.angle[before.slots.get(id)]);
    assert.equal(after.radius[after.slots.get(id)], before.radius[before.slots.get(id)]);
  }
});

test("what is only too far out to be drawn is not taken for something that has left", () => {
  const moves = [
    { id: "far", at: at(2), from: "belt", to: "cloud", reason: "idle" },
    { id: "later", at: at(12), from: "belt", to: null, reason: "auto_forgotten" },
    { id: "left", at: at(3), from: "cloud", to: null, reason: "forgotten" },
  ];
  const told = { namespace: "n", from: at(0), now: at(10), until: at(20), complete: true, moves, more: false };
  const scene = new Scene(picture([body("stays", 0)]), told, undefined);
  assert.deepEqual(scene.ids, ["stays", "left"]);
});
