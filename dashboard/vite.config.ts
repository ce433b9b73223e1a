import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Where `peri serve` listens while the page is worked on.
const api = process.env["DASH_API"] ?? "http://127.0.0.1:7437";

// The build is committed and served from memory, so names are fixed: a change shows in its file and nowhere else.
export default defineConfig({
  base: "/dashboard/",
  resolve: { alias: { "perihelion-client": here("../clients/typescript/src") } },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2023",
    outDir: process.env["DASHBOARD_OUT"] ?? here("../crates/peri-http/dashboard"),
    emptyOutDir: true,
    assetsDir: "",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
  worker: { format: "es", rolldownOptions: { output: { entryFileNames: "[name].js" } } },
  // The host stays the page's own, by which the server knows that a write does not come from somebody else's page.
  server: { proxy: Object.fromEntries(["/v1", "/api", "/health"].map((path) => [path, { target: api, changeOrigin: false }])) },
});
