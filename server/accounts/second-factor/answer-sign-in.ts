import type { FastifyReply, FastifyRequest } from "fastify";
import type { SignedIn } from "#contract/accounts/accounts.ts";
import { Failure } from "../../failure.ts";
import type { AccountContext } from "../accounts.ts";
import { toSignedIn } from "../sessions/begin-session.ts";
import type { FinishedSignIn } from "./finish-sign-in.ts";

/**
 * Answers a sign-in of any kind. The request counts as that account's from here on, in the log too.
 * @throws Failure `second-factor-needed` or `second-factor-missing`, with the ticket of the next step
 */
export async function answerSignIn(
  accounts: AccountContext,
  finished: FinishedSignIn,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn> {
  if ("ticket" in finished) throw new Failure(finished.demand, { ticket: finished.ticket });
  const fresh = finished.session;
  const { userId, sessionId, issuedAt } = fresh.session;
  request.identity = { userId, sessionId, provedAt: issuedAt, role: fresh.user.role, groupId: fresh.user.group_id };
  reply.renewAntiForgery(sessionId);
  accounts.sessions.notifyEnded(fresh.ended);
  // A notice to the owner may be queued.
  accounts.outbox.notify();
  return toSignedIn(accounts, fresh);
}
