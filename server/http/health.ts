import { statfs } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import * as z from "zod/mini";
import type { Database } from "../database/schema.ts";
import { Failure } from "../failure.ts";

const statusSchema = z.object({ status: z.string() });

export type HealthGround = { database: Database; dataDir: string; isDraining: () => boolean };

/** With less than this nothing can be stored for long. */
const MIN_FREE_BYTES = 1024 * 1024;

/**
 * `/healthz`: the process lives. `/readyz`: it takes requests: the database answers, the disk of the data folder has
 * room, and no shutdown is under way.
 */
export function healthRoutes(app: FastifyInstance, { database, dataDir, isDraining }: HealthGround): void {
  const schema = { response: { 200: statusSchema }, hide: true };
  app.get("/healthz", { schema, config: { access: "open" } }, async () => ({ status: "alive" }));
  app.get("/readyz", { schema, config: { access: "open" } }, async () => {
    if (isDraining()) throw new Failure("draining");
    await sql`select 1`.execute(database).catch((cause: unknown) => {
      throw new Failure("unavailable", { cause });
    });
    const { bavail, bsize } = await statfs(dataDir);
    if (bavail * bsize < MIN_FREE_BYTES) throw new Failure("storage-full");
    return { status: "ready" };
  });
}
