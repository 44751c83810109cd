import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyPluginAsync, onSendAsyncHookHandler } from "fastify";
import { modelListSchema } from "#contract/models/models.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { type Identity, identityOf } from "../http/session-hook.ts";
import type { ModelAccess } from "./model-access.ts";
import type { Models } from "./open-models.ts";

const compress = promisify(gzip);

/** A shorter list fits in a few packets. In UTF-16 units. */
const COMPRESSED_FROM = 16 * 1024;

/** Compresses a long list of models for clients that accept gzip. It has no secret beside text that others choose. */
const compressLong: onSendAsyncHookHandler<unknown> = async (request, reply, payload) => {
  if (typeof payload !== "string" || payload.length < COMPRESSED_FROM) return payload;
  reply.header("vary", "accept-encoding");
  if (!/\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""))) return payload;
  reply.header("content-encoding", "gzip").removeHeader("content-length");
  return compress(payload);
};

/** `accessOf`: reads which models an account may use. */
export type ModelRoutesDeps = { models: Models; accessOf: (identity: Identity) => Promise<ModelAccess> };

export function modelRoutes({ models, accessOf }: ModelRoutesDeps): FastifyPluginAsync {
  return async (app) => {
    app.get(
      modelPaths.models,
      {
        config: { role: "signed-in" },
        onSend: compressLong,
        schema: {
          summary: "List the models that the account may use, in groups",
          tags: ["models"],
          response: { 200: modelListSchema },
        },
      },
      async (request) => models.list(await accessOf(identityOf(request))),
    );
  };
}
