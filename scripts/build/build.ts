// Builds the web part, the frame of diagrams and the server's bundle into build/. Started by prepare.mjs, with a Node
// that suffices.
import { existsSync } from "node:fs";
import { build, createLogger, type InlineConfig } from "vite";

/** The process, administration beside it, and the threads that it starts by their files. */
const serverEntries = {
  main: "server/main.ts",
  admin: "server/cli/main.ts",
  "search-worker": "server/search/search-worker.ts",
  "render-worker": "server/transfer/html/render-worker.ts",
};

const customLogger = createLogger("warn");
const make = (options: InlineConfig) => build({ customLogger, logLevel: "warn", ...options });

const wanted = [
  {
    source: "web/index.html",
    // The second one into the folder that the first one has emptied.
    make: () => make({}).then(() => make({ mode: "sandbox" })),
  },
  {
    source: "server/main.ts",
    make: () => make({ build: { ssr: true, rolldownOptions: { input: serverEntries } } }),
  },
];

await Promise.all(wanted.filter(({ source }) => existsSync(source)).map((one) => one.make()));
