import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type UserConfig } from "vite";
import { budgets, frameBudgets, shareBudgets } from "./scripts/build/budgets.ts";
import { pageChunks } from "./scripts/build/page-chunks.ts";
import { pdfFiles } from "./scripts/build/pdf-files.ts";
import { precompress } from "./scripts/build/precompress.ts";
import { serviceWorker } from "./scripts/build/service-worker.ts";
import { weigh } from "./scripts/build/weigh.ts";

const root = import.meta.dirname;
const inRoot = (...parts: string[]) => join(root, ...parts);

/**
 * Replaced packages. The Content Security Policy forbids the browser form of two: one appends <style> elements, the
 * other parses text through innerHTML, which Trusted Types refuse. The third contains an HTML parser that few replies
 * need, the last two are code that no reply needs.
 */
const alias = {
  "react-style-singleton": inRoot("web/ui/appearance/style-singleton.ts"),
  "decode-named-character-reference": inRoot("node_modules/decode-named-character-reference/index.js"),
  "rehype-raw": inRoot("web/markdown/html/no-raw-html.ts"),
  "mdast-util-to-markdown": inRoot("web/markdown/no-stringifier.ts"),
  "tailwind-merge": inRoot("web/markdown/join-classes.ts"),
};

const web: UserConfig = {
  root: inRoot("web"),
  cacheDir: inRoot("node_modules/.vite"),
  resolve: { alias },
  // Catalogues are read as a whole: as one object literal a language is 1 % smaller than as named exports or
  // JSON.parse.
  json: { namedExports: false, stringify: false },
  plugins: [
    ...[react(), tailwindcss()],
    ...[
      pdfFiles(inRoot("node_modules/pdfjs-dist")),
      serviceWorker(inRoot("web")),
      precompress(),
      weigh({ root, report: inRoot("build/weights.json"), budgets }),
    ],
  ],
  // One file, for whose name the server knows that it is a worker's (server/http/static/static-files.ts).
  worker: { format: "es" },
  build: {
    outDir: inRoot("build/web"),
    emptyOutDir: true,
    target: "baseline-widely-available",
    // A data: URL would need an exception in the Content Security Policy.
    assetsInlineLimit: 0,
    // All targeted browsers support <link rel="modulepreload">.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: pageChunks(inRoot("web")) } } },
    // The plugin `weigh` measures the chunks, compressed with Brotli.
    reportCompressedSize: false,
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
  },
};

/**
 * Builds the page of the frame that draws diagrams into a separate folder. The frame has an opaque origin, so it shares
 * no file with the page around it. The ELK layout, as large as all the rest, is left out.
 */
const sandbox: UserConfig = {
  root: inRoot("web/sandbox"),
  base: "/sandbox/",
  cacheDir: inRoot("node_modules/.vite"),
  publicDir: false,
  resolve: { alias: [{ find: /^elkjs.*/, replacement: inRoot("web/sandbox/no-elk.ts") }] },
  plugins: [precompress(), weigh({ root, report: inRoot("build/frame-weights.json"), budgets: frameBudgets })],
  build: {
    ...web.build,
    outDir: inRoot("build/web/sandbox"),
    rolldownOptions: { input: inRoot("web/sandbox/diagram.html") },
  },
};

/** Builds the document of a link into a separate folder, so that it shares no chunk with the application. */
const share: UserConfig = {
  root: inRoot("web/shared-page"),
  base: "/shared-page/",
  cacheDir: inRoot("node_modules/.vite"),
  publicDir: false,
  json: web.json ?? {},
  plugins: [precompress(), weigh({ root, report: inRoot("build/share-weights.json"), budgets: shareBudgets })],
  build: {
    ...web.build,
    outDir: inRoot("build/web/shared-page"),
    rolldownOptions: { input: inRoot("web/shared-page/index.html") },
  },
};

/** Packages of many small files. Bundling them shortens the start by a third and saves 5 MB of memory. */
const bundledPackages = ["kysely", "zod", "jose", "uuid", "fastify-type-provider-zod", "eventsource-parser"];

/** Builds the server. Packages that are not bundled stay in node_modules, as their authors tested them. */
const server: UserConfig = {
  root,
  ssr: { noExternal: bundledPackages },
  build: {
    ssr: true,
    outDir: inRoot("build/server"),
    emptyOutDir: true,
    target: "node24",
    sourcemap: true,
    copyPublicDir: false,
    rolldownOptions: { output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" } },
  },
};

export default defineConfig(({ isSsrBuild, mode }) => {
  if (isSsrBuild === true) return server;
  if (mode === "share") return share;
  return mode === "sandbox" ? sandbox : web;
});
