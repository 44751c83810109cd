import * as z from "zod/mini";
import { DAY } from "./limits.ts";

/** The latest time that a `Date` holds, in Unix ms (ECMAScript, "Time Values and Time Range"). */
export const TIME_MAX = 8.64e15;

/** A time in Unix ms that every client can format: a later one throws in `Intl.DateTimeFormat`. */
export const timeField = () => z.int().check(z.minimum(0), z.maximum(TIME_MAX));

/** A {@link timeField} in the query of an address, where numbers are texts. */
export const timeInQuery = () => z.coerce.number().check(z.int(), z.minimum(0), z.maximum(TIME_MAX));

/** The longest wait that is sent, in ms. A `setTimeout` of more than 24.8 days ends at once. */
export const WAIT_MAX = DAY;

/** A wait in ms that every client can count down. */
export const waitField = () => z.int().check(z.minimum(0), z.maximum(WAIT_MAX));
