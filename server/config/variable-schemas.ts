import * as z from "zod/mini";

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
