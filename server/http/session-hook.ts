import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type AccountRole, hasRole } from "#contract/accounts/roles.ts";
import { MINUTE } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import { Failure } from "../failure.ts";
import type { Client } from "./client.ts";

/** Lifetime of a proof of ownership (password or Google sign-in). */
export const PROOF_LIFE_MS = 10 * MINUTE;
/** The clocks of servers differ by less. A proof further in the future was given before the clock was set back. */
const CLOCK_SLACK_MS = MINUTE;

/** Whether a proof of ownership given at `provedAt` is still valid. Both times are Unix time in ms. */
export function isProofFresh(provedAt: number, now: number): boolean {
  return provedAt <= now + CLOCK_SLACK_MS && now < provedAt + PROOF_LIFE_MS;
}

/** Signed-in account of a request, and the session that its token is bound to. */
export type Identity = {
  userId: string;
  sessionId: string;
  /** Unix time in ms of the last proof of ownership. */
  provedAt: number;
  /** Read with the session, so that a change takes effect with the next request on every process. */
  role: AccountRole;
  /** Group of the account, read as its role is. */
  groupId: string | null;
};

/** Verifies an access token. Returns `null` if it is invalid or expired, or its session has ended. */
export type Authenticate = (token: string, client: Client) => Promise<Identity | null>;

declare module "fastify" {
  interface FastifyRequest {
    identity: Identity | null;
  }
}

/**
 * Authenticates requests. Routes require a session unless their config has `role: "open"`; open routes receive the
 * identity too if the request has a valid token. Routes of administration require more. Routes that could do lasting harm in an unattended browser have
 * `proof: true`. Both are checked before the body is read, and again after it. Otherwise a client that delays its body
 * could act in a session that has ended meanwhile.
 */
export function recogniseSessions(app: FastifyInstance, authenticate: Authenticate, clock: Clock): void {
  app.decorateRequest("identity", null);
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const header = request.headers.authorization;
    const token = header === undefined ? undefined : bearerToken(header);
    request.identity = token === undefined ? null : await authenticate(token, request.client);
    const { role, proof } = request.routeOptions.config;
    if (role === "open") return;
    if (!request.identity) {
      reply.header("www-authenticate", "Bearer");
      throw new Failure("not-signed-in");
    }
    if (role !== undefined && role !== "signed-in" && !hasRole(request.identity.role, role)) {
      throw new Failure("not-permitted");
    }
    if (proof && !isProofFresh(request.identity.provedAt, clock.now())) {
      throw new Failure("proof-needed");
    }
  };
  app.addHook("onRequest", async (request, reply) => {
    if (!request.is404) await admit(request, reply);
  });
  app.addHook("preHandler", async (request, reply) => {
    if (request.body !== undefined && request.routeOptions.config.role !== "open") await admit(request, reply);
  });
}

/** Returns the identity of a request on a route for signed-in accounts. @throws Failure `not-signed-in` */
export function identityOf(request: FastifyRequest): Identity {
  if (!request.identity) throw new Failure("not-signed-in");
  return request.identity;
}

function bearerToken(header: string): string | undefined {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(header)?.[1];
}
