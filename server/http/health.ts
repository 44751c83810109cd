import { createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { sql } from "kysely";
import * as z from "zod/mini";
import { MINUTE } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import { type DiskFloor, isAboveFloor } from "../config/disk-space.ts";
import { deriveKey, isSameSecret } from "../config/secret-key.ts";
import type { Database } from "../database/schema.ts";
import { Failure } from "../failure.ts";

/**
 * What a server sees of a request. `proof`: that it has the secret. `ip`: of the client, by `TRUST_PROXY`. `peer`: of the
 * connection.
 */
const seenRequestSchema = z.object({
  proof: z.string(),
  ip: z.string(),
  peer: z.string(),
  forwardedFor: z.nullable(z.string()),
});
export type SeenRequest = z.infer<typeof seenRequestSchema>;

export const livenessSchema = z.object({ status: z.string(), seen: z.optional(seenRequestSchema) });
const readinessSchema = z.object({ status: z.string(), imports: z.enum(["accepted", "refused"]) });

export type HealthDeps = DiskFloor & {
  database: Database;
  secretKey: string;
  clock: Clock;
  isDraining: () => boolean;
};

/** Header with which the command `doctor` asks a server what it sees of a request. */
export const CHECK_HEADER = "x-parley-check";
/** Clocks of two processes may differ. */
const CHECK_LIFE_MS = 5 * MINUTE;

/** Returns a value of {@link CHECK_HEADER}, which only servers with this secret accept. */
export function newCheck(secretKey: string, now: number): string {
  const content = `${now + CHECK_LIFE_MS}.${randomBytes(16).toString("base64url")}`;
  return `${content}.${sign(secretKey, "question", content)}`;
}

/** Returns the proof with which a server that has this secret answers a check. */
export const proofOf = (secretKey: string, check: string): string => sign(secretKey, "answer", check);

function sign(secretKey: string, purpose: string, content: string): string {
  return createHmac("sha256", deriveKey(secretKey, "doctor")).update(`${purpose}\n${content}`).digest("base64url");
}

function isValidCheck(secretKey: string, check: string, now: number): boolean {
  const [expiry = "", nonce = "", signature = ""] = check.split(".");
  const left = Number(expiry) - now;
  const isTimely = left > 0 && left <= 2 * CHECK_LIFE_MS;
  return isTimely && isSameSecret(signature, sign(secretKey, "question", `${expiry}.${nonce}`));
}

/** Returns what the server sees of a request of the command `doctor`; undefined for all others. */
function seenBy(request: FastifyRequest, { secretKey, clock }: Pick<HealthDeps, "secretKey" | "clock">) {
  const check = request.headers[CHECK_HEADER];
  if (typeof check !== "string" || !isValidCheck(secretKey, check, clock.now())) return undefined;
  const forwardedFor = [request.headers["x-forwarded-for"] ?? []].flat().join(", ") || null;
  const peer = request.raw.socket.remoteAddress ?? "";
  return { proof: proofOf(secretKey, check), ip: request.ip, peer, forwardedFor };
}

/** Free disk space below which the server is not ready, because soon nothing can be stored. */
const MIN_FREE_BYTES = 1024 * 1024;

/**
 * Registers `/healthz` (liveness) and `/readyz` (readiness). Ready means that the database answers, the disk of the
 * data folder has free space, and no shutdown is in progress. `imports` reports whether there is enough free space for
 * imports; otherwise all other requests are still accepted.
 */
export function healthRoutes(app: FastifyInstance, { database, isDraining, ...floor }: HealthDeps): void {
  const schema = { response: { 200: livenessSchema }, hide: true };
  const readySchema = { response: { 200: readinessSchema }, hide: true };
  app.get("/healthz", { schema, config: { role: "open" } }, async (request) => {
    const seen = seenBy(request, floor);
    return { status: "alive", ...(seen && { seen }) };
  });
  app.get("/readyz", { schema: readySchema, config: { role: "open" } }, async () => {
    if (isDraining()) throw new Failure("draining");
    await sql`select 1`.execute(database).catch((cause: unknown) => {
      throw new Failure("unavailable", { cause });
    });
    if ((await floor.freeSpace()) < MIN_FREE_BYTES) throw new Failure("storage-full");
    return { status: "ready", imports: (await isAboveFloor(floor)) ? ("accepted" as const) : ("refused" as const) };
  });
}
