import type { SearchHit, SearchQuery, SearchResult } from "#contract/conversation/search.ts";
import type { Queryable } from "../database/schema.ts";
import { fold } from "../text/fold.ts";
import { markTokens, type Run, tokensToFind } from "../text/tokenise.ts";
import { holdsAll, needTextScan, queryRuns } from "./matches.ts";
import { occursIn } from "./pattern-search.ts";
import {
  type EntryFilter,
  type FoundEntry,
  listEntries,
  listFileTexts,
  listTexts,
  RANKED_CHARS,
} from "./search-store.ts";
import { COMPARED_CHARS, marked, type Snippet, snippetOf } from "./snippet.ts";
import { TimeBudget } from "./time-budget.ts";

/** Number of matches that are ranked together, newest first: a pool. */
const POOL = 300;
/** Maximum number of pools read for one page, if the index returns many false positives. */
const MAX_POOLS = 4;
const TEXTS_AT_ONCE = 5;
/**
 * Length of the prefix of a long text that is scanned (code points). After it only the index finds words and pairs of
 * letters.
 */
const SCANNED_CHARS = 50_000;
const DEFAULT_PAGE = 20;

/** Position at which a page ended: the pool by its ids, and the last hit in its order. Rank 9 precedes every hit. */
type Cursor = { below: number; from: number; rank: number; at: number; id: number };
type Ranked = FoundEntry & { rank: number };
type Scan = { wanted: readonly Run[]; budget: TimeBudget };

/**
 * Returns a page of the account's messages, attached files and titles that match: the newest 300 matches, ranked by
 * title, phrase or name, whole words and time, then the next 300. Reads only the account's own rows, so that texts of other accounts cannot
 * influence hits or their order. A page that would take too long ends early.
 * @throws Failure `unavailable` when the time budget is exceeded
 */
export async function findHits(
  db: Queryable,
  userId: string,
  request: SearchQuery,
  budget = new TimeBudget(),
): Promise<SearchResult> {
  const wanted = queryRuns(request.q ?? "");
  if (wanted.length === 0) return { hits: [], next: null };
  const limit = request.limit ?? DEFAULT_PAGE;
  const found: Ranked[] = [];
  let cursor = request.before === undefined ? undefined : parseCursor(request.before);
  for (let pools = 0; pools < MAX_POOLS; pools++) {
    const pool = await listPool(db, userId, request, { wanted, cursor, budget });
    const left = pool.ranked.filter((entry) => !cursor || isAfter(entry, cursor));
    const taken = left.slice(0, limit - found.length);
    found.push(...taken);
    const last = taken.at(-1);
    if (last && taken.length < left.length) cursor = { ...pool.ids, rank: last.rank, at: last.at, id: last.id };
    else cursor = pool.isLast ? undefined : { below: pool.ids.from, from: 0, rank: 9, at: 0, id: 0 };
    if (!cursor || found.length === limit || budget.isEnough) break;
  }
  return { hits: await toHits(db, userId, found, { wanted, budget }), next: cursor ? cursorText(cursor) : null };
}

/**
 * Lists the entries of a pool that match, by rank. If scanning takes too long, the pool ends early, unless earlier
 * pages have returned a part of it: then its ids are fixed. `isLast`: there are no older entries.
 */
async function listPool(
  db: Queryable,
  userId: string,
  { folder, from, to, model, role }: SearchQuery,
  { wanted, cursor, budget }: Scan & { cursor: Cursor | undefined },
) {
  const { exact, beginnings } = tokensToFind(wanted);
  const marks = [
    markTokens.user(userId),
    ...(role === undefined ? [] : [markTokens.role(role)]),
    ...(model === undefined ? [] : [markTokens.model(model)]),
  ];
  const filter: EntryFilter = {
    exact: [...marks, ...exact],
    beginnings,
    ...(folder !== undefined && { folder }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ids: cursor ? { below: cursor.below, from: cursor.from } : {},
  };
  const entries = await listEntries(db, userId, filter, POOL);
  const isPartOfOne = cursor !== undefined && cursor.from > 0;
  const mayEnd = () => !isPartOfOne && budget.isEnough;
  const { holding, scanned } = needTextScan(wanted)
    ? await thoseThatHold(db, userId, entries, { wanted, budget, mayEnd })
    : { holding: entries, scanned: entries.length };
  const ids = isPartOfOne ? cursor : { below: (entries[0]?.id ?? 0) + 1, from: entries[scanned - 1]?.id ?? 0 };
  const rank = ranking(wanted);
  const ranked: Ranked[] = [];
  for (const entry of holding) {
    ranked.push({ ...entry, rank: rank(entry) });
    await budget.step();
  }
  const isLast = !isPartOfOne && scanned === entries.length && entries.length < POOL;
  return { ranked: ranked.sort(byRank), ids: { below: ids.below, from: ids.from }, isLast };
}

/**
 * Scans the texts of the entries for all runs of the query. `scanned`: number of scanned entries, from the first on.
 */
async function thoseThatHold(
  db: Queryable,
  userId: string,
  entries: FoundEntry[],
  { wanted, budget, mayEnd }: Scan & { mayEnd(): boolean },
) {
  const holding: FoundEntry[] = [];
  for (let at = 0; at < entries.length; at += TEXTS_AT_ONCE) {
    if (at > 0 && mayEnd()) return { holding, scanned: at };
    const some = entries.slice(at, at + TEXTS_AT_ONCE);
    const texts = await textsOf(db, userId, some);
    for (const [index, entry] of some.entries()) {
      const text = texts[index] ?? "";
      const isHolding = entry.file_name === null ? holdsAll : fileHoldsAll(entry.file_name);
      if (await isHolding(text, wanted, budget)) holding.push(entry);
      await budget.step();
    }
  }
  return { holding, scanned: entries.length };
}

/**
 * Returns a function that scans a file for all runs of the query: each in its name or anywhere in its text by a pattern,
 * else in its beginning by words.
 */
function fileHoldsAll(name: string): typeof holdsAll {
  return async (text, wanted, budget) => {
    const missing: Run[] = [];
    for (const run of wanted) {
      if (!occursIn(name, run) && !occursIn(text, run)) missing.push(run);
      await budget.step();
    }
    return missing.length === 0 || holdsAll(`${name}\n${text.slice(0, COMPARED_CHARS)}`, missing, budget);
  };
}

/**
 * Reads the texts of messages up to {@link SCANNED_CHARS}, and those of files as a whole; {@link FoundEntry} may have a
 * shorter prefix.
 */
async function textsOf(db: Queryable, userId: string, entries: readonly FoundEntry[]): Promise<string[]> {
  const ids: string[] = [];
  const keys: string[] = [];
  for (const { message_id, file_key, file_bytes, text } of entries) {
    if (file_key !== null) {
      if ((file_bytes ?? 0) > Buffer.byteLength(text)) keys.push(file_key);
    } else if (message_id !== null && text.length >= RANKED_CHARS) ids.push(message_id);
  }
  const texts = await listTexts(db, userId, ids, SCANNED_CHARS);
  const fileTexts = await listFileTexts(db, userId, keys);
  return entries.map(({ message_id, file_key, text }) => {
    if (file_key !== null) return fileTexts.get(file_key) ?? text;
    return texts.get(message_id ?? "") ?? text;
  });
}

/**
 * Returns the ranking function: 4 for a title, 2 for the query as a phrase or all of it in a file's name, 1 for whole
 * words only, added up.
 */
function ranking(wanted: readonly Run[]): (entry: FoundEntry) => number {
  const phrase = wanted.map(({ text }) => text).join(" ");
  const words = wanted.map(({ text, isSpaceless }) => {
    // Other characters may have a meaning in a regular expression.
    const literal = text.replaceAll(/[^\p{L}\p{N}\p{M}]/gu, ".");
    return new RegExp(isSpaceless ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "u");
  });
  return ({ message_id, file_name, text }) => {
    const folded = fold(file_name === null ? text : `${file_name}\n${text}`);
    const isNamed = file_name !== null && wanted.every((run) => occursIn(file_name, run));
    const hasPhrase = isNamed || (wanted.length > 1 && folded.includes(phrase));
    const isWhole = words.every((word) => word.test(folded));
    return (message_id === null ? 4 : 0) + (hasPhrase ? 2 : 0) + (isWhole ? 1 : 0);
  };
}

type Position = Pick<Ranked, "rank" | "at" | "id">;
const byRank = (a: Position, b: Position) => b.rank - a.rank || b.at - a.at || b.id - a.id;
const isAfter = (entry: Ranked, position: Position) => byRank(position, entry) < 0;

const cursorText = ({ below, from, rank, at, id }: Cursor) => [below, from, rank, at, id].join(".");

function parseCursor(text: string): Cursor {
  const [below = 0, from = 0, rank = 0, at = 0, id = 0] = text.split(".").map(Number);
  return { below, from, rank, at, id };
}

/** Converts entries to hits. If the search is late, snippets are cut from the beginnings of the texts. */
async function toHits(db: Queryable, userId: string, found: readonly Ranked[], { wanted, budget }: Scan) {
  const hits: SearchHit[] = [];
  for (let at = 0; at < found.length; at += TEXTS_AT_ONCE) {
    const some = found.slice(at, at + TEXTS_AT_ONCE);
    const texts = budget.isLate ? [] : await textsOf(db, userId, some);
    for (const [index, entry] of some.entries()) {
      hits.push(await hitOf(entry, texts[index] ?? entry.text, { wanted, budget }));
      await budget.step();
    }
  }
  return hits;
}

async function hitOf(entry: Ranked, text: string, { wanted, budget }: Scan): Promise<SearchHit> {
  const { message_id, role, file_id, file_name, file_type } = entry;
  const file = file_id !== null && file_name !== null && { id: file_id, name: file_name, type: file_type ?? "" };
  const source = file ? "file" : role === "user" ? "question" : "answer";
  const { snippet, marks }: Snippet =
    message_id === null ? marked(text, wanted) : await snippetOf(text, { wanted, source, budget });
  return {
    chatId: entry.chat_id,
    title: entry.title,
    messageId: message_id,
    role,
    model: entry.model,
    at: entry.at,
    ...{ snippet, marks },
    ...(file && { file: { ...file, marks: marked(file.name, wanted).marks } }),
    ...(entry.archived !== 0 && { isArchived: true }),
    ...(entry.folder_id !== null && { folderId: entry.folder_id }),
  };
}
