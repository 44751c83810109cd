// Builds the web part and the server's bundle into build/. Started by prepare.mjs, with a Node that suffices.
import { existsSync } from "node:fs";
import { build, createLogger } from "vite";

/** The process, and the threads that it starts by their files. */
const serverEntries = {
  main: "server/main.ts",
  "search-worker": "server/search/search-worker.ts",
  "render-worker": "server/transfer/render-worker.ts",
};

const wanted = [
  { source: "web/index.html", options: {} },
  { source: "server/main.ts", options: { build: { ssr: true, rolldownOptions: { input: serverEntries } } } },
];

const present = wanted.filter(({ source }) => existsSync(source));
const customLogger = createLogger("warn");
await Promise.all(present.map(({ options }) => build({ customLogger, logLevel: "warn", ...options })));
