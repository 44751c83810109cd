/** Failures in words for a person: by their code where the catalogue knows it, else as the specification's §8 says. */

import type { Problem } from "#contract/errors.ts";
import { errorSentences } from "#contract/errors.ts";
import { type BrokenRule, parseRule } from "#contract/text/validation.ts";
import { i18n } from "../locales/i18n.ts";
import { ApiError, parseJson } from "./api-error.ts";
import { tooOftenText } from "./wait-text.ts";

/** How long (ms) the server asks to wait because something was done too often; null where it does not. */
export function waitOf(error: unknown): number | null {
  return error instanceof ApiError && error.code === "too-many-requests" ? (error.retryAfterMs ?? null) : null;
}

/** The sentence for the code of a failure; null where it has none, or none of ours. */
export function textByCode(error: unknown): string | null {
  const waitMs = waitOf(error);
  if (waitMs !== null) return tooOftenText(waitMs);
  const code = error instanceof ApiError ? error.problem?.code : undefined;
  return code !== undefined && Object.hasOwn(errorSentences, code) ? i18n.t(code, { ns: "errors" }) : null;
}

/** `detail.message`, else `detail`, of whatever body came; null where neither is a text. */
export function detailText(error: unknown): string | null {
  const detail = detailOf(error);
  if (typeof detail === "string") return detail || null;
  if (typeof detail !== "object" || detail === null || !("message" in detail)) return null;
  return typeof detail.message === "string" && detail.message !== "" ? detail.message : null;
}

/** Whether the server says that the password is right and the address not verified yet. */
export function isEmailUnverified(error: unknown): boolean {
  const detail = detailOf(error);
  return typeof detail === "object" && detail !== null && "email_verified" in detail && detail.email_verified === false;
}

/** Whether no answer came at all. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** The fields that a 400 names, with the rule that each breaks, as rules of the contract (`min:8`). */
export function brokenFields(error: unknown): { field: string; rule: string }[] {
  const issues: Problem["issues"] = error instanceof ApiError ? error.problem?.issues : undefined;
  return (issues ?? []).map(({ field, rule, n }) => ({ field, rule: n === undefined ? rule : `${rule}:${n}` }));
}

/** The sentence for a rule of the contract in the form that schemas carry it; `field` is already worded. */
export function ruleText(message: string, field: string): string {
  return issueText(parseRule(message), field);
}

/** The same for a rule that was read already. */
export function issueText({ rule, n }: BrokenRule, field: string): string {
  return i18n.t(rule, { ns: "validation", field, n: n ?? "" });
}

function detailOf(error: unknown): unknown {
  if (!(error instanceof ApiError)) return undefined;
  const body = parseJson(error.body ?? "");
  return typeof body === "object" && body !== null && "detail" in body ? body.detail : undefined;
}
