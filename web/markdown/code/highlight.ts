/** Syntax highlighting. Loaded when the first closed code block occurs; each language is loaded separately. */

import {
  type BundledLanguage,
  bundledLanguages,
  bundledLanguagesInfo,
  createHighlighter,
  type GrammarState,
  type Highlighter,
} from "shiki";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

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

/** Ids of languages by the other names that models write after the opening fence. */
const ids = new Map(bundledLanguagesInfo.flatMap(({ id, aliases = [] }) => aliases.map((alias) => [alias, id])));

/** One for all languages: each instance has its own copy of the theme and of embedded grammars. */
let highlighter: Promise<Highlighter> | null = null;

/** Returns the coloured tokens of each line; null for an unknown language and for very long code. Rejects on abort. */
export async function highlight(code: string, language: string, signal: AbortSignal): Promise<CodeToken[][] | null> {
  const id = ids.get(language) ?? language;
  if (code.length > LONGEST || hasLongLine(code) || !isBundled(id)) return null;
  await prepare(code, id);
  const lines: CodeToken[][] = [];
  let state: GrammarState | undefined;
  for (let start = 0; start < code.length || lines.length === 0; ) {
    const end = nextSlice(code, start);
    await nextTurn(signal);
    const slice = await tokenize(code.slice(start, end), id, state);
    // A slice ends with the line break before the next one.
    lines.push(...(end < code.length ? slice.lines.slice(0, -1) : slice.lines));
    state = slice.state;
    if (end === code.length) break;
    start = end;
  }
  return lines;
}

const isBundled = (id: string): id is BundledLanguage => Object.hasOwn(bundledLanguages, id);

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

const preparations = new Map<BundledLanguage, Promise<void>>();

/** Loads a language once, and warms it up. A failed load is tried again at the next block. */
async function prepare(code: string, language: BundledLanguage): Promise<void> {
  const preparation = preparations.get(language) ?? load(code, language);
  preparations.set(language, preparation);
  await preparation.catch((cause: unknown) => {
    preparations.delete(language);
    throw cause;
  });
}

async function load(code: string, language: BundledLanguage): Promise<void> {
  highlighter ??= createHighlighter({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  await (await highlighter).loadLanguage(language);
  await rehearse(code.slice(0, nextSlice(code, 0)), language);
}

/**
 * Tokenizes code with a task for each line, after an empty line, and discards the result. Shiki stops at a line that takes
 * it half a second and leaves the rest uncoloured. On a slow machine the first lines of a language take that long,
 * because Shiki compiles its rules on first use; an empty line compiles those that all lines begin with.
 */
async function rehearse(code: string, language: BundledLanguage): Promise<void> {
  let state: GrammarState | undefined;
  for (const line of ["", ...code.split("\n")]) {
    state = (await tokenize(line, language, state)).state;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

function nextSlice(code: string, start: number): number {
  if (start + SLICE >= code.length) return code.length;
  const lineEnd = code.indexOf("\n", start + SLICE);
  return lineEnd < 0 ? code.length : lineEnd + 1;
}

type Slice = { lines: CodeToken[][]; state: GrammarState | undefined };

async function tokenize(code: string, language: BundledLanguage, state: GrammarState | undefined): Promise<Slice> {
  const shiki = await highlighter;
  const found = shiki?.codeToTokens(code, { lang: language, theme: theme.name, ...(state && { grammarState: state }) });
  const lines = found?.tokens ?? [];
  return {
    lines: lines.map((line) => line.map(({ content, color }) => ({ text: content, color }))),
    state: found?.grammarState,
  };
}
