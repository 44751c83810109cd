import * as z from "zod/mini";
import { BUDGET_MAX_USD, BUDGET_MIN_USD } from "#contract/models/budgets.ts";
import { toNanoUsd } from "../database/nano-usd.ts";

/** Words of examples, and one repeated character. */
const PLACEHOLDER = /^(?:change.?me|secret|password|example|placeholder|your.?secret)|^(.)\1+$/i;

/** A text that is not empty. */
export const text = z.string().check(z.trim(), z.minLength(1));

/** A whole number in decimal digits, from `min` to `max`. */
export const wholeNumber = (min: number, max: number) =>
  z.string().check(
    z.regex(/^\d+$/, { error: `must be a whole number from ${min} to ${max}` }),
    z.refine((value) => Number(value) >= min && Number(value) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    }),
  );

/** A secret of at least `minLength` characters that is not a placeholder of an example. */
export const secret = (minLength: number) =>
  z.string().check(
    z.minLength(minLength, { error: `must be at least ${minLength} characters long` }),
    z.refine((value) => !PLACEHOLDER.test(value), { error: "is a placeholder; use a random value" }),
  );

/** One of some words. */
export const oneOf = <const T extends string>(...values: [T, ...T[]]) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

/** A URL with one of some protocols. */
export const url = (...protocols: string[]) =>
  z.string().check(
    z.refine((value) => protocols.includes(URL.parse(value)?.protocol.slice(0, -1) ?? ""), {
      error: `must be a URL with ${protocols.join(" or ")}`,
    }),
  );

/** A URL of http or https without credentials. */
export const plainUrl = z
  .string()
  .check(z.refine(isPlainUrl, { error: "must be a URL with http or https, without a user name and a password" }));

function isPlainUrl(value: string): boolean {
  const address = URL.parse(value);
  return /^https?:$/.test(address?.protocol ?? "") && address?.username === "" && address.password === "";
}

/** A URL of http or https that is an origin alone; a slash at its end is allowed. */
export const originUrl = url("http", "https").check(
  z.refine((value) => isOrigin(value), {
    error:
      "must be the address of a host alone, such as https://chat.example.org, without a path, a query, a fragment or a " +
      "user name: cookies with the prefix __Host-, tokens in local storage and the service worker need an origin of " +
      "their own. Use a host name or a port of its own for Parley",
  }),
);

function isOrigin(value: string): boolean {
  const address = URL.parse(value.replace(/\/+$/, ""));
  // The schema of URLs refuses what cannot be parsed.
  return !address || address.href === `${address.origin}/`;
}

/** A budget in US dollars. */
export const usdBudget = z
  .string()
  .check(z.refine(isBudget, { error: `must be a number from ${BUDGET_MIN_USD} to ${BUDGET_MAX_USD}` }));

function isBudget(value: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(value) && Number(value) >= BUDGET_MIN_USD && Number(value) <= BUDGET_MAX_USD;
}

/** Converts a budget in US dollars to 1e-9 US dollars, an integer. */
export function budgetOf(value: string | undefined): number | undefined {
  return value === undefined ? undefined : toNanoUsd(Number(value));
}
