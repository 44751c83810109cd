import { type ErrorCode, errorSentences } from "#contract/errors.ts";
import type { FieldIssue } from "#contract/text/validation.ts";

/** `file`: id of the file that was refused, of several in one request. */
type FailureDetails = { cause?: unknown; issues?: FieldIssue[]; retryAfterSeconds?: number; file?: string };

/** An expected failure of a call with a stable code. Only `http/problems.ts` maps codes to HTTP responses. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly issues: FieldIssue[];
  readonly retryAfterSeconds: number | undefined;
  readonly file: string | undefined;

  constructor(code: ErrorCode, { cause, issues = [], retryAfterSeconds, file }: FailureDetails = {}) {
    super(errorSentences[code], { cause });
    this.code = code;
    this.issues = issues;
    this.retryAfterSeconds = retryAfterSeconds;
    this.file = file;
  }
}
