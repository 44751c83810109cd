import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Failure } from "../../failure.ts";
import { escapeHtml } from "../../text/escape-html.ts";
import { sendProblem } from "../problems.ts";
import { frameHeaders, isOfApi, removeDocumentHeaders } from "../security-headers.ts";

const PAGE = "/index.html";
const MANIFEST = "/manifest.webmanifest";
/** Folder of the files that the diagram frames load. It contains no user data. */
const SANDBOX = "sandbox";
const ASSETS = "assets";
/** Folder of the document of a link and its files. */
const SHARED = "shared-page";
/** The built document of a link. It is served only at the paths of links (shared-document.ts). */
export const SHARED_PAGE = `/${SHARED}/index.html`;
const YEAR_SECONDS = 31_536_000;

/** `productName` returns the current name, which the pages contain. */
export type WebSettings = { folder: string; productName: () => string };

/**
 * Serves the built web application, precompressed if the browser accepts it. Assets have a hash in their name and are
 * cached for a year. Every page URL is answered with the same HTML document. Without a build only the API is served.
 */
export async function serveWeb(app: FastifyInstance, { folder, productName }: WebSettings): Promise<void> {
  const html = await readFile(join(folder, PAGE), "utf8").catch(() => undefined);
  const page = html === undefined ? undefined : renderedFor(productName, (name) => namedPage(html, name));
  if (page !== undefined) {
    await app.register((scope) => serveFiles(scope, folder));
    await app.register((scope) => serveManifest(scope, join(folder, MANIFEST), productName));
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (page === undefined || !isPageRequest(request)) return sendProblem(reply, new Failure("not-found"));
    return sendPage(reply, page());
  });
}

/** Makes all routes of a scope public, and hides them from the API description. */
function openRoutes(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, role: "open" };
    route.schema = { ...route.schema, hide: true };
  });
}

/**
 * Serves the files that exist at startup, like the document that refers to them. The plugin's own route would list a
 * file's folder, of more than a thousand names, once or twice per request.
 */
async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  openRoutes(app);
  const files = await listFiles(folder);
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: "deny",
    index: false,
    setHeaders: (reply, path) => {
      const isHashed = [ASSETS, join(SANDBOX, ASSETS), join(SHARED, ASSETS)].some((assets) =>
        path.startsWith(join(folder, assets, "/")),
      );
      reply.header("cache-control", isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache");
      if (path.startsWith(join(folder, SANDBOX, "/"))) reply.headers(frameHeaders);
      else if (isEmbedded(relative(folder, path).replaceAll(sep, "/"))) removeDocumentHeaders(reply);
    },
  });
  app.route<{ Params: { "*": string } }>({
    method: ["HEAD", "GET"],
    url: "/*",
    handler: (request, reply) => {
      const path = `/${request.params["*"]}`;
      return files.has(path) ? reply.sendFile(path) : reply.callNotFound();
    },
  });
}

/** Scripts of workers: the service worker, and files that the build names after a module `…-worker.ts`. */
const WORKER = /^(?:sw|assets\/[^/]+-worker-[^/.]+)\.js\b/;

/**
 * Whether documents only embed this file. A worker's script is not embedded: its headers are the worker's own policy.
 * An SVG image is a document if it is opened alone.
 * @param file path in the build, with `.br` or `.gz` if it is compressed
 */
const isEmbedded = (file: string) => /\.(css|js|woff2)(\.(br|gz))?$/.test(file) && !WORKER.test(file);

/** Files that lack the product's name on disk. */
const unnamed: readonly string[] = [PAGE, SHARED_PAGE, MANIFEST];

/** Lists the paths to serve as they are. */
async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/")}`);
  return new Set(paths.filter((path) => !unnamed.includes(path)));
}

/** Serves the web app manifest, with the product's name, if the build has one. */
async function serveManifest(app: FastifyInstance, file: string, productName: () => string): Promise<void> {
  const built = await readFile(file, "utf8").catch(() => undefined);
  if (built === undefined) return;
  const manifest = renderedFor(productName, (name) => JSON.stringify({ ...JSON.parse(built), name, short_name: name }));
  openRoutes(app);
  app.get(MANIFEST, async (_request, reply) =>
    reply.header("cache-control", "no-cache").type("application/manifest+json; charset=utf-8").send(manifest()),
  );
}

/** Returns a text with the product's name, which is rendered again only when the name has changed. */
function renderedFor(productName: () => string, render: (name: string) => string): () => string {
  let last: { name: string; text: string } | undefined;
  return () => {
    const name = productName();
    if (last?.name !== name) last = { name, text: render(name) };
    return last.text;
  };
}

/** Inserts the product's name into a document, so that the first paint shows it. */
export function namedPage(html: string, productName: string): string {
  const name = escapeHtml(productName);
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${name}</title>`)
    .replace(/(<meta name="(?:application-name|apple-mobile-web-app-title)" content=")[^"]*/g, (_, tag) => tag + name);
}

/** Checks the path that the router has decoded: `/%61pi/gone` is an unknown path of the API, not a page. */
function isPageRequest({ method, params }: FastifyRequest): boolean {
  const path = `/${(params as { "*": string })["*"]}`;
  return (method === "GET" || method === "HEAD") && !isOfApi(path) && (path === PAGE || !/\.\w+$/.test(path));
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(page);
}
