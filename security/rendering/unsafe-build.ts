import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { BrowserContext } from "@playwright/test";
import { build, type Plugin, type UserConfig } from "vite";
import { root } from "../../scripts/child.mjs";
import config from "../../vite.config.ts";

const markdown = join(root, "web", "markdown");
/** Suffix of the id of a module that is loaded unchanged beside its replacement. */
const REAL = "?real";

/** Replacements of the sanitising modules that sanitise nothing. */
const unsafe: Record<string, string> = {
  "reply-schema.ts":
    "export const sanitizeHtml = (tree) => tree; export const rehypeSafeMarkdown = () => (tree) => tree;",
  "safe-link.ts": "export const safeLink = (address) => (typeof address === 'string' ? address : null);",
  "reply-components.tsx": `
    export * from "./reply-components.tsx${REAL}";
    export const replyComponents = {};`,
  // Bypasses Trusted Types too, and inserts HTML in the one way that executes scripts.
  "rich-reply.tsx": `
    import { useEffect, useRef } from "react";
    import { MarkdownReply } from "./markdown-reply.tsx";
    const policy = globalThis.trustedTypes.createPolicy("unsafe", { createHTML: (text) => text });
    export default function RichReply(props) {
      const place = useRef(null);
      useEffect(() => {
        const range = document.createRange();
        range.selectNodeContents(place.current);
        place.current.replaceChildren(range.createContextualFragment(policy.createHTML(props.text)));
      }, [props.text]);
      return <><MarkdownReply {...props} /><div ref={place} data-unsafe="" /></>;
    }`,
};

const swap: Plugin = {
  name: "nothing-is-sanitised",
  enforce: "pre",
  load: (id) => unsafe[id.startsWith(`${markdown}/`) ? id.slice(markdown.length + 1) : ""],
  buildEnd(error) {
    const missing = Object.keys(unsafe).filter((file) => !this.getModuleInfo(join(markdown, file)));
    if (!error && missing.length > 0) this.error(`No module of the page is named ${missing.join(" or ")}`);
  },
};

/** A temporary build of the page that sanitises nothing; the product has no switch for it. */
export class UnsafeBuild implements AsyncDisposable {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Serves this build to a browser instead of the server's, with the server's headers. */
  async serveTo(context: BrowserContext): Promise<void> {
    await context.route(
      ({ pathname }) => pathname.startsWith("/assets/"),
      async (route) => {
        const file = join(this.#folder, new URL(route.request().url()).pathname);
        // The service worker requests files of the server's own build.
        if (!existsSync(file)) return route.fallback();
        const contentType = contentTypes[extname(file)] ?? "application/octet-stream";
        await route.fulfill({ body: await readFile(file), contentType });
      },
    );
    // Any page may be loaded first, and each requests the scripts of its own build.
    await context.route(
      ({ pathname }) => !/^\/(?:assets|api|sandbox)\//.test(pathname),
      async (route) => {
        if (!route.request().isNavigationRequest()) return route.fallback();
        const response = await route.fetch();
        await route.fulfill({ response, body: await readFile(join(this.#folder, "index.html"), "utf8") });
      },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const contentTypes: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
};

/** Removes the plugins that write outside the build's folder, such as the weights of the real build. */
const keptPlugins = (plugins: UserConfig["plugins"] = []) =>
  plugins.filter(
    (plugin) => !(plugin && "name" in plugin && ["parley:weigh", "parley:precompress"].includes(plugin.name)),
  );

export async function buildUnsafe(): Promise<UnsafeBuild> {
  const folder = await mkdtemp(join(tmpdir(), "parley-unsafe-web-"));
  const web = await config({ command: "build", mode: "production", isSsrBuild: false });
  const { NODE_ENV } = process.env;
  try {
    await build({
      ...web,
      configFile: false,
      logLevel: "error",
      plugins: [swap, ...keptPlugins(web.plugins)],
      build: { ...web.build, outDir: folder, emptyOutDir: true },
    });
  } finally {
    // Vite sets it to "production", in which later tests of this process would have no React.act.
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
  return new UnsafeBuild(folder);
}
