import type { FastifyInstance, FastifyReply } from "fastify";
import type { WorkDemand } from "#contract/accounts/work.ts";
import type { ErrorCode } from "#contract/errors.ts";
import type { BudgetProblem } from "#contract/models/budgets.ts";
import { type Problem, problemMediaType } from "#contract/problem.ts";
import { ruleSentence } from "#contract/text/validation.ts";
import { isDatabaseAway, isForeignKeyViolation, isStorageFull } from "../database/violations.ts";
import { Failure } from "../failure.ts";
import { apiHeaders } from "./security-headers.ts";

/** HTTP statuses by error code. All other codes are 400. */
const statuses: Partial<Record<ErrorCode, number>> = {
  "not-signed-in": 401,
  "wrong-credentials": 401,
  "budget-reached": 402,
  "email-unverified": 403,
  "second-factor-needed": 403,
  "second-factor-missing": 403,
  "second-step-expired": 403,
  "wrong-code": 403,
  "codes-unreadable": 403,
  "second-factor-on": 409,
  "second-factor-off": 409,
  "bad-passkey": 403,
  "passkeys-unavailable": 409,
  "too-many-passkeys": 409,
  "second-factor-required": 409,
  "account-disabled": 403,
  csrf: 403,
  "registration-closed": 403,
  "registration-domain": 403,
  "invitation-address": 403,
  "google-domain": 403,
  "proof-needed": 403,
  "not-permitted": 403,
  "last-owner": 409,
  "not-found": 404,
  "folder-gone": 404,
  "method-not-allowed": 405,
  "username-taken": 409,
  "address-taken": 409,
  "already-verified": 409,
  "sso-no-address": 403,
  "sso-only": 403,
  "connect-identity": 409,
  "identity-taken": 409,
  "identity-connected": 409,
  "sso-unavailable": 503,
  "tool-sign-in-elsewhere": 403,
  "tool-sign-in-unsupported": 409,
  "tool-server-away": 503,
  "connect-google": 409,
  "google-taken": 409,
  "google-connected": 409,
  "last-sign-in": 409,
  "preset-gone": 404,
  "too-many-presets": 409,
  "too-many-tool-servers": 409,
  "nothing-to-share": 409,
  "share-too-large": 413,
  "sharing-off": 403,
  "too-many-shares": 409,
  "reply-running": 409,
  "conversation-moved": 409,
  "already-decided": 409,
  "nothing-to-answer": 409,
  "nothing-to-continue": 409,
  "idempotency-mismatch": 409,
  "too-many-folders": 409,
  "quota-reached": 409,
  "message-too-long": 413,
  "too-large": 413,
  "files-off": 403,
  "file-too-large": 413,
  "file-type": 415,
  "picture-too-large": 413,
  "file-gone": 404,
  "file-sent": 409,
  "too-many-files": 409,
  "files-too-large": 413,
  "document-too-large": 413,
  "upload-moved": 409,
  "unsupported-media-type": 415,
  "too-many-requests": 429,
  "too-many-replies": 429,
  "budget-reserved": 429,
  "work-needed": 429,
  unavailable: 503,
  "storage-full": 507,
  draining: 503,
  "google-unavailable": 503,
  internal: 500,
};

/** Error codes by status, for errors of Fastify itself. */
const codesByStatus: Record<number, ErrorCode> = {
  400: "invalid-input",
  404: "not-found",
  405: "method-not-allowed",
  413: "too-large",
  414: "too-large",
  415: "unsupported-media-type",
  429: "too-many-requests",
  503: "unavailable",
};

/** Returns the body of a failure's problem document. */
export function problemOf(failure: Failure): Problem & Partial<BudgetProblem> & { work?: WorkDemand } {
  const issues = failure.issues.map((issue) => ({ ...issue, message: ruleSentence(issue.field, issue) }));
  const sentence = issues[0]?.message ?? failure.message;
  return {
    detail: detailOf(failure, sentence),
    error: sentence,
    code: failure.code,
    ...(failure.ticket !== undefined && { ticket: failure.ticket }),
    ...(failure.file !== undefined && { file: failure.file }),
    ...failure.budget,
    ...(failure.work !== undefined && { work: failure.work }),
    ...(issues.length > 0 && { issues }),
  };
}

/** The specification demands an object where a sign-in needs a further step. */
function detailOf({ code }: Failure, sentence: string): Problem["detail"] {
  if (code === "email-unverified") return { message: sentence, email_verified: false };
  if (code === "second-factor-needed" || code === "second-factor-missing")
    return { message: sentence, second_factor: true };
  return sentence;
}

/** Answers every error (our own, Fastify's or unexpected) with a problem document. Only here failures become HTTP. */
export function answerProblems(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = toFailure(error);
    if (failure.code === "internal" || failure.code === "unavailable") {
      request.log.error({ err: failure.cause ?? error }, "request failed");
    }
    return sendProblem(reply, failure);
  });
}

export function sendProblem(reply: FastifyReply, failure: Failure): FastifyReply {
  const status = statuses[failure.code] ?? 400;
  const retryAfterSeconds = failure.retryAfterSeconds ?? (status === 503 ? 2 : undefined);
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(Math.max(1, Math.ceil(retryAfterSeconds))));
  return reply
    .code(status)
    .headers(apiHeaders)
    .header("content-type", `${problemMediaType}; charset=utf-8`)
    .serializer(JSON.stringify)
    .send(problemOf(failure));
}

/** Converts a thrown value, which need not be an `Error`. */
function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (isStorageFull(error)) return new Failure("storage-full", { cause: error });
  // Race condition: the parent of a new row, such as the account, was deleted during the request.
  if (isForeignKeyViolation(error)) return new Failure("not-found", { cause: error });
  if (isDatabaseAway(error)) return new Failure("unavailable", { cause: error });
  const status = statusOf(error);
  return new Failure(codesByStatus[status] ?? (status < 500 ? "invalid-input" : "internal"), { cause: error });
}

function statusOf(error: unknown): number {
  const hasStatus = error instanceof Error && "statusCode" in error && typeof error.statusCode === "number";
  return hasStatus ? Number(error.statusCode) : 500;
}
