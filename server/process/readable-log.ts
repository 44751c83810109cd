import { styleText } from "node:util";
import * as z from "zod/mini";

/** Pino's levels, as words of one width with their colours. */
const levels: Record<number, { word: string; style: Parameters<typeof styleText>[0] }> = {
  10: { word: "trace", style: "dim" },
  20: { word: "debug", style: "dim" },
  30: { word: "info ", style: "green" },
  40: { word: "warn ", style: "yellow" },
  50: { word: "error", style: "red" },
  60: { word: "fatal", style: "red" },
};

/** Control characters and directions of text, with which a logged value could rewrite the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** A value that is readable without quotes. */
const PLAIN = /^[^\s"=]+$/;

const recordSchema = z.looseObject({
  level: z.number(),
  time: z.number(),
  msg: z.optional(z.string()),
  err: z.optional(z.looseObject({ message: z.optional(z.string()), stack: z.optional(z.string()) })),
});

/**
 * Formats a line of the log (JSON, by pino) for a terminal: local time, level, message, fields, and below them the
 * stack of an error. Lines of another form are returned as they are, without control characters.
 */
export function toReadable(line: string): string {
  const parsed = recordSchema.safeParse(parseOrNull(line));
  if (!parsed.success) return escapeControls(line.trimEnd());
  // The id of a request is a field of every line; it serves a search through many, for which there is JSON.
  const { level, time, msg = "", err, reqId: _reqId, ...fields } = parsed.data;
  const { word, style } = levels[level] ?? { word: String(level), style: "dim" };
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${toText(value)}`);
  const head = [styleText("dim", clockTime(time)), styleText(style, word), escapeControls(msg)];
  const first = [...head, ...(pairs.length > 0 ? [styleText("dim", pairs.join(" "))] : [])].filter(Boolean).join(" ");
  const stack = err?.stack ?? err?.message;
  return stack === undefined ? first : `${first}\n${indent(stack)}`;
}

function parseOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function clockTime(time: number): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

function toText(value: unknown): string {
  const text = typeof value === "string" && PLAIN.test(value) ? value : JSON.stringify(value);
  return escapeControls(text ?? "");
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `    ${escapeControls(line)}`)
    .join("\n");
}

function escapeControls(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
