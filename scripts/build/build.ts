// Builds the page, the frame of diagrams, the document of a link and the server's bundle into build/. prepare.mjs starts it with a supported
// version of Node.
import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { build, createLogger, type InlineConfig } from "vite";

/** Entries: the server, the administration program, and threads and processes that are started by file name. */
const serverEntries = {
  main: "server/entry.ts",
  admin: "server/cli/main.ts",
  "search-worker": "server/search/search-worker.ts",
  "render-process": "server/transfer/html/render-process.ts",
  "docx-process": "server/transfer/docx/docx-process.ts",
  "document-process": "server/files/documents/document-process.ts",
  "page-process": "server/browsing/page-process.ts",
};

const customLogger = createLogger("warn");
const make = (options: InlineConfig) => build({ customLogger, logLevel: "warn", ...options });

const wanted = [
  {
    source: "web/index.html",
    // In sequence: the first build empties the folder, the others add to it.
    make: async () => {
      await make({});
      await make({ mode: "sandbox" });
      await make({ mode: "share" });
    },
  },
  {
    source: "server/main.ts",
    make: async () => {
      await make({ build: { ssr: true, rolldownOptions: { input: serverEntries } } });
      // Character maps of East Asian fonts, which reading a PDF loads by name (server/files/documents/pdf-text.ts).
      await cp("node_modules/pdfjs-dist/cmaps", "build/server/cmaps", { recursive: true });
    },
  },
];

await Promise.all(wanted.filter(({ source }) => existsSync(source)).map((one) => one.make()));
