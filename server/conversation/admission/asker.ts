import type { FastifyRequest } from "fastify";
import { TIME_ZONE_HEADER } from "#contract/http.ts";
import { isTimeZone, TIME_ZONE_MAX } from "#contract/time-zone.ts";
import { type Identity, identityOf } from "../../http/session-hook.ts";

/**
 * An account that asks for a reply, and its group, which decides on the models. `timeZone`: that of the browser, an IANA
 * name; absent if it is not known.
 */
export type Asker = Pick<Identity, "userId" | "groupId"> & { timeZone?: string | undefined };

/** Returns who asks for a reply by a request. */
export function askerOf(request: FastifyRequest): Asker {
  const { userId, groupId } = identityOf(request);
  const name = request.headers[TIME_ZONE_HEADER];
  const isKnown = typeof name === "string" && name.length <= TIME_ZONE_MAX && isTimeZone(name);
  return { userId, groupId, ...(isKnown && { timeZone: name }) };
}
