/**
 * Validation rules of fields, worded once for server and browser. Schemas of the contract use a rule such as `min:8` in
 * place of a sentence. The server words it in English, the browser in the user's language.
 */

import type * as z from "zod/mini";
import { type SettingRule, settingRuleTemplates } from "./setting-rules.ts";

/** English templates in i18next's notation, so that the browser's catalogue can use them unchanged. */
export const validationTemplates = {
  required: "{{field}} is required",
  email: "Please enter a valid email address",
  alphanumeric: "Username must contain only letters and numbers (no spaces or special characters)",
  letters: "{{field}} must contain only letters (no numbers or special characters)",
  min: "{{field}} must be at least {{n}} characters",
  max: "{{field}} must be no more than {{n}} characters",
  mismatch: "Passwords do not match",
  common: "This password is on lists of common ones. Please choose another",
  personal: "This password can be guessed from your name or address. Please choose another",
  key: "Please enter the verification key",
  resendEmail: "Email address is required to resend verification email",
  taken: "{{field}} is already taken",
  invalid: "{{field}} is not valid",
} as const;

export type Rule = keyof typeof validationTemplates;
export type BrokenRule = { rule: Rule; n?: number };

/** Formats a rule as schemas contain it: `required`, `min:8`. */
export function rule(name: Rule, n?: number): string {
  return n === undefined ? name : `${name}:${n}`;
}

/** Parses a rule; a message of other origin (from a library) is parsed as `invalid`. */
export function parseRule(message: string): BrokenRule {
  const [name = "", n] = message.split(":");
  if (!Object.hasOwn(validationTemplates, name)) return { rule: "invalid" };
  return n === undefined ? { rule: name as Rule } : { rule: name as Rule, n: Number(n) };
}

/** Returns the English sentence for a broken rule; `field` as in the payload, e.g. `firstname`. */
export function ruleSentence(field: string, broken: { rule: Rule | SettingRule; n?: number }): string {
  const values: Record<string, string> = {
    field: field.charAt(0).toUpperCase() + field.slice(1),
    n: String(broken.n ?? ""),
  };
  const templates = { ...validationTemplates, ...settingRuleTemplates };
  return templates[broken.rule].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
}

export type FieldIssue = { field: string } & BrokenRule;

/** Returns the first broken rule of each field, in the order of the schema's fields. */
export function fieldIssues(issues: readonly z.core.$ZodIssue[]): FieldIssue[] {
  const first = new Map<string, FieldIssue>();
  for (const issue of issues) {
    const field = issue.path.map(String).join(".") || "body";
    if (!first.has(field)) first.set(field, { field, ...parseRule(issue.message) });
  }
  return [...first.values()];
}
