import * as z from "zod/mini";
import { rule } from "./validation.ts";
import { wellFormed } from "./well-formed.ts";

/** Replaces line breaks and other control characters by spaces, so that the text is one line. */
export const oneLine = (text: string) => wellFormed(text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ")).trim();

/** Characters that are Markdown or HTML within a line. */
const SYNTAX = /[\\`*_~[\]<>&$|]/g;

/** Escapes a name for a line of Markdown, which shows it as it is. */
export const escapeMarkdown = (name: string): string => name.replaceAll(SYNTAX, "\\$&");

/** Schema of a name that a user chooses: one line, trimmed, of 1 to `max` UTF-16 units. */
export const nameText = (max: number) =>
  z
    .string({ error: rule("required") })
    .check(
      z.overwrite(oneLine),
      z.minLength(1, { error: rule("required") }),
      z.maxLength(max, { error: rule("max", max) }),
    );
