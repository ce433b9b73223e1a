// Starts the official conformance suite, whose arguments this takes:
//
//     node conformance.mjs server --url URL --suite all --spec-version 2025-11-25
//
// The suite imports `globSync` from Node's `fs`, which Node 20 does not have; only a command that is of no use here
// calls it. So for the suite, and where it is missing, the name is there and the function is not.

import fs from "node:fs";
import { register } from "node:module";
import { fileURLToPath } from "node:url";

const packages = new URL("../../target/faces/node_modules/", import.meta.url);
const suite = new URL("@modelcontextprotocol/conformance/dist/index.js", packages);

const filled = `export * from "node:fs"; export { default } from "node:fs"; export const globSync = undefined;`;
const hooks = `
  export async function resolve(specifier, context, next) {
    if (specifier === "fs" && context.parentURL === ${JSON.stringify(suite.href)}) {
      return { url: "data:text/javascript," + ${JSON.stringify(encodeURIComponent(filled))}, shortCircuit: true };
    }
    return next(specifier, context);
  }`;

if (fs.globSync === undefined) register("data:text/javascript," + encodeURIComponent(hooks));
process.argv[1] = fileURLToPath(suite);
await import(suite.href);
