import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Failure } from "../failure.ts";
import { escapeHtml } from "../text/escape-html.ts";
import { sendProblem } from "./problems.ts";
import { frameHeaders, isOfApi } from "./security-headers.ts";

const PAGE = "/index.html";
const MANIFEST = "/manifest.webmanifest";
/** What the frames of diagrams load; nothing that belongs to anybody. */
const SANDBOX = "sandbox";
const ASSETS = "assets";
const YEAR_SECONDS = 31_536_000;

export type WebSettings = { folder: string; productName: string };

/**
 * Serves the built web part, compressed ahead where the browser takes it: assets carry their hash in their name and
 * are kept for a year; every other page address is answered by the one document. Without a built web part there is
 * the API alone.
 */
export async function serveWeb(app: FastifyInstance, { folder, productName }: WebSettings): Promise<void> {
  const page = await readFile(join(folder, PAGE), "utf8").then(
    (html) => withName(html, productName),
    () => undefined,
  );
  if (page !== undefined) {
    await app.register((scope) => serveFiles(scope, folder));
    await app.register((scope) => serveManifest(scope, join(folder, MANIFEST), productName));
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (page === undefined || !isPageRequest(request)) return sendProblem(reply, new Failure("not-found"));
    return sendPage(reply, page);
  });
}

/** Files are for everybody, and not among the calls that are described. */
function openRoutes(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, access: "open" };
    route.schema = { ...route.schema, hide: true };
  });
}

/**
 * The files are those of the start, as is the document that names them. The plugin's own route would list a file's
 * folder, of more than a thousand names, once or twice for each request.
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
      const isHashed = [ASSETS, join(SANDBOX, ASSETS)].some((assets) => path.startsWith(join(folder, assets, "/")));
      reply.header("cache-control", isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache");
      if (path.startsWith(join(folder, SANDBOX, "/"))) reply.headers(frameHeaders);
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

/** Paths of what may be asked for; the document and the manifest lack the product's name as they lie there. */
async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/")}`);
  return new Set(paths.filter((path) => path !== PAGE && path !== MANIFEST));
}

/** How a browser installs the application, under the product's name; a build without a manifest is served without. */
async function serveManifest(app: FastifyInstance, file: string, productName: string): Promise<void> {
  const built = await readFile(file, "utf8").catch(() => undefined);
  if (built === undefined) return;
  const manifest = JSON.stringify({ ...JSON.parse(built), name: productName, short_name: productName });
  openRoutes(app);
  app.get(MANIFEST, async (_request, reply) =>
    reply.header("cache-control", "no-cache").type("application/manifest+json; charset=utf-8").send(manifest),
  );
}

/** The document with the product's name in it, so that the first paint has it already. */
function withName(html: string, productName: string): string {
  const name = escapeHtml(productName);
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${name}</title>`)
    .replace(/(<meta name="(?:application-name|apple-mobile-web-app-title)" content=")[^"]*/g, (_, tag) => tag + name);
}

/** Judges the path as the router has decoded it: `/%61pi/gone` is an unknown path of the API, not a page. */
function isPageRequest({ method, params }: FastifyRequest): boolean {
  const path = `/${(params as { "*": string })["*"]}`;
  return (method === "GET" || method === "HEAD") && !isOfApi(path) && (path === PAGE || !/\.\w+$/.test(path));
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(page);
}
