import type { WorkDemand } from "#contract/accounts/work.ts";
import { type ErrorCode, errorSentences } from "#contract/errors.ts";
import type { BudgetProblem } from "#contract/models/budgets.ts";
import type { SettingRule } from "#contract/text/setting-rules.ts";
import type { FieldIssue } from "#contract/text/validation.ts";

/** A refused field. */
export type Issue = FieldIssue | { field: string; rule: SettingRule };

/**
 * `file`: id of the file that was refused, of several in one request. `budget`: the one that is used up. `work`: proof of
 * work that would be accepted. `ticket`: of a sign-in that needs a second step, or a second factor.
 */
type FailureDetails = {
  cause?: unknown;
  issues?: Issue[];
  retryAfterSeconds?: number;
  file?: string;
  budget?: BudgetProblem;
  work?: WorkDemand;
  ticket?: string;
};

/** An expected failure of a call with a stable code. Only `http/problems.ts` maps codes to HTTP responses. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly issues: Issue[];
  readonly retryAfterSeconds: number | undefined;
  readonly file: string | undefined;
  readonly budget: FailureDetails["budget"];
  readonly work: FailureDetails["work"];
  readonly ticket: string | undefined;

  constructor(code: ErrorCode, details: FailureDetails = {}) {
    const { cause, issues = [], retryAfterSeconds, file, budget, work, ticket } = details;
    super(errorSentences[code], { cause });
    this.code = code;
    this.issues = issues;
    this.retryAfterSeconds = retryAfterSeconds;
    this.file = file;
    this.budget = budget;
    this.work = work;
    this.ticket = ticket;
  }
}
