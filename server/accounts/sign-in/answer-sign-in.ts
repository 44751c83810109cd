import type { FastifyReply, FastifyRequest } from "fastify";
import type { SignedIn } from "#contract/accounts/accounts.ts";
import type { Accounts } from "../accounts.ts";
import { type FreshSession, toSignedIn } from "./begin-session.ts";

/** Answers a sign-in of any kind. From here on the request counts as that account's, in the log too. */
export async function answerSignedIn(
  accounts: Accounts,
  fresh: FreshSession,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn> {
  const { userId, sessionId, issuedAt } = fresh.session;
  request.identity = { userId, sessionId, provedAt: issuedAt, role: fresh.user.role, groupId: fresh.user.group_id };
  reply.renewAntiForgery(sessionId);
  accounts.sessions.notifyEnded(fresh.ended);
  // A notice to the owner may be queued.
  accounts.outbox.notify();
  return toSignedIn(accounts, fresh);
}
