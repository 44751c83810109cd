import type { FastifyRequest } from "fastify";
import { IDEMPOTENCY_KEY_HEADER } from "#contract/http.ts";
import { Failure } from "../failure.ts";

/**
 * Returns the idempotency key of a request; `undefined` if the header is missing.
 * @throws Failure `invalid-input` if the header is malformed
 */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers[IDEMPOTENCY_KEY_HEADER];
  if (key === undefined) return undefined;
  if (typeof key === "string" && /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new Failure("invalid-input", { issues: [{ field: "Idempotency-Key", rule: "invalid" }] });
}
