/** Syntax highlighting. Loaded when the first closed code block occurs; each language is loaded separately. */

import { createCodePlugin } from "@streamdown/code";
import type { CodeHighlighterPlugin, HighlightResult } from "streamdown";

export type CodeToken = { text: string; color: string | undefined };

/** Longer code (UTF-16 units) is not highlighted. */
const LONGEST = 60_000;
/** Code with longer lines is not highlighted either: a line is tokenized in one task. */
const LONGEST_LINE = 5000;
/** Code tokenized in one task (UTF-16 units), so that the event loop is not blocked for long. */
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

/** Theme whose colours are CSS variables: the style sheet defines light and dark. */
const theme = {
  name: "parley",
  colors: { "editor.foreground": "var(--code-plain)", "editor.background": "transparent" },
  settings: [
    { settings: { foreground: "var(--code-plain)" } },
    ...scopes.map(([name, scope]) => ({ scope, settings: { foreground: `var(--code-${name})` } })),
  ],
};

const plugin: CodeHighlighterPlugin = createCodePlugin({ themes: [theme, theme] });

/** Returns the coloured tokens of each line; null for an unknown language and for very long code. Rejects on abort. */
export async function highlight(code: string, language: string, signal: AbortSignal): Promise<CodeToken[][] | null> {
  if (code.length > LONGEST || hasLongLine(code) || !plugin.supportsLanguage(language)) return null;
  await rehearse(code, language);
  // The plugin continues from the longest prefix it has tokenized: growing prefixes tokenize each slice only once.
  for (let end = nextSlice(code, 0); end < code.length; end = nextSlice(code, end)) {
    await nextTurn(signal);
    await tokenize(code.slice(0, end), language, true);
  }
  await nextTurn(signal);
  const { tokens } = await tokenize(code, language, false);
  return tokens.map((line) => line.map(({ content, htmlStyle }) => ({ text: content, color: htmlStyle?.color })));
}

const hasLongLine = (code: string) => code.split("\n").some((line) => line.length > LONGEST_LINE);

const waiting: (() => void)[] = [];

/**
 * Resolves in a task in which nothing else is tokenized: the blocks of a chat are mounted at once, and would be
 * tokenized in one task. The block that was mounted last is first, because a chat opens at its end. Rejects on abort.
 */
async function nextTurn(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (waiting.push(resolve) === 1) setTimeout(startNext);
  });
  signal.throwIfAborted();
}

function startNext(): void {
  waiting.pop()?.();
  if (waiting.length > 0) setTimeout(startNext);
}

const rehearsals = new Map<string, Promise<unknown>>();

/**
 * Warms up a language. Shiki stops at a line that takes it half a second and leaves the rest uncoloured. On a slow
 * machine the first lines of a language take that long, because Shiki compiles its rules on first use; so the first
 * slice is tokenized once, line by line, and discarded.
 */
async function rehearse(code: string, language: string): Promise<void> {
  const known = rehearsals.get(language);
  const rehearsal = known ?? tokenizeByLine(code.slice(0, nextSlice(code, 0)), language);
  rehearsals.set(language, rehearsal);
  await rehearsal;
}

/** Tokenizes code with a task for each line, after an empty line, which compiles the rules that all lines begin with. */
async function tokenizeByLine(code: string, language: string): Promise<void> {
  // The line break before the code prevents the plugin from reusing these results.
  let read = "\n";
  for (const line of ["", ...code.split(/(?<=\n)/)]) {
    read += line;
    await tokenize(read, language, true);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

function nextSlice(code: string, start: number): number {
  if (start + SLICE >= code.length) return code.length;
  const lineEnd = code.indexOf("\n", start + SLICE);
  return lineEnd < 0 ? code.length : lineEnd + 1;
}

function tokenize(code: string, language: string, isIncomplete: boolean): Promise<HighlightResult> {
  return new Promise((resolve) => {
    const known = plugin.highlight({ code, language, themes: [theme, theme], isIncomplete }, resolve);
    if (known) resolve(known);
  });
}
