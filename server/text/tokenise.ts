import { setImmediate } from "node:timers/promises";
import { normalizeText } from "#contract/text/normalize-text.ts";
import { fold } from "./fold.ts";

/**
 * A run of letters and digits of a text, folded. `isSpaceless`: of a script that puts no spaces between words, so that
 * where a word begins is not known.
 */
export type Run = {
  text: string;
  isSpaceless: boolean;
  /** Where it stands in the original text, in UTF-16 units. */
  start: number;
  end: number;
};

/** Longer words are found by so many of their letters (code points). */
export const MAX_WORD_LETTERS = 64;
/**
 * Tokens of one text, and their characters in all. The rest of the text is not indexed, which bounds the time that one
 * text takes. PostgreSQL stores 1 MB of words in a tsvector, each up to 2046 bytes.
 */
const MAX_TOKENS = 20_000;
const MAX_TOKEN_CHARS = 400_000;
/** A long text is tokenised in time slices of this length. */
const SLICE_MS = 5;
const TOKENS_PER_STEP = 100;
/** UTF-16 units that are read in one step. */
const BLOCK = 4096;
/** Marks that a block is extended by, so that no letter loses marks that count. */
const MAX_TRAILING_MARKS = 64;
/** A word is cut off after so many units of its folded text or later: longer than any query (200 units) when each of its letters decomposes into 18. */
const MAX_WORD = 4096;
/** Folded units of one run in a script without spaces: longer than what search reads of a message. */
const MAX_SPACELESS = 100_000;

const RUN = /[\p{L}\p{N}\p{M}\uFF9E\uFF9F]+/gu;
const ASCII_ONLY = /^[0-9A-Za-z]+$/;
const SPACELESS =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const MARK = /^[\p{M}\uFF9E\uFF9F\u1160-\u11FF]/u;
/** A letter or digit with the marks and, in Korean, the parts of a syllable that hang on it. */
const LETTER = /[\p{L}\p{N}][\p{M}\uFF9E\uFF9F\u1160-\u11FF]*/gu;

/** Letters as they are folded, and where they stand in the original text. */
export type FoldedLetter = { text: string; isSpaceless: boolean; start: number; end: number };

/** The letters and digits of a run of them, each with its marks. `offset`: where the run begins. */
export function* lettersOf(run: string, offset: number): Generator<FoldedLetter> {
  for (const { 0: letter, index } of run.matchAll(LETTER)) {
    const start = offset + index;
    const { text, isSpaceless } = foldedLetter(letter);
    if (text !== "") yield { text, isSpaceless, start, end: start + letter.length };
  }
}

/** What letters were folded to lately, as texts are made of few different ones and folding takes long. */
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
 * The words and the spaceless runs of a text, in their order, and `undefined` after each block of at most 4,160 units,
 * where the caller may yield to the event loop. A word has at least its first 4,096 units as text, and
 * no more than one block besides. A spaceless run of more than 100,000 goes on in the next one, which begins with its
 * last letter again, so that each pair of letters is in one.
 */
export function* stepsOf(text: string): Generator<Run | undefined> {
  let run: Run | undefined;
  /** Where the last block's last run was cut off by the end of the block. */
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

/** {@link stepsOf} at once, for short texts. */
export function* runsOf(text: string): Generator<Run> {
  for (const run of stepsOf(text)) if (run) yield run;
}

/** Not between the halves of a surrogate pair or a letter and its marks. */
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

/** A run that begins with the last letter of the full one before. */
function joined(full: Run, { text, end }: FoldedLetter): Run {
  const last = [...full.text.slice(-2)].at(-1) ?? "";
  return { text: last + text, isSpaceless: true, start: full.end - last.length, end };
}

/** Parts of one letter that stood as letters of their own, as Korean ones may, become one. */
function composed(run: Run): Run {
  return { ...run, text: normalizeText(run.text, "NFC") };
}

/**
 * What a text is found by, each once, for the index: its words, the pairs of neighbours in its spaceless runs, and what
 * words begin with (one letter, two), as the engines are slow at short beginnings; of spaceless runs each letter. Bounded:
 * 20,000 tokens or 400,000 characters of them; what comes after is not found.
 */
export function tokensOf(text: string): string[] {
  const tokens = new Set<string>();
  for (const _ of collecting(text, tokens));
  return [...tokens];
}

/**
 * {@link tokensOf} in time slices, as a long text takes hundreds of milliseconds.
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

/** Adds a text's tokens; yields after each block of it and every 100 tokens. */
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

/** One by one, as a run may be a whole text of which few are wanted. */
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

/** What to look for in the index: exact words of it, and beginnings of words. */
export type TokenQuery = { exact: string[]; beginnings: string[] };

/** All of these must be there for a text to hold each word's beginning and each spaceless run's pairs. */
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

/** Of whom, by whom, by which model: what no text can bring into the index, whatever it says. */
export const markTokens = {
  user: (id: string) => `qu${alphanumeric(id)}`,
  role: (role: string) => `qr${alphanumeric(role)}`,
  model: (model: string) => `qv${encoded([...model].slice(0, 200))}`,
};

const alphanumeric = (id: string) => id.toLowerCase().replaceAll(/[^0-9a-z]/g, "");

const beginning = (letters: string[], length: number) => `qy${encoded(letters.slice(0, length))}`;

/**
 * Letters as both engines leave them: 0-9 and a-z as they are, any other as `q` and four digits of base 36, of which the
 * first is never above `n`. So what begins with the same letters begins with the same characters, and nothing begins as
 * other tokens do (`qr`, `qu`, `qv`, `qy`).
 */
function encoded(letters: string[]): string {
  return letters.map(encodedLetter).join("");
}

function encodedLetter(letter: string): string {
  if (/^[0-9a-pr-z]$/.test(letter)) return letter;
  return `q${(letter.codePointAt(0) ?? 0).toString(36).padStart(4, "0")}`;
}
