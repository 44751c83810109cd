/** Colours code. Loaded when the first closed piece of code is met; each language again by itself. */

import { createCodePlugin } from "@streamdown/code";
import type { CodeHighlighterPlugin, HighlightResult } from "streamdown";

export type CodeToken = { text: string; color: string | undefined };

/** Longer code (UTF-16 units) stays in one colour. */
const LONGEST = 60_000;
/** Nor is code coloured with longer lines: each is read at one go. */
const LONGEST_LINE = 5000;
/** Read at one go, so that nothing else waits long. */
const SLICE = 2000;

const scopes: [variable: string, scope: string[]][] = [
  ["comment", ["comment", "punctuation.definition.comment"]],
  ["string", ["string", "string.regexp", "markup.inline.raw", "markup.inserted"]],
  ["number", ["constant", "constant.numeric", "constant.language", "support.constant", "variable.other.enummember"]],
  ["keyword", ["keyword", "storage", "storage.type", "punctuation.definition.keyword", "markup.deleted"]],
  ["function", ["entity.name.function", "support.function", "meta.function-call.generic", "markup.heading"]],
  ["type", ["entity.name.type", "entity.name.class", "support.type", "support.class", "entity.name.tag"]],
  ["property", ["entity.other.attribute-name", "variable.other.property", "support.type.property-name"]],
  ["plain", ["keyword.operator", "punctuation", "storage.modifier.import", "variable.parameter"]],
];

/** The theme's colours are variables of ours: light and dark are the style sheet's matter. */
const theme = {
  name: "parley",
  colors: { "editor.foreground": "var(--code-plain)", "editor.background": "transparent" },
  settings: [
    { settings: { foreground: "var(--code-plain)" } },
    ...scopes.map(([name, scope]) => ({ scope, settings: { foreground: `var(--code-${name})` } })),
  ],
};

const plugin: CodeHighlighterPlugin = createCodePlugin({ themes: [theme, theme] });

/** The lines of the code in coloured pieces; null for a language that is not known, and for very long code. */
export async function highlight(code: string, language: string, signal: AbortSignal): Promise<CodeToken[][] | null> {
  if (code.length > LONGEST || hasLongLine(code) || !plugin.supportsLanguage(language)) return null;
  await rehearse(code, language);
  // The plugin goes on from the longest beginning that it has read: asking for more and more reads each slice once.
  for (let end = nextSlice(code, 0); end < code.length; end = nextSlice(code, end)) {
    await read(code.slice(0, end), language, true);
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
  const { tokens } = await read(code, language, false);
  return tokens.map((line) => line.map(({ content, htmlStyle }) => ({ text: content, color: htmlStyle?.color })));
}

const hasLongLine = (code: string) => code.split("\n").some((line) => line.length > LONGEST_LINE);

const rehearsals = new Map<string, Promise<unknown>>();

/**
 * Shiki gives up on a line that takes it half a second and leaves the rest in one colour. On a slow machine the first
 * lines of a language do, because its rules are built as they are met: so they are read once for nothing. The empty
 * line before them keeps the plugin from going on from what it read here.
 */
async function rehearse(code: string, language: string): Promise<void> {
  const known = rehearsals.get(language);
  const rehearsal = known ?? read(`\n${code.slice(0, nextSlice(code, 0))}`, language, true);
  rehearsals.set(language, rehearsal);
  await rehearsal;
}

function nextSlice(code: string, start: number): number {
  if (start + SLICE >= code.length) return code.length;
  const lineEnd = code.indexOf("\n", start + SLICE);
  return lineEnd < 0 ? code.length : lineEnd + 1;
}

function read(code: string, language: string, isIncomplete: boolean): Promise<HighlightResult> {
  return new Promise((resolve) => {
    const known = plugin.highlight({ code, language, themes: [theme, theme], isIncomplete }, resolve);
    if (known) resolve(known);
  });
}
