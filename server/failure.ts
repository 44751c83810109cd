import { type ErrorCode, errorSentences } from "#contract/errors.ts";
import type { FieldIssue } from "#contract/text/validation.ts";

type FailureDetails = { cause?: unknown; issues?: FieldIssue[]; retryAfterSeconds?: number };

/** What rules throw when a call cannot be done: a stable code. `http/problems.ts` alone decides what it is in HTTP. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly issues: FieldIssue[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, { cause, issues = [], retryAfterSeconds }: FailureDetails = {}) {
    super(errorSentences[code], { cause });
    this.code = code;
    this.issues = issues;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
