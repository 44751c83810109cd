import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin, type Rolldown } from "vite";
import type { Build } from "../../web/service-worker/build.ts";

/** Entry script of the document, and the screens that must open offline. */
const ENTRY = "main.tsx";
const SCREENS = ["app/chat-page.tsx", "accounts/sign-in/login-screen.tsx"];
/** The Latin subset of the font, which nearly all text uses. */
const FONT = /\/inter-latin-wght-normal-[^/]*\.woff2$/;
/** Our modules that most visits never need. Chunks with no other module of ours are not cached ahead of their use. */
const COMMON_PASSWORDS = "accounts/registration/common-passwords.ts";
const RARE = new RegExp(`/(locales/[^/]+/|${COMMON_PASSWORDS.replaceAll(".", "\\.")})`);

/** References of the document to files of the public folder. */
const BESIDE = /(?:src|href)="(\/(?!assets\/)[^"]+)"/g;

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

/**
 * Writes the service worker into the build as `sw.js`, with the list of files to cache.
 * @param web path of the folder `web/`
 */
export function serviceWorker(web: string): Plugin {
  return {
    name: "parley:service-worker",
    apply: "build",
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const kept = whatIsKept(Object.values(bundle), web);
        const publicFiles = await Promise.all(kept.beside.map((path) => readFile(join(web, "public", path), "hex")));
        const page = bundle["index.html"];
        const made: Build = { id: idOf(kept, publicFiles, page?.type === "asset" && String(page.source)), ...kept };
        const source = `const BUILD=${JSON.stringify(made)};\n${await bundleWorker(web)}`;
        this.emitFile({ type: "asset", fileName: "sw.js", source });
      },
    },
  };
}

/** Content hash of a build. */
function idOf(...made: unknown[]): string {
  return createHash("sha256").update(JSON.stringify(made)).digest("hex").slice(0, 12);
}

/** Lists the files of a build that the service worker caches. @throws Error if the build lacks a required file */
export function whatIsKept(outputs: readonly Output[], web: string): Omit<Build, "id"> {
  const chunks = outputs.filter((output) => output.type === "chunk");
  const page = outputs.find(({ fileName }) => fileName === "index.html");
  const chunkOf = (source: string) => chunks.find(({ moduleIds }) => moduleIds.includes(join(web, source)));
  const entry = chunkOf(ENTRY);
  const screens = SCREENS.map(chunkOf);
  const fonts = outputs.map(({ fileName }) => `/${fileName}`).filter((path) => FONT.test(path));
  const starts = [entry, ...screens].filter((chunk) => chunk !== undefined);
  const isComplete = starts.length > SCREENS.length && fonts.length > 0 && chunkOf(COMMON_PASSWORDS) !== undefined;
  if (!entry || page?.type !== "asset" || !isComplete) {
    throw new Error(
      "The build lacks a file that the service worker knows: a screen, the document, the entry, the font or a rare module",
    );
  }
  const own = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.startsWith(`${web}/`) && !RARE.test(id)));
  const shell = [...pathsOf(starts, chunks), ...fonts];
  const parts = pathsOf(own, chunks).filter((path) => !shell.includes(path));
  const beside = [...String(page.source).matchAll(BESIDE)].flatMap(([, path]) => path ?? []);
  return { entry: `/${entry.fileName}`, shell, beside, parts };
}

/** Returns the paths of the chunks, of their transitive static imports, and of their styles. */
function pathsOf(starts: readonly Rolldown.OutputChunk[], chunks: readonly Rolldown.OutputChunk[]): string[] {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set(starts);
  for (const chunk of found) {
    for (const file of chunk.imports) {
      const next = byFile.get(file);
      if (next) found.add(next);
    }
  }
  const files = [...found].flatMap((chunk) => [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]);
  return [...new Set(files)].map((file) => `/${file}`);
}

/** Bundles the worker as one classic script without imports, which starts fastest. */
async function bundleWorker(web: string): Promise<string> {
  const result = await build({
    configFile: false,
    root: web,
    logLevel: "warn",
    build: {
      write: false,
      copyPublicDir: false,
      target: "baseline-widely-available",
      modulePreload: false,
      rolldownOptions: { input: join(web, "service-worker/service-worker.ts"), output: { format: "iife" } },
    },
  });
  const [{ output }] = [result].flat() as [Rolldown.RolldownOutput];
  return output[0].code;
}
