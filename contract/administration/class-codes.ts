/** Class codes: short codes for a board, by which a page gets the key of an invitation. */

import * as z from "zod/mini";
import { looseText } from "../text/well-formed.ts";
import { receivedInvitationSchema } from "./invitations.ts";

/** Base32 of Crockford: without the letters I, L, O and U. */
export const CLASS_CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 40 bits. */
export const CLASS_CODE_LENGTH = 8;
/** Wrong codes entered anywhere, after which a class code is refused for good. */
export const CLASS_CODE_TRIES_MAX = 1000;

/** Letters that are written or typed instead of a symbol of the alphabet. */
const lookAlikes: Readonly<Record<string, string>> = { O: "0", I: "1", L: "1", U: "V" };
/** Zero of the Arabic-Indic and of the Persian digits. */
const ZEROS = [0x0660, 0x06f0];

/**
 * Returns a class code in the form that is hashed: upper case, look-alikes as symbols of the alphabet, without spaces,
 * dashes and invisible characters. Other characters stay, so that the text is no code.
 */
export function toClassCode(text: string): string {
  return (
    text
      // Full-width forms of an IME.
      .normalize("NFKC")
      .replaceAll(/[\s\p{Dash}\p{Cf}_.]/gu, "")
      .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, toAsciiDigit)
      .toUpperCase()
      .replaceAll(/[OILU]/g, (letter) => lookAlikes[letter] ?? letter)
  );
}

function toAsciiDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
}

/** Returns whether a text is a class code in the form of {@link toClassCode}. */
export const isClassCode = (code: string): boolean =>
  code.length === CLASS_CODE_LENGTH && [...code].every((symbol) => CLASS_CODE_ALPHABET.includes(symbol));

/** Formats a class code for people: `ABCD-EFGH`. A shorter text gets its dash with the fifth symbol. */
export const formatClassCode = (code: string): string => code.replace(/^(.{4})(?=.)/u, "$1-");

/** A code of any form: a malformed one is answered like an unknown one. */
export const classCodeSchema = z.object({ code: looseText(100) });

/** The invitation of a class code. `key`: that of its link. */
export const exchangedClassCodeSchema = z.extend(receivedInvitationSchema, { key: z.string() });
export type ExchangedClassCode = z.infer<typeof exchangedClassCodeSchema>;
