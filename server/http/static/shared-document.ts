import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyRequest, FastifySchema } from "fastify";
import { SHARE_LINK_PATH } from "#contract/shares/paths.ts";
import { Failure } from "../../failure.ts";
import { escapeHtml } from "../../text/escape-html.ts";
import { namedPage, SHARED_PAGE } from "./static-files.ts";

/** Title of a link that anybody may open. */
export type LinkPreview = { title: string };

/**
 * `folder`: the built web application. `productName`: returns the current name. `previewOf`: reads the preview of a link;
 * null for one that is restricted, has ended or never was, and for a network that reads too many.
 */
export type SharedDocumentDeps = {
  folder: string;
  productName: () => string;
  previewOf: (token: string, client: FastifyRequest["client"]) => Promise<LinkPreview | null>;
};

/**
 * Search engines must not list a link. Nothing is cached, as a link may end at any time, and its address is sent to no
 * other page.
 */
const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

/** `isSecretPath`: the address is the key to the content. */
const config = { role: "open", isSecretPath: true } as const;
const schema: FastifySchema = { hide: true };

/**
 * Answers every path of a link with the document that reads its page from the API: for a link without a preview with the
 * same bytes, whether it exists or not.
 */
export async function serveSharedDocument(app: FastifyInstance, deps: SharedDocumentDeps): Promise<void> {
  const built = await readFile(join(deps.folder, SHARED_PAGE), "utf8").catch(() => undefined);
  const url = `${SHARE_LINK_PATH}*`;
  app.route<{ Params: { "*": string } }>({
    method: ["GET", "HEAD"],
    url,
    config,
    schema,
    handler: async (request, reply) => {
      if (built === undefined) throw new Failure("not-found");
      const preview = await deps.previewOf(request.params["*"], request.client);
      return reply.headers(headers).send(withPreview(built, deps.productName(), preview));
    },
  });
  app.route({
    method: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    url,
    config: { ...config, isRefusal: true },
    schema,
    handler: async (_request, reply) => {
      reply.header("allow", "GET, HEAD");
      throw new Failure("method-not-allowed");
    },
  });
}

function withPreview(built: string, productName: string, preview: LinkPreview | null): string {
  const page = namedPage(built, productName);
  if (preview === null) return page;
  const [title, site] = [preview.title, productName].map(escapeHtml);
  const tags = [
    `<title>${title}</title>`,
    `<meta property="og:title" content="${title}" />`,
    `<meta property="og:site_name" content="${site}" />`,
  ];
  return page.replace(/<title>[^<]*<\/title>/, () => tags.join(""));
}
