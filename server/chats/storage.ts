import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { filePaths } from "#contract/files/paths.ts";
import { LARGEST_CHATS, type Storage, storageSchema } from "#contract/files/storage.ts";
import type { Database } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { identityOf } from "../http/session-hook.ts";
import { type QuotaSettings, quotaOf } from "../limits/quota.ts";
import { findStorage, listLargestChats } from "./chat-store.ts";

type StorageDeps = { database: Database; config: QuotaSettings };

/** Returns an account's stored bytes, quotas and largest chats. @throws Failure `not-found` if it was deleted */
async function storageOf({ database, config }: StorageDeps, userId: string): Promise<Storage> {
  const user = await findStorage(database, userId);
  if (!user) throw new Failure("not-found");
  const largest = await listLargestChats(database, userId, LARGEST_CHATS);
  return {
    bytes: user.stored_bytes,
    maxBytes: quotaOf(user, config),
    maxChatBytes: config.maxChatBytes,
    largest: largest.map(({ id, title, stored_bytes: bytes }) => ({ id, title, bytes })),
  };
}

export function storageRoutes(deps: StorageDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    app.get(
      filePaths.storage,
      {
        schema: {
          summary: "Get the storage of the account, its quotas and its largest chats",
          description:
            "In bytes of the export form: a message's text as JSON in UTF-8, with 300 bytes for its other fields. " +
            "Deleted chats count until they are removed for good.",
          tags: ["chats"],
          response: { 200: storageSchema },
        },
      },
      (request) => storageOf(deps, identityOf(request).userId),
    );
  };
  return routes;
}
