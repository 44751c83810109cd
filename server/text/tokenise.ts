import { setImmediate } from "node:timers/promises";
import { normalizeText } from "#contract/text/normalize-text.ts";
import { fold } from "./fold.ts";

/**
 * A run of letters and digits of a text, folded. `isSpaceless`: of a script without spaces between words, so that word
 * boundaries are unknown.
 */
export type Run = {
  text: string;
  isSpaceless: boolean;
  /** Position in the original text, in UTF-16 units. */
  start: number;
  end: number;
};

/** Longer words are indexed by this number of letters (code points). */
export const MAX_WORD_LETTERS = 64;
/**
 * Maximum of tokens of one text, and of their characters in total. The rest of the text is not indexed, which bounds
 * the time for one text. PostgreSQL stores 1 MB of words in a tsvector, each up to 2046 bytes.
 */
const MAX_TOKENS = 20_000;
const MAX_TOKEN_CHARS = 400_000;
/** A long text is tokenised in time slices of this length. */
const SLICE_MS = 5;
const TOKENS_PER_STEP = 100;
/** UTF-16 units read in one step. */
const BLOCK = 4096;
/** Maximum of marks by which a block is extended, so that no letter loses significant marks. */
const MAX_TRAILING_MARKS = 64;
/**
 * Words are cut off after this number of units of their folded text or later: longer than any query (200 units) if each
 * letter decomposes into 18.
 */
const MAX_WORD = 4096;
/** Folded units of one run in a script without spaces: more than search reads of a message. */
const MAX_SPACELESS = 100_000;

const RUN = /[\p{L}\p{N}\p{M}\uFF9E\uFF9F]+/gu;
const ASCII_ONLY = /^[0-9A-Za-z]+$/;
/** A letter of a script without spaces between words. */
export const SPACELESS =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const MARK = /^[\p{M}\uFF9E\uFF9F\u1160-\u11FF]/u;
/** A letter or digit with its marks and, in Korean, the other parts of its syllable. */
const LETTER = /[\p{L}\p{N}][\p{M}\uFF9E\uFF9F\u1160-\u11FF]*/gu;

/** Folded letters, and their position in the original text. */
export type FoldedLetter = { text: string; isSpaceless: boolean; start: number; end: number };

/** Yields the letters and digits of a run, each with its marks. `offset`: start of the run. */
export function* lettersOf(run: string, offset: number): Generator<FoldedLetter> {
  for (const { 0: letter, index } of run.matchAll(LETTER)) {
    const start = offset + index;
    const { text, isSpaceless } = foldedLetter(letter);
    if (text !== "") yield { text, isSpaceless, start, end: start + letter.length };
  }
}

/** Cache of folded letters: texts consist of few different letters, and folding is slow. */
const foldedLetters = new Map<string, Pick<FoldedLetter, "text" | "isSpaceless">>();
const MAX_FOLDED = 20_000;
const MAX_CACHED_LENGTH = 8;

function foldedLetter(letter: string): Pick<FoldedLetter, "text" | "isSpaceless"> {
  const cached = foldedLetters.get(letter);
  if (cached) return cached;
  const folded = { text: fold(letter), isSpaceless: SPACELESS.test(letter) };
  if (letter.length > MAX_CACHED_LENGTH) return folded;
  if (foldedLetters.size === MAX_FOLDED) foldedLetters.clear();
  foldedLetters.set(letter, folded);
  return folded;
}

/**
 * Yields the words and spaceless runs of a text in order, and `undefined` after each block of at most 4,160 units, when
 * the caller may yield to the event loop. A word keeps at least its first 4,096 units and at most one block more. A
 * spaceless run of more than 100,000 units continues in the next one, which repeats its last letter, so that each pair
 * of letters is in one run.
 */
export function* stepsOf(text: string): Generator<Run | undefined> {
  let run: Run | undefined;
  /** Position where the end of a block cut the last run. */
  let cutAt = -1;
  for (let from = 0; from < text.length; ) {
    const to = blockEnd(text, from);
    for (const { 0: found, index } of text.slice(from, to).matchAll(RUN)) {
      const start = from + index;
      const end = start + found.length;
      const goesOn = start === cutAt;
      if (!goesOn && run) {
        yield composed(run);
        run = undefined;
      }
      const isAscii = ASCII_ONLY.test(found);
      const whole = { text: isAscii ? found.toLowerCase() : "", isSpaceless: false, start, end };
      if (isAscii && !goesOn && end < to) {
        yield whole;
        continue;
      }
      for (const letter of isAscii ? [whole] : lettersOf(found, start)) {
        if (run && run.isSpaceless === letter.isSpaceless && !isFull(run)) extend(run, letter);
        else {
          if (run) yield composed(run);
          run = run?.isSpaceless && letter.isSpaceless ? joined(run, letter) : { ...letter };
        }
      }
      if (end === to) cutAt = to;
    }
    yield undefined;
    from = to;
  }
  if (run) yield composed(run);
}

/** Returns all of {@link stepsOf} without yielding, for short texts. */
export function* runsOf(text: string): Generator<Run> {
  for (const run of stepsOf(text)) if (run) yield run;
}

/** Returns the end of a block: not inside a surrogate pair, nor between a letter and its marks. */
function blockEnd(text: string, from: number): number {
  let end = from + BLOCK;
  if (end >= text.length) return text.length;
  if (isLowSurrogate(text.charCodeAt(end))) end++;
  const limit = end + MAX_TRAILING_MARKS;
  for (
    let mark = MARK.exec(text.slice(end, end + 2));
    mark && end < limit;
    mark = MARK.exec(text.slice(end, end + 2))
  ) {
    end += mark[0].length;
  }
  return end;
}

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

const isFull = ({ text, isSpaceless }: Run) => isSpaceless && text.length >= MAX_SPACELESS;

function extend(run: Run, { text, end }: FoldedLetter): void {
  if (run.isSpaceless || run.text.length < MAX_WORD) run.text += text;
  run.end = end;
}

/** Continues a full run in a new one that begins with its last letter. */
function joined(full: Run, { text, end }: FoldedLetter): Run {
  const last = [...full.text.slice(-2)].at(-1) ?? "";
  return { text: last + text, isSpaceless: true, start: full.end - last.length, end };
}

/** Composes letters that were separate, as Korean ones may be. */
function composed(run: Run): Run {
  return { ...run, text: normalizeText(run.text, "NFC") };
}

/**
 * Returns the index tokens of a text, each once: its words, the pairs of neighbours in its spaceless runs, and prefixes
 * of words (one and two letters), because both engines are slow at short prefixes; of spaceless runs also each letter.
 * Bounded to 20,000 tokens or 400,000 characters; the rest of the text is not found.
 */
export function tokensOf(text: string): string[] {
  const tokens = new Set<string>();
  for (const _ of collecting(text, tokens));
  return [...tokens];
}

/**
 * Like {@link tokensOf} in time slices, because a long text takes hundreds of milliseconds.
 * @param now clock in ms, read after each step
 */
export async function tokensInSlices(text: string, now = () => performance.now()): Promise<string[]> {
  const tokens = new Set<string>();
  let sliceEndsAt = now() + SLICE_MS;
  for (const _ of collecting(text, tokens)) {
    if (now() < sliceEndsAt) continue;
    await setImmediate();
    sliceEndsAt = now() + SLICE_MS;
  }
  return [...tokens];
}

/** Adds a text's tokens; yields after each block and every 100 tokens. */
function* collecting(text: string, tokens: Set<string>): Generator<undefined> {
  let length = 0;
  let scanned = 0;
  for (const run of stepsOf(text)) {
    if (!run) {
      yield;
      continue;
    }
    for (const token of tokensOfRun(run)) {
      if (++scanned % TOKENS_PER_STEP === 0) yield;
      if (tokens.has(token)) continue;
      length += token.length + 1;
      if (tokens.size === MAX_TOKENS || length > MAX_TOKEN_CHARS) return;
      tokens.add(token);
    }
  }
}

/** A generator, because a run may be a whole text of which only a few tokens are needed. */
function* tokensOfRun({ text, isSpaceless }: Run): Generator<string> {
  if (isSpaceless) {
    let former = "";
    for (const letter of text) {
      if (former !== "") yield encoded([former, letter]);
      yield beginning([letter], 1);
      former = letter;
    }
    return;
  }
  const letters = [...text];
  yield encoded(letters.slice(0, MAX_WORD_LETTERS));
  for (const length of [1, 2]) yield beginning(letters, length);
}

function pairsOf(letters: string[]): string[] {
  return letters.slice(1).map((letter, index) => encoded([letters[index] ?? "", letter]));
}

/** Tokens to look up in the index: whole words, and prefixes. */
export type TokenQuery = { exact: string[]; beginnings: string[] };

/** Returns the tokens that a text must all have to match every word's prefix and every spaceless run's pairs. */
export function tokensToFind(runs: readonly Run[]): TokenQuery {
  const exact = new Set<string>();
  const beginnings = new Set<string>();
  for (const { text, isSpaceless } of runs) {
    const letters = [...text];
    if (letters.length === 1 || (letters.length === 2 && !isSpaceless)) exact.add(beginning(letters, letters.length));
    else if (isSpaceless) for (const pair of pairsOf(letters)) exact.add(pair);
    else beginnings.add(encoded(letters.slice(0, MAX_WORD_LETTERS)));
  }
  return { exact: [...exact], beginnings: [...beginnings] };
}

/** Marks for account, role and model, which no text can produce. */
export const markTokens = {
  user: (id: string) => `qu${alphanumeric(id)}`,
  role: (role: string) => `qr${alphanumeric(role)}`,
  model: (model: string) => `qv${encoded([...model].slice(0, 200))}`,
};

const alphanumeric = (id: string) => id.toLowerCase().replaceAll(/[^0-9a-z]/g, "");

const beginning = (letters: string[], length: number) => `qy${encoded(letters.slice(0, length))}`;

/**
 * Encodes letters so that both engines keep them unchanged: 0-9 and a-z unchanged, any other as `q` and four digits of
 * base 36, the first of which is at most `n`. So equal prefixes stay equal, and no word has the prefix of a mark (`qr`,
 * `qu`, `qv`, `qy`).
 */
function encoded(letters: string[]): string {
  return letters.map(encodedLetter).join("");
}

function encodedLetter(letter: string): string {
  if (/^[0-9a-pr-z]$/.test(letter)) return letter;
  return `q${(letter.codePointAt(0) ?? 0).toString(36).padStart(4, "0")}`;
}
