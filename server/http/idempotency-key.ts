import type { FastifyRequest } from "fastify";
import { IDEMPOTENCY_KEY_HEADER } from "#contract/paths.ts";
import { Failure } from "../failure.ts";

/** The key by which a request names its intent; none where the header is missing. */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers[IDEMPOTENCY_KEY_HEADER];
  if (key === undefined) return undefined;
  if (typeof key === "string" && /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new Failure("invalid-input", { issues: [{ field: "Idempotency-Key", rule: "invalid" }] });
}
