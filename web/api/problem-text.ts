/** Translates failures for the user: by their code if the catalogue has it, else by §8 of the specification. */

import type { ErrorCode } from "#contract/errors.ts";
import type { Problem } from "#contract/problem.ts";
import { type BrokenRule, parseRule } from "#contract/text/validation.ts";
import { i18n } from "../locales/i18n.ts";
import { ApiError, parseJson } from "./api-error.ts";
import { tooOftenText } from "./wait-text.ts";

/** Returns how long (ms) to wait after too many requests; null for other failures. */
export function waitOf(error: unknown): number | null {
  return error instanceof ApiError && error.code === "too-many-requests" ? (error.retryAfterMs ?? null) : null;
}

/** Returns the text for the code of a failure; null without a code or a text for it. */
export function textByCode(error: unknown): string | null {
  const waitMs = waitOf(error);
  if (waitMs !== null) return tooOftenText(waitMs);
  return wordErrorCode(error instanceof ApiError ? error.problem?.code : undefined);
}

/** Returns the text for an error code; null without one. */
export function wordErrorCode(code: string | undefined): string | null {
  const isWorded = code !== undefined && i18n.exists(`errors:${code}`);
  return isWorded ? i18n.t(code as ErrorCode, { ns: "errors" }) : null;
}

/** Returns `detail.message`, else `detail`, of any body; null if neither is a text. */
export function detailText(error: unknown): string | null {
  const detail = detailOf(error);
  if (typeof detail === "string") return detail || null;
  if (typeof detail !== "object" || detail === null || !("message" in detail)) return null;
  return typeof detail.message === "string" && detail.message !== "" ? detail.message : null;
}

/** Whether the server reports that the password is correct but the address is not verified yet. */
export function isEmailUnverified(error: unknown): boolean {
  const detail = detailOf(error);
  return typeof detail === "object" && detail !== null && "email_verified" in detail && detail.email_verified === false;
}

/** Whether there was no response. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** Returns the invalid fields of a 400 with the rule that each breaks, as rules of the contract (`min:8`). */
export function brokenFields(error: unknown): { field: string; rule: string }[] {
  const issues: Problem["issues"] = error instanceof ApiError ? error.problem?.issues : undefined;
  return (issues ?? []).map(({ field, rule, n }) => ({ field, rule: n === undefined ? rule : `${rule}:${n}` }));
}

/** Returns the text for a contract rule in the form that schemas use; `field` is already translated. */
export function ruleText(message: string, field: string): string {
  return issueText(parseRule(message), field);
}

/** Returns the text for a parsed rule. */
export function issueText({ rule, n }: BrokenRule, field: string): string {
  return i18n.t(rule, { ns: "validation", field, n: n ?? "" });
}

function detailOf(error: unknown): unknown {
  if (!(error instanceof ApiError)) return undefined;
  const body = parseJson(error.body ?? "");
  return typeof body === "object" && body !== null && "detail" in body ? body.detail : undefined;
}
