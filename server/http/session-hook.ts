import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { MINUTE } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import { Failure } from "../failure.ts";
import type { Client } from "./client.ts";

/** A proof of being the owner is good for so long. */
export const PROOF_LIFE_MS = 10 * MINUTE;
/** A proof from further ahead was given before the clock was set back; servers differ by less. */
const CLOCK_SLACK_MS = MINUTE;

/** Whether a proof that was given at `provedAt` is still good. */
export function isProofFresh(provedAt: number, now: number): boolean {
  return provedAt <= now + CLOCK_SLACK_MS && now < provedAt + PROOF_LIFE_MS;
}

/** Who makes a request: a signed-in account and the session that its token is bound to. */
export type Identity = {
  userId: string;
  sessionId: string;
  /** When its person last proved to be the account's owner. */
  provedAt: number;
};

/** Reads an access token; `null` where it is not good (any more). */
export type Authenticate = (token: string, client: Client) => Promise<Identity | null>;

declare module "fastify" {
  interface FastifyRequest {
    identity: Identity | null;
  }
}

/**
 * Finds out who makes a request. Routes are for signed-in people unless their config says `access: "open"`; those are
 * told the identity too where a good token comes along. What could do lasting harm in the hands of somebody who found an
 * open browser says `access: "proved"`. It is looked at before the body is read, and once more after: whoever holds a
 * body back must not act in a session that has ended meanwhile.
 */
export function recogniseSessions(app: FastifyInstance, authenticate: Authenticate, clock: Clock): void {
  app.decorateRequest("identity", null);
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const header = request.headers.authorization;
    const token = header === undefined ? undefined : bearerToken(header);
    request.identity = token === undefined ? null : await authenticate(token, request.client);
    const { access } = request.routeOptions.config;
    if (access === "open") return;
    if (!request.identity) {
      reply.header("www-authenticate", "Bearer");
      throw new Failure("not-signed-in");
    }
    if (access === "proved" && !isProofFresh(request.identity.provedAt, clock.now())) {
      throw new Failure("proof-needed");
    }
  };
  app.addHook("onRequest", async (request, reply) => {
    if (!request.is404) await admit(request, reply);
  });
  app.addHook("preHandler", async (request, reply) => {
    if (request.body !== undefined && request.routeOptions.config.access !== "open") await admit(request, reply);
  });
}

/** The identity of a request on a route for signed-in people. */
export function identityOf(request: FastifyRequest): Identity {
  if (!request.identity) throw new Failure("not-signed-in");
  return request.identity;
}

function bearerToken(header: string): string | undefined {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(header)?.[1];
}
