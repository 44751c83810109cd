import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { API_BASE } from "#contract/paths.ts";
import { escapeHtml } from "../escape-html.ts";
import { Failure } from "../failure.ts";
import { sendProblem } from "./problems.ts";

const PAGE = "/index.html";
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
  if (page !== undefined) await app.register((scope) => serveFiles(scope, folder));
  app.setNotFoundHandler(async (request, reply) => {
    if (page === undefined || !isPageRequest(request)) return sendProblem(reply, new Failure("not-found"));
    return sendPage(reply, page);
  });
}

async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, access: "open" };
    route.schema = { ...route.schema, hide: true };
  });
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    cacheControl: false,
    dotfiles: "deny",
    index: false,
    // The document lacks the product's name as it lies there; folders, which are refused to clients without brotli, are
    // page addresses like any other.
    allowedPath: (path) => path !== PAGE && !path.endsWith("/"),
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, "assets"));
      reply.header("cache-control", isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache");
    },
  });
}

/** The document with the product's name in it, so that the first paint has it already. */
function withName(html: string, productName: string): string {
  const name = escapeHtml(productName);
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${name}</title>`)
    .replace(/(<meta name="application-name" content=")[^"]*/, (_, tag: string) => tag + name);
}

function isPageRequest({ method, url }: FastifyRequest): boolean {
  const [path = ""] = url.split("?");
  return (
    (method === "GET" || method === "HEAD") &&
    !`${path}/`.startsWith(`${API_BASE}/`) &&
    (path === PAGE || !/\.\w+$/.test(path))
  );
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(page);
}
