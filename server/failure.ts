import { type ErrorCode, errorSentences } from "#contract/errors.ts";
import type { FieldIssue } from "#contract/text/validation.ts";

type FailureDetails = { cause?: unknown; issues?: FieldIssue[]; retryAfterSeconds?: number };

/** An expected failure of a call with a stable code. Only `http/problems.ts` maps codes to HTTP responses. */
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
