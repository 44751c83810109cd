import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import * as z from "zod/mini";
import { type DiskFloor, isAboveFloor } from "../config/disk-space.ts";
import type { Database } from "../database/schema.ts";
import { Failure } from "../failure.ts";

const statusSchema = z.object({ status: z.string() });
const readinessSchema = z.object({ status: z.string(), imports: z.enum(["accepted", "refused"]) });

export type HealthDeps = DiskFloor & { database: Database; isDraining: () => boolean };

/** With less than this nothing can be stored for long. */
const MIN_FREE_BYTES = 1024 * 1024;

/**
 * `/healthz`: the process lives. `/readyz`: it takes requests: the database answers, the disk of the data folder has
 * room, and no shutdown is under way. `imports`: whether there is enough room for them, without which it still takes all
 * other requests.
 */
export function healthRoutes(app: FastifyInstance, { database, isDraining, ...floor }: HealthDeps): void {
  const schema = { response: { 200: statusSchema }, hide: true };
  const readySchema = { response: { 200: readinessSchema }, hide: true };
  app.get("/healthz", { schema, config: { access: "open" } }, async () => ({ status: "alive" }));
  app.get("/readyz", { schema: readySchema, config: { access: "open" } }, async () => {
    if (isDraining()) throw new Failure("draining");
    await sql`select 1`.execute(database).catch((cause: unknown) => {
      throw new Failure("unavailable", { cause });
    });
    if ((await floor.freeSpace()) < MIN_FREE_BYTES) throw new Failure("storage-full");
    return { status: "ready", imports: (await isAboveFloor(floor)) ? ("accepted" as const) : ("refused" as const) };
  });
}
