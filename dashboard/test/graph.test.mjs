// The graph: what hangs together, held against the edges that the server tells.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, within } from "./support/browser.mjs";
import { becomes, texts } from "./support/reading.mjs";
import { serve } from "./support/server.mjs";

const TOLD = {
  related_to: ["is related to", "is related to"],
  derived_from: ["was derived from", "is a source of"],
  contradicts: ["contradicts", "is contradicted by"],
  sequence: ["comes before", "comes after"],
  supersedes: ["takes the place of", "was replaced by"],
};

let server, browser, graph;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
  await server.ask("POST", "/v1/sample");
  graph = await server.ask("GET", "/v1/graph?namespace=sample&limit=2000");
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** What the panel should say of a node, by the server's edges. */
function neighbours(number, types = Object.keys(TOLD)) {
  const touching = graph.edges.filter((edge) => types.includes(edge.type) && [edge.source, edge.target].includes(number));
  const told = touching.map(({ source, target, type }) => {
    const outward = source === number;
    return `${TOLD[type][outward ? 0 : 1]} ${graph.nodes[outward ? target : source].label}`;
  });
  return told.map((text) => text.replace(/\s+/g, " ").trim()).sort();
}

const panel = (page) => page.getByRole("complementary", { name: "Selected memory" });
const shownNeighbours = async (within) => (await texts(within.locator(".graph-neighbours li"))).sort();
const arranged = (page) => page.locator('[data-part="graph-canvas"][data-arranging="false"]').waitFor();
const degree = (number) => neighbours(number).length;
const byDegree = () => graph.nodes.map((_, number) => number).sort((a, b) => degree(b) - degree(a));

async function choose(page, label, number) {
  const field = page.getByRole("combobox", { name: label, exact: true });
  await field.fill(graph.nodes[number].label);
  await page.getByRole("listbox", { name: label, exact: true }).getByRole("option").first().waitFor();
  await field.press("Enter");
}

test("the numbers are the server's, and the page does not scroll", async () => {
  await within(browser, server.url, "#/graph", { width: 1440, height: 900, still: true }, async (page) => {
    const { total_nodes: nodes, total_edges: edges, communities } = graph;
    assert.equal(graph.nodes.length, nodes, "the sample is shown whole");
    await page.getByText(`${nodes} linked memories · ${edges} edges · ${communities} communities`).waitFor();
    const counts = Object.keys(TOLD).map((type) => graph.edges.filter((edge) => edge.type === type).length).filter(Boolean).map(String);
    const legend = page.locator(".graph-legend ul").first().locator(".graph-count");
    assert.deepEqual((await texts(legend)).sort(), counts.sort());
    assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), "all of it is in the window");
  });
});


test("what is chosen is shown with the edges that the server holds", async () => {
  const [centre] = byDegree();
  await within(browser, server.url, "#/graph", { still: true }, async (page) => {
    await choose(page, "Find in the labels", centre);
    await panel(page).getByRole("heading", { level: 2, name: graph.nodes[centre].label }).waitFor();
    assert.match(page.url(), new RegExp(`focus=${graph.nodes[centre].id}`), "the address says what is looked at");
    assert.deepEqual(await shownNeighbours(panel(page)), neighbours(centre));
    await panel(page).getByText(`place 1 of ${graph.nodes.length}`).waitFor();

    const [first] = await texts(panel(page).locator(".graph-neighbours button"));
    await panel(page).locator(".graph-neighbours button").first().click();
    await panel(page).getByRole("heading", { level: 2, name: first }).waitFor();
    const next = graph.nodes.findIndex((node) => page.url().includes(node.id));
    assert.deepEqual(await shownNeighbours(panel(page)), neighbours(next), "a neighbour is looked at in turn");
    assert.equal(await panel(page).getByRole("link", { name: "Open" }).getAttribute("href"), `#/memory/${graph.nodes[next].id}`);
  });
});

test("an address brings its memory into the middle, where it can be pressed, and Escape lets go", async () => {
  const [, second] = byDegree();
  await within(browser, server.url, `#/graph?focus=${graph.nodes[second].id}`, { width: 1440, height: 900, still: true }, async (page) => {
    await panel(page).getByRole("heading", { level: 2, name: graph.nodes[second].label }).waitFor();
    await arranged(page);
    const canvas = page.getByRole("application", { name: "Picture of the graph" });
    await canvas.focus();
    await page.keyboard.press("Escape");
    await panel(page).waitFor({ state: "detached" });
    assert.doesNotMatch(page.url(), /focus=/);
    const { width, height } = await canvas.boundingBox();
    // The room beside the panel is what counts as the middle.
    const position = { x: (width - 362) / 2, y: height / 2 };
    await becomes(
      async () => {
        await canvas.hover({ position });
        await canvas.click({ position });
        return await panel(page).count();
      },
      1,
      "the node is where it was brought",
    );
    await panel(page).getByRole("heading", { level: 2, name: graph.nodes[second].label }).waitFor();
  });
});

test("a type of edge that is hidden is gone from the neighbours too", async () => {
  const types = Object.keys(TOLD);
  const at = graph.edges.find((edge) => edge.type === "contradicts").source;
  await within(browser, server.url, `#/graph?focus=${graph.nodes[at].id}`, { width: 1440, still: true }, async (page) => {
    await panel(page).waitFor();
    assert.deepEqual(await shownNeighbours(panel(page)), neighbours(at));
    await page.getByRole("button", { name: /^Contradiction/ }).click();
    await becomes(() => shownNeighbours(panel(page)), neighbours(at, types.filter((type) => type !== "contradicts")));
  });
});

/** Two nodes with a way of several steps between them, and one that no way leads to. */
async function ends() {
  const [from] = byDegree();
  const seen = new Map([[from, 0]]);
  for (const [number, steps] of seen) {
    for (const { source, target } of graph.edges) {
      if (source === number && !seen.has(target)) seen.set(target, steps + 1);
      if (target === number && !seen.has(source)) seen.set(source, steps + 1);
    }
  }
  const far = [...seen].find(([, steps]) => steps === 3)[0];
  const lone = graph.nodes.findIndex((_, number) => !seen.has(number));
  return { from, far, lone };
}

test("the path between two is the server's, and that there is none is said", async () => {
  const { from, far, lone } = await ends();
  const id = (number) => graph.nodes[number].id;
  const { path } = await server.ask("GET", `/v1/graph/path?namespace=sample&from=${id(from)}&to=${id(far)}`);
  const { path: none } = await server.ask("GET", `/v1/graph/path?namespace=sample&from=${id(from)}&to=${id(lone)}`);
  assert.ok(path.links.length > 1 && !none, "the sample has both");
  await within(browser, server.url, `#/graph?focus=${id(from)}`, { still: true }, async (page) => {
    await panel(page).getByRole("button", { name: "Path from here" }).click();
    const asked = page.getByRole("complementary", { name: "Path between two" });
    assert.equal(await asked.getByRole("combobox", { name: "From" }).inputValue(), graph.nodes[from].label);
    await choose(page, "To", far);
    await asked.getByText(`${path.links.length} steps · strength`).waitFor();
    const labels = path.nodes.map((one) => graph.nodes.find((node) => node.id === one).label);
    assert.deepEqual(await texts(asked.locator(".graph-steps button")), labels);
    const told = path.links.map((link, place) => TOLD[link.type][link.source === path.nodes[place] ? 0 : 1]);
    assert.deepEqual(await texts(asked.locator(".graph-steps .graph-told")), told);
    await choose(page, "To", lone);
    await asked.getByText("No path: no edges lead from one to the other.").waitFor();
    await asked.getByRole("button", { name: "Clear" }).click();
    assert.equal(await asked.getByRole("combobox", { name: "From" }).inputValue(), "");
  });
});

test("the list says the same as the picture", async () => {
  await within(browser, server.url, "#/graph", {}, async (page) => {
    await page.getByRole("button", { name: "List", exact: true }).click();
    const list = page.getByRole("region", { name: "List" });
    const ranked = graph.nodes.map((node, number) => ({ ...node, number })).sort((a, b) => b.rank - a.rank);
    const rows = list.locator(".graph-row-name");
    await rows.first().waitFor();
    assert.deepEqual(await texts(rows), ranked.slice(0, 50).map((node) => node.label), "by rank");
    await rows.first().click();
    assert.deepEqual(await shownNeighbours(list), neighbours(ranked[0].number));
    await list.getByRole("button", { name: `Show more (${graph.nodes.length - 50})` }).click();
    await becomes(() => rows.count(), 100);
    await list.getByLabel("Find in the labels").fill("tide");
    const found = ranked.filter((node) => node.label.toLowerCase().includes("tide"));
    await list.getByText(`${found.length} match`).waitFor();
  });
});

test("without WebGL the list is there, in Korean too", async () => {
  await within(browser, server.url, "#/graph", { language: "ko", theme: "light" }, async (page) => {
    await page.addInitScript(() => {
      const own = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith("webgl") ? null : own.call(this, kind, ...rest);
      };
    });
    await page.reload();
    await page.getByText("이 브라우저에는 WebGL이 없어 그림을 그릴 수 없습니다.").waitFor();
    await page.getByText(`연결된 기억 ${graph.total_nodes}개 · 연결선 ${graph.total_edges}개 · 커뮤니티 ${graph.communities}개`).waitFor();
    await becomes(() => page.getByRole("region", { name: "목록" }).locator(".graph-row-name").count(), 50);
    assert.equal(await page.getByRole("button", { name: "그림", exact: true }).count(), 0, "nothing is offered that cannot be");
  });
});
