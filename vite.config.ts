import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type UserConfig } from "vite";
import { budgets, frameBudgets } from "./scripts/build/budgets.ts";
import { pageChunks } from "./scripts/build/page-chunks.ts";
import { precompress } from "./scripts/build/precompress.ts";
import { serviceWorker } from "./scripts/build/service-worker.ts";
import { weigh } from "./scripts/build/weigh.ts";

const root = import.meta.dirname;
const inRoot = (...parts: string[]) => join(root, ...parts);

/**
 * Packages whose browser form the content policy forbids: one appends <style> elements, one parses text through
 * innerHTML, which Trusted Types refuses: one `&amp;` in a reply would take the page down. And one that brings an HTML
 * parser along which few replies need.
 */
const alias = {
  "react-style-singleton": inRoot("web/ui/appearance/style-singleton.ts"),
  "decode-named-character-reference": inRoot("node_modules/decode-named-character-reference/index.js"),
  "rehype-raw": inRoot("web/markdown/html/no-raw-html.ts"),
};

/** What every page needs of others' code, in one piece: smaller than in several, and kept by browsers over our releases. */
const everyPage = {
  name: "every-page",
  priority: 10,
  test: /\/node_modules\/(react|react-dom|scheduler|react-router|i18next|react-i18next|zod|clsx)\//,
};

const web: UserConfig = {
  root: inRoot("web"),
  cacheDir: inRoot("node_modules/.vite"),
  resolve: { alias },
  // Catalogues are read whole: as one object literal a language weighs 1 % less than with exports by name or JSON.parse.
  json: { namedExports: false, stringify: false },
  plugins: [
    ...[react(), tailwindcss()],
    ...[serviceWorker(inRoot("web")), precompress(), weigh({ root, report: inRoot("build/weights.json"), budgets })],
  ],
  build: {
    outDir: inRoot("build/web"),
    emptyOutDir: true,
    target: "baseline-widely-available",
    // A data: address would need a hole in the content policy.
    assetsInlineLimit: 0,
    // Every browser of the target knows <link rel="modulepreload"> itself.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [everyPage, ...pageChunks(inRoot("web"))] } } },
    // Our own chunks are weighed in brotli by `weigh`.
    reportCompressedSize: false,
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
  },
};

/**
 * The page within the frame of diagrams, in a folder of its own: what it loads is served to an origin without a name, so
 * no file is shared with the page around it. One way of laying out that weighs as much as all the rest is left out.
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

/** Of many small files each: read as part of the bundle they take a third off a start, and 5 MB of memory. */
const bundledPackages = ["kysely", "zod", "jose", "uuid", "fastify-type-provider-zod", "eventsource-parser"];

/** All other packages stay in node_modules, as tested by their makers. */
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
  return mode === "sandbox" ? sandbox : web;
});
