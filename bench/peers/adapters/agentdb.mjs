// AgentDB's library behind lines of JSON: each line asks for one thing, each answer is one line.
import { createInterface } from "node:readline";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const [packagePath, storePath] = process.argv.slice(2);
// The library prints notes to standard output; answers must be the only thing there.
console.log = console.error;
const library = await import(pathToFileURL(packagePath).href);
const database = await library.createDatabase(storePath);
for (const name of ["schema.sql", "frontier-schema.sql"]) {
  const path = join(dirname(packagePath), "schemas", name);
  if (existsSync(path)) database.exec(readFileSync(path, "utf8"));
}
const embedder = new library.EmbeddingService({
  model: "Xenova/all-MiniLM-L6-v2",
  dimension: 384,
  provider: "transformers",
});
await embedder.initialize();
if (!embedder.pipeline) throw new Error("the embedding model could not be loaded");
const memory = new library.ReflexionMemory(database, embedder);
const batches = new library.BatchOperations(database, embedder);

const episode = (text) => ({ sessionId: "bench", task: text, reward: 1, success: true });

const calls = {
  wait: async () => ({}),
  remember: async ({ text }) => ({ id: Number(await memory.storeEpisode(episode(text))) }),
  batch: async ({ texts }) => ({ kept: await batches.insertEpisodes(texts.map(episode)) }),
  recall: async ({ text, limit }) => ({
    texts: (await memory.retrieveRelevant({ task: text, k: limit })).map((found) => found.task),
  }),
  stored: async () => ({ texts: database.prepare("SELECT task FROM episodes").all().map((row) => row.task) }),
  close: async () => {
    database.close();
    return {};
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  let answer;
  try {
    answer = await calls[asked.do](asked);
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  if (asked.do === "close") break;
}
process.exit(0);
