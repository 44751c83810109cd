import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import * as z from "zod/mini";
import { type DiskFloor, isAboveFloor } from "../config/disk-space.ts";
import type { Database } from "../database/schema.ts";
import { Failure } from "../failure.ts";

const statusSchema = z.object({ status: z.string() });
const readinessSchema = z.object({ status: z.string(), imports: z.enum(["accepted", "refused"]) });

export type HealthDeps = DiskFloor & { database: Database; isDraining: () => boolean };

/** Free disk space below which the server is not ready, because soon nothing can be stored. */
const MIN_FREE_BYTES = 1024 * 1024;

/**
 * Registers `/healthz` (liveness) and `/readyz` (readiness). Ready means that the database answers, the disk of the
 * data folder has free space, and no shutdown is in progress. `imports` reports whether there is enough free space for
 * imports; otherwise all other requests are still accepted.
 */
export function healthRoutes(app: FastifyInstance, { database, isDraining, ...floor }: HealthDeps): void {
  const schema = { response: { 200: statusSchema }, hide: true };
  const readySchema = { response: { 200: readinessSchema }, hide: true };
  app.get("/healthz", { schema, config: { role: "open" } }, async () => ({ status: "alive" }));
  app.get("/readyz", { schema: readySchema, config: { role: "open" } }, async () => {
    if (isDraining()) throw new Failure("draining");
    await sql`select 1`.execute(database).catch((cause: unknown) => {
      throw new Failure("unavailable", { cause });
    });
    if ((await floor.freeSpace()) < MIN_FREE_BYTES) throw new Failure("storage-full");
    return { status: "ready", imports: (await isAboveFloor(floor)) ? ("accepted" as const) : ("refused" as const) };
  });
}
