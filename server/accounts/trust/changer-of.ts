import type { FastifyRequest } from "fastify";
import { identityOf } from "../../http/session-hook.ts";
import type { Changer } from "./change-as.ts";

/** Returns the session and the client of a request that changes an account. @throws Failure `not-signed-in` */
export function changerOf(request: FastifyRequest): Changer {
  return { identity: identityOf(request), client: request.client };
}
