import { Readable } from "node:stream";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { chatParamsSchema } from "#contract/conversation/chat-calls.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import {
  type ChatExportFormat,
  chatExportQuerySchema,
  IMPORT_BODY_MAX,
  importResultSchema,
} from "#contract/transfer/transfer.ts";
import type { SecurityLog } from "../accounts/sessions/security-log.ts";
import type { Flow } from "../concurrency/fair-queue.ts";
import type { HeavyReads } from "../concurrency/heavy-reads.ts";
import { KeyedSemaphore, type Release, type SemaphoreLimits } from "../concurrency/keyed-semaphore.ts";
import { refuseBelowFloor } from "../config/disk-space.ts";
import { findSize } from "../conversation/branch-store.ts";
import { requireChat } from "../conversation/message-rows.ts";
import type { ChatRow } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { asDownload } from "../http/content-disposition.ts";
import { identityOf } from "../http/session-hook.ts";
import type { OpenStreams } from "../http/streams/open-streams.ts";
import { textStream } from "../http/streams/text-stream.ts";
import { jsonParser, type RouteApp } from "../http/validation.ts";
import { flowOf } from "../limits/flow-of.ts";
import type { Limits } from "../limits/limits.ts";
import { exportDocx } from "./docx/export-docx.ts";
import { type ExportDeps, exportAccount, exportSingleChat } from "./export-json.ts";
import { exportMarkdown } from "./export-markdown.ts";
import { fileNameOf } from "./file-name.ts";
import { exportHtml, HTML_POLICY } from "./html/export-html.ts";
import { type ImportDeps, importDocument } from "./import/import-document.ts";
import type { FileOptions } from "./shown-branch.ts";
import { hasNamedFiles } from "./transfer-store.ts";
import { type ExportScope, exportZip } from "./zip/export-zip.ts";

export type TransferRoutesDeps = Omit<ExportDeps, "read"> &
  Omit<ImportDeps, "step"> & {
    limits: Limits;
    streams: OpenStreams;
    securityLog: SecurityLog;
    heavyReads: HeavyReads;
    rendering: KeyedSemaphore;
  };

const tags = ["export"];

type WriteDeps = ExportDeps & { rendering: KeyedSemaphore; flow: Flow };

/** Content of a file: text in pieces, or bytes. */
type Content = AsyncGenerator<string> | Uint8Array;

type Form = {
  extension: string;
  mediaType: string;
  write(deps: WriteDeps, chat: ChatRow, options: FileOptions): Content | Promise<Content>;
};

const forms: Record<ChatExportFormat, Form> = {
  markdown: { extension: "md", mediaType: "text/markdown", write: exportMarkdown },
  json: { extension: "json", mediaType: "application/json", write: exportSingleChat },
  html: { extension: "html", mediaType: "text/html", write: exportHtml },
  docx: {
    extension: "docx",
    mediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    write: exportDocx,
  },
};

/** A document of some 20 MB is in memory until its client has it, so each account has one at a time per process. */
const DOCUMENT_LIMITS: SemaphoreLimits = {
  atOnce: Number.POSITIVE_INFINITY,
  maxWaiting: 0,
  perAccount: { atOnce: 1, maxWaiting: 10, retryAfterSeconds: 10 },
};

export function transferRoutes(deps: TransferRoutesDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    exportRoutes(app, deps);
    importRoute(app, deps);
  };
  return routes;
}

function exportRoutes(app: RouteApp, deps: TransferRoutesDeps): void {
  const { database, clock, installation, limits, streams } = deps;
  const documents = new KeyedSemaphore(DOCUMENT_LIMITS);
  const readOf = (request: FastifyRequest) => deps.heavyReads.of(flowOf(request.client, identityOf(request).userId));
  app.get(
    transferPaths.chatExport(":id"),
    {
      schema: {
        summary: "Export a chat as a file",
        description:
          "Markdown, HTML and Word documents (`docx`) contain the selected branch, JSON all branches: docs/export-format.md. " +
          "JSON of a chat with files is in a zip (`application/zip`), as `chats.json` beside the files. " +
          "HTML and Word documents contain notices, small pictures, and with `reasoning=true` the models' reasoning. " +
          "A chat that is too long for a Word document is refused with `document-too-large`. " +
          "With `message`, a file other than JSON contains only this message of the chat, of any branch.",
        tags,
        params: chatParamsSchema,
        querystring: chatExportQuerySchema,
      },
    },
    async (request, reply) => {
      const { userId } = identityOf(request);
      const chat = await requireChat(database, userId, request.params.id);
      const { format, reasoning, message: id } = request.query;
      const message = id === undefined ? undefined : await findSize(database, { userId, chatId: chat.id, id });
      if (id !== undefined && !message) throw new Failure("not-found");
      await limits.take("export", userId);
      const { extension, mediaType, write } = forms[format];
      const signal = streams.watch(request, reply);
      const flow = flowOf(request.client, userId);
      const writeDeps = { ...deps, flow, read: readOf(request) };
      const options = { signal, withReasoning: reasoning === "true", message };
      const writing = async () => {
        if (format === "docx") await holdUntilSent(documents, flow, { reply, signal });
        return write(writeDeps, chat, options);
      };
      const content = await writing().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      // The client has disconnected.
      if (!content) return reply.hijack();
      const name = fileNameOf(chat.title, extension);
      if (content instanceof Uint8Array) return download(reply, name, mediaType).send(content);
      if (format === "json") return sendDocument(reply, deps, { userId, chatId: chat.id, title: chat.title }, content);
      if (mediaType === "text/html") reply.header("content-security-policy", HTML_POLICY);
      return sendFile(reply, { name, mediaType }, content);
    },
  );
  app.get(
    transferPaths.export,
    {
      config: { proof: true },
      schema: {
        summary: "Export all chats of the account as one file",
        description:
          "Includes archived chats, all branches, folders and presets: docs/export-format.md. If messages name files, a zip " +
          "(`application/zip`) of `chats.json` and the files, else the JSON itself.",
        tags,
      },
    },
    async (request, reply) => {
      const { userId } = identityOf(request);
      await limits.take("export", userId);
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      streams.watch(request, reply);
      const title = `${installation.current.productName} ${day}`;
      return sendDocument(reply, deps, { userId, title }, exportAccount({ ...deps, read: readOf(request) }, userId));
    },
  );
}

/** Takes a slot that is released when the reply is sent or its client has left. */
async function holdUntilSent(
  slots: KeyedSemaphore,
  flow: Flow,
  { reply, signal }: { reply: FastifyReply; signal: AbortSignal },
): Promise<void> {
  const release = await slots.acquire(flow, signal);
  reply.raw.once("close", release);
  if (reply.raw.destroyed) release();
}

/** Streams a text with backpressure: the database is read only as fast as the client receives. */
function sendFile(
  reply: FastifyReply,
  { name, mediaType }: { name: string; mediaType: string },
  pieces: AsyncGenerator<string>,
): FastifyReply {
  return download(reply, name, `${mediaType}; charset=utf-8`).send(textStream(pieces));
}

/** Streams a JSON document; if its messages name files, in a zip with them. */
async function sendDocument(
  reply: FastifyReply,
  deps: TransferRoutesDeps,
  { title, ...scope }: ExportScope & { title: string },
  pieces: AsyncGenerator<string>,
): Promise<FastifyReply> {
  if (!(await hasNamedFiles(deps.database, scope))) {
    return sendFile(reply, { name: fileNameOf(title, "json"), mediaType: "application/json" }, pieces);
  }
  const zip = exportZip(deps, scope, textStream(pieces));
  return download(reply, fileNameOf(title, "zip"), "application/zip").send(Readable.from(zip, { objectMode: false }));
}

function download(reply: FastifyReply, name: string, type: string): FastifyReply {
  return asDownload(reply, { name, type, fallback: "chat" });
}

/**
 * Refuses a body that is no JSON, or that costs more than any export, as a file that is no export: people send their
 * files as they are, and JSON of other products has objects of thousands of keys.
 */
function refuseForeignBodies(app: RouteApp): void {
  const parseJson = jsonParser(app);
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, text, done) =>
    parseJson(request, String(text), (error, body) =>
      error ? done(new Failure("not-an-export", { cause: error })) : done(null, body),
    ),
  );
}

/** Each account has one import at a time per process, because each may hold a whole body in memory. */
const IMPORT_LIMITS: SemaphoreLimits = {
  atOnce: Number.POSITIVE_INFINITY,
  maxWaiting: 0,
  perAccount: { atOnce: 1, maxWaiting: 0, retryAfterSeconds: 2 },
};

function importRoute(app: RouteApp, deps: TransferRoutesDeps): void {
  refuseForeignBodies(app);
  const importing = new KeyedSemaphore(IMPORT_LIMITS);
  /** Releases the semaphore slots of requests whose handler has not started. */
  const releases = new WeakMap<FastifyRequest, Release>();
  app.post(
    transferPaths.import,
    {
      config: { limit: "own" },
      bodyLimit: IMPORT_BODY_MAX,
      // Before the body is read, because it may be large.
      onRequest: async (request, reply) => {
        await refuseBelowFloor(deps);
        const { userId } = identityOf(request);
        const release = await importing.acquire(flowOf(request.client, userId));
        releases.set(request, release);
        reply.raw.once("close", () => releases.get(request)?.());
        if (reply.raw.destroyed) release();
        await deps.limits.take("import", userId);
      },
      onSend: async (request) => releases.get(request)?.(),
      schema: {
        summary: "Import exported chats",
        description:
          "The body is the JSON of an export, or a part of it; one import of an account runs at a time. Existing chats are " +
          "skipped, invalid ones reported. A chat with an `origin` that the account has imported and deleted stays deleted " +
          "with `again: false`. Messages name the files that the account has uploaded under their ids: upload them " +
          "before, or import the chat again. Refused with `storage-full` while the disk has too little space (MIN_FREE_DISK_MB).",
        tags,
        // Validated by `importDocument`, whose error names the expected format.
        body: z.unknown(),
        response: { 200: importResultSchema },
      },
    },
    async (request) => {
      const release = releases.get(request);
      // From here on the slot is held until the import ends, even if the client disconnects.
      releases.delete(request);
      try {
        const { userId } = identityOf(request);
        const { step } = deps.heavyReads.of(flowOf(request.client, userId));
        return await importDocument({ ...deps, step }, userId, request.body, (db) =>
          deps.securityLog.record(db, "instructions-changed", userId, request.client),
        );
      } finally {
        release?.();
      }
    },
  );
}
