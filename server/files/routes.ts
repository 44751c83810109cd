import { Readable } from "node:stream";
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import {
  FILE_NAME_HEADER,
  fileIdSchema,
  fileTextSchema,
  UPLOAD_LENGTH_HEADER,
  UPLOAD_OFFSET_HEADER,
  uploadSchema,
} from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { Failure } from "../failure.ts";
import { arrivingBody } from "../http/arriving-body.ts";
import { identityOf } from "../http/session-hook.ts";
import type { OpenStreams } from "../http/streams/open-streams.ts";
import type { RouteApp } from "../http/validation.ts";
import { flowOf } from "../limits/flow-of.ts";
import type { Files } from "./files.ts";
import { sendFileBytes } from "./send-file-bytes.ts";
import type { Uploads } from "./uploads.ts";

const tags = ["files"];
const params = z.object({ id: fileIdSchema });

export type FileRoutesDeps = { files: Files; uploads: Uploads; streams: OpenStreams };

export function fileRoutes(deps: FileRoutesDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    await app.register(uploadRoute(deps));
    progressRoute(app, deps);
    readingRoutes(app, deps);
    app.delete(
      filePaths.file(":id"),
      { schema: { summary: "Remove a file that no message names", tags, params } },
      async (request, reply) => {
        await deps.files.remove(identityOf(request).userId, request.params.id);
        return reply.code(204).send();
      },
    );
  };
  return routes;
}

/** Media type of bodies. No other, because a form of another website can send some without asking the browser first. */
const BODY_TYPE = "application/octet-stream";

/** A plugin of its own, whose bodies are not parsed but streamed. */
function uploadRoute({ uploads, streams }: FileRoutesDeps): FastifyPluginAsyncZod {
  return async (app) => {
    (app as unknown as FastifyInstance).removeAllContentTypeParsers();
    app.addContentTypeParser(BODY_TYPE, (_request, payload, done) => done(null, payload));
    app.put(
      filePaths.file(":id"),
      {
        bodyLimit: Number.MAX_SAFE_INTEGER,
        schema: {
          summary: "Upload a file, or a piece of it",
          description:
            "The body is the file's bytes as `application/octet-stream`. The client chooses the id, a UUID. The name is in " +
            `\`${FILE_NAME_HEADER}\`, percent-encoded. ` +
            "A piece has `Content-Range: bytes 0-99/200`; `bytes */200` without a body asks for the state. " +
            "`file` is present once the file is whole and read.",
          tags,
          params,
          response: { 200: uploadSchema },
        },
      },
      async (request, reply) => {
        // A session that ends while the body arrives ends the connection.
        streams.watchBody(request, reply);
        return uploads.receive({ ...pieceOf(request), id: request.params.id });
      },
    );
  };
}

function pieceOf(request: FastifyRequest) {
  const { headers, body } = request;
  const { at, total, length } = rangeOf(headers);
  const bytes: AsyncIterable<Uint8Array> = body instanceof Readable ? body : Readable.from([]);
  const { userId, sessionId } = identityOf(request);
  const flow = flowOf(request.client, userId);
  const name = nameOf(headers[FILE_NAME_HEADER]);
  return { userId, sessionId, name, at, total, length, bytes, flow, body: arrivingBody(request) };
}

/**
 * Returns position and length of a piece, and the size of the file. Bytes need a declared length, which the store
 * compares with those that arrive.
 * @throws Failure `invalid-input`
 */
function rangeOf(headers: FastifyRequest["headers"]): { at: number | null; total: number; length: number } {
  const range = headers["content-range"];
  const [, from, to, asked] = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/.exec(range ?? "") ?? [];
  if (range !== undefined && asked === undefined) throw new Failure("invalid-input");
  if (asked !== undefined && from === undefined) return { at: null, total: Number(asked), length: 0 };
  const declared = headers["content-length"];
  if (declared === undefined) throw new Failure("invalid-input");
  const length = Number(declared);
  if (asked === undefined) return { at: 0, total: length, length };
  const [at, total] = [Number(from), Number(asked)];
  const isRange = length > 0 && Number(to) - at + 1 === length && Number(to) < total;
  if (!isRange) throw new Failure("invalid-input");
  return { at, total, length };
}

function nameOf(header: string | string[] | undefined): string {
  try {
    return decodeURIComponent(String(header ?? ""));
  } catch {
    throw new Failure("invalid-input");
  }
}

function progressRoute(app: RouteApp, { uploads }: FileRoutesDeps): void {
  app.head(
    filePaths.file(":id"),
    {
      schema: {
        summary: "Get how much of a file is stored",
        description: `In bytes: \`${UPLOAD_OFFSET_HEADER}\` are stored, \`${UPLOAD_LENGTH_HEADER}\` is the size of the file.`,
        tags,
        params,
      },
    },
    async (request, reply) => {
      const { stored, size } = await uploads.progressOf(identityOf(request).userId, request.params.id);
      return reply.header(UPLOAD_OFFSET_HEADER, String(stored)).header(UPLOAD_LENGTH_HEADER, String(size)).send();
    },
  );
}

function readingRoutes(app: RouteApp, { files }: FileRoutesDeps): void {
  app.get(
    filePaths.file(":id"),
    { exposeHeadRoute: false, schema: { summary: "Download a file", tags, params } },
    async (request, reply) => {
      const { file, bytes } = await files.open(identityOf(request).userId, request.params.id);
      return sendFileBytes(reply, file, bytes);
    },
  );
  app.get(
    filePaths.fileText(":id"),
    { schema: { summary: "Get the readable text of a document", tags, params, response: { 200: fileTextSchema } } },
    (request) => files.textOf(identityOf(request).userId, request.params.id),
  );
}
