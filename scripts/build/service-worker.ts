import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin, type Rolldown } from "vite";
import type { Build } from "../../web/service-worker/build.ts";

/** The script that the document begins with, and the screens that must open without a network. */
const ENTRY = "main.tsx";
const SCREENS = ["app/chat-page.tsx", "accounts/sign-in/login-screen.tsx"];
/** The letters that nearly all of a page is written in. */
const FONT = /\/inter-latin-wght-normal-[^/]*\.woff2$/;
/** Parts of ours that most visits never need: languages come when they are spoken, the list when a password is chosen. */
const RARE = /\/(locales\/[^/]+\/|accounts\/common-passwords\.ts)/;

/** What the document asks for that is no asset: it lies in the public folder. */
const BESIDE = /(?:src|href)="(\/(?!assets\/)[^"]+)"/g;

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

/**
 * Puts the service worker into the build as `sw.js`, which is told what the build is made of.
 * @param web the folder of the browser part
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

/** Another one for any other build. */
function idOf(...made: unknown[]): string {
  return createHash("sha256").update(JSON.stringify(made)).digest("hex").slice(0, 12);
}

/** What the service worker keeps of a build. Throws where the build lacks what must be there. */
export function whatIsKept(outputs: readonly Output[], web: string): Omit<Build, "id"> {
  const chunks = outputs.filter((output) => output.type === "chunk");
  const page = outputs.find(({ fileName }) => fileName === "index.html");
  const chunkOf = (source: string) => chunks.find(({ moduleIds }) => moduleIds.includes(join(web, source)));
  const entry = chunkOf(ENTRY);
  const screens = SCREENS.map(chunkOf);
  const fonts = outputs.map(({ fileName }) => `/${fileName}`).filter((path) => FONT.test(path));
  const starts = [entry, ...screens].filter((chunk) => chunk !== undefined);
  if (!entry || page?.type !== "asset" || starts.length <= SCREENS.length || fonts.length === 0) {
    throw new Error("The build lacks what the service worker keeps: a screen, the document, the entry or the font");
  }
  const own = chunks.filter(({ isDynamicEntry, facadeModuleId: source }) => {
    return isDynamicEntry && source?.startsWith(`${web}/`) && !RARE.test(source);
  });
  const shell = [...pathsOf(starts, chunks), ...fonts];
  const parts = pathsOf(own, chunks).filter((path) => !shell.includes(path));
  const beside = [...String(page.source).matchAll(BESIDE)].flatMap(([, path]) => path ?? []);
  return { entry: `/${entry.fileName}`, shell, beside, parts };
}

/** The chunks with all that they import at once, and their styles. */
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

/** One classic script without imports, as a worker needs it that is to start fast. */
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
