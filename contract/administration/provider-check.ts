/** Test of a provider: one small call, and its answer or the reason of its refusal. */

import * as z from "zod/mini";
import { looseText, wellFormed } from "../text/well-formed.ts";

/** Providers that can be configured. */
export const testableProviders = ["openai", "anthropic", "local"] as const;
export type TestableProvider = (typeof testableProviders)[number];

/** A name of any form: an unknown one is answered with "not found". */
export const providerParamsSchema = z.object({ name: z.string().check(z.overwrite(wellFormed)) });

/** `model`: a value of the catalogue, such as `GPT:gpt-5-mini`; by default the first one of automatic choice. */
export const providerCheckRequestSchema = z.object({ model: z.optional(looseText(200)) });
export type ProviderCheckRequest = z.infer<typeof providerCheckRequestSchema>;

/** In UTF-16 units. */
export const TEST_ANSWER_MAX = 200;

/**
 * Reasons for which there was no connection, or no answer by HTTP. `no-listener`: refused. `unknown-host`: the name is not
 * found. `no-route`: no way to the network or the machine. `connect-timeout`: nothing answers at the address. `closed`:
 * reset or closed without an answer. `certificate`: of an issuer that is not trusted, self-signed too;
 * `certificate-expired`: not valid now; `certificate-host`: of another host. `no-tls`: no TLS, or none that both have.
 * `not-http`: the answer is not HTTP. `proxy`: the proxy of the server did not connect it.
 */
export const connectionFaults = [
  ...(["no-listener", "unknown-host", "no-route", "connect-timeout", "closed", "proxy"] as const),
  ...(["certificate", "certificate-expired", "certificate-host", "no-tls", "not-http"] as const),
] as const;
export type ConnectionFault = (typeof connectionFaults)[number];

/**
 * Reasons of a failed test. `key`: refused. `permission`: the key may not use the API or the model. `credit`: used up.
 * `model`: unknown to the provider. `model-or-address`: nothing is there. `address`: something else than the API is
 * there. `rate`: too many requests. `overloaded`, `server`: the provider's own trouble. `unreachable`: no
 * connection, for none of {@link connectionFaults}. `slow`: no answer in time. `broken-off`: in the middle of the answer.
 * `unsuited`: a setting of the model was refused. `refused`: the model declined to answer. `no-model`: there is no model
 * to call.
 */
export const providerRefusals = [
  ...(["key", "permission", "credit", "model", "model-or-address", "address", "rate", "overloaded", "server"] as const),
  ...(["unreachable", "slow", "broken-off", "unsuited", "refused", "no-model", "other"] as const),
  ...connectionFaults,
] as const;
export type ProviderRefusal = (typeof providerRefusals)[number];

/**
 * `answer`: the beginning of the text. `cost`: US dollars; absent if the model has no price. `code`: an `ErrorCode`;
 * `reason`: a `ProviderRefusal`; a newer server may send others. `status`: of the provider's HTTP response, if any.
 * `host`: of the configured address. `isOwnContainer`: it is a loopback address, and the server runs in a container. `durationMs`:
 * until the end of the answer or the refusal.
 */
export const providerCheckSchema = z.union([
  z.object({
    ok: z.literal(true),
    model: z.string(),
    answer: z.string(),
    durationMs: z.int(),
    inputTokens: z.optional(z.number()),
    outputTokens: z.optional(z.number()),
    cost: z.optional(z.number()),
  }),
  z.object({
    ok: z.literal(false),
    model: z.optional(z.string()),
    code: z.string(),
    reason: z.string(),
    status: z.optional(z.int()),
    host: z.string(),
    isOwnContainer: z.optional(z.literal(true)),
    durationMs: z.int(),
  }),
]);
export type ProviderCheck = z.infer<typeof providerCheckSchema>;
