// Builds the web part and the server's bundle into build/. Started by prepare.mjs, with a Node that suffices.
import { existsSync } from "node:fs";
import { build, createLogger } from "vite";

const wanted = [
  { source: "web/index.html", options: {} },
  { source: "server/main.ts", options: { build: { ssr: "server/main.ts" } } },
];

const present = wanted.filter(({ source }) => existsSync(source));
const customLogger = createLogger("warn");
await Promise.all(present.map(({ options }) => build({ customLogger, logLevel: "warn", ...options })));
