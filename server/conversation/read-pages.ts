import type { HeavyRead } from "../concurrency/heavy-reads.ts";
import { inRuns, ROWS_AT_ONCE } from "../database/in-runs.ts";
import { isOnSqlite } from "../database/is-on-sqlite.ts";
import type { ChatRow, Database, MessageRow } from "../database/schema.ts";
import { type MessageSize, type SizedMessage, walkBranch } from "./branch-store.ts";
import { listLongMessage, listMessages } from "./message-store.ts";
import type { Part } from "./parts/message-part.ts";
import { listPartSizes, listParts, listPartsBetween, partBytesOf, rowsOf } from "./parts/part-store.ts";
import { Alternatives, walkTree } from "./tree-store.ts";

/** Text and parts that a reader of a chat holds in memory at a time; a longer message is a page of its own. */
export const PAGE_BYTES = 1_000_000;
const PAGE_MESSAGES = 200;

/** A read of an account's chats. */
export type Reader = { database: Database; userId: string; read: HeavyRead };

/**
 * Ids of the messages of a page, joined by commas because all pages of a chat are held, and the size of the messages with
 * their parts in bytes.
 */
type Page = { joinedIds: string; bytes: number };

/** Messages of one page, with the stored parts of each by its id. */
export type PageContent = { rows: readonly MessageRow[]; stored: ReadonlyMap<string, Part[]> };

/** Reads the messages from the root of a chat to `leaf` page by page, oldest first; deleted ones are left out. */
export async function* readBranch(reader: Reader, leaf: string | null): AsyncGenerator<PageContent, void> {
  yield* readPages(reader, await reader.read.page(() => branchPages(reader, leaf)));
}

/** Reads one message, as the only page; none if it was deleted. */
export async function* readMessage(reader: Reader, size: MessageSize): AsyncGenerator<PageContent, void> {
  yield* readPages(reader, await reader.read.page(() => pagesOf(reader, [size])));
}

/** Reads the last page first. */
async function* readPages(reader: Reader, pages: Page[]): AsyncGenerator<PageContent, void> {
  // From its end, so that the ids of pages that were read are released.
  for (let page = pages.pop(); page; page = pages.pop()) yield await readPage(reader, page);
}

/**
 * Reads a branch as {@link readBranch}, and before it which alternatives its messages have, so that their number does not
 * add queries.
 */
export async function readWithAlternatives(
  reader: Reader,
  { id: chatId, leaf }: Pick<ChatRow, "id" | "leaf">,
): Promise<{ pages: AsyncGenerator<PageContent, void>; alternatives: Alternatives }> {
  const { database, userId, read } = reader;
  const alternatives = new Alternatives();
  const pages = await read.page(async () => {
    const found = await branchPages(reader, leaf, (messages) => alternatives.expect(messages));
    for await (const messages of walkTree(database, userId, chatId)) {
      alternatives.add(messages);
      await read.step();
    }
    alternatives.compact();
    return found;
  });
  return { pages: readPages(reader, pages), alternatives };
}

/** Reads all messages of a chat's tree page by page, by creation. */
export async function* readTree(reader: Reader, chatId: string): AsyncGenerator<PageContent, void> {
  const steps = walkTree(reader.database, reader.userId, chatId);
  for (;;) {
    // One step of the walk at a time, because its pages are read before the next.
    const pages = await reader.read.page(async () => {
      const step = await steps.next();
      await reader.read.step();
      return step.done ? undefined : pagesOf(reader, step.value);
    });
    if (!pages) return;
    for (const page of pages) yield await readPage(reader, page);
  }
}

/** Returns the pages of a branch, the newest first. @param onStep receives the messages of each step of the walk */
async function branchPages(
  reader: Reader,
  leaf: string | null,
  onStep: (messages: readonly SizedMessage[]) => void = () => undefined,
): Promise<Page[]> {
  const pages: Page[] = [];
  for await (const messages of walkBranch(reader.database, reader.userId, leaf)) {
    onStep(messages);
    pages.push(...(await pagesOf(reader, messages)).reverse());
    await reader.read.step();
  }
  return pages;
}

/**
 * Cuts messages into pages that are bounded in bytes and in rows: a part without fields has 2 bytes, and costs as much
 * time as a message.
 */
async function pagesOf({ database, read }: Reader, messages: readonly MessageSize[]): Promise<Page[]> {
  const bytesOf = new Map<string, number>();
  for (const run of inRuns(
    messages.filter(({ rev }) => rev > 0),
    rowsOf,
  )) {
    for (const { id, bytes } of await partBytesOf(database, run)) bytesOf.set(id, bytes);
    await read.step();
  }
  const pages: { ids: string[]; bytes: number }[] = [];
  for (const run of inRuns(messages, (message) => 1 + rowsOf(message))) {
    let page: (typeof pages)[number] | undefined;
    for (const message of run) {
      const bytes = message.bytes + (bytesOf.get(message.id) ?? 0);
      if (!page || page.ids.length >= PAGE_MESSAGES || page.bytes + bytes > PAGE_BYTES) {
        page = { ids: [], bytes: 0 };
        pages.push(page);
      }
      page.ids.push(message.id);
      page.bytes += bytes;
    }
  }
  return pages.map(({ ids, bytes }) => ({ joinedIds: ids.join(), bytes }));
}

function readPage({ database, userId, read }: Reader, { joinedIds, bytes }: Page): Promise<PageContent> {
  return read.page(async () => {
    const ids = joinedIds.split(",");
    const [id] = ids;
    const isLong = ids.length === 1 && id !== undefined && bytes > PAGE_BYTES && isOnSqlite(database);
    const rows = await (isLong ? listLongMessage(database, userId, id) : listMessages(database, userId, ids));
    await read.step();
    const [row] = rows;
    const isAlone = ids.length === 1 && row !== undefined && row.rev > 0;
    const stored = isAlone
      ? new Map([[row.id, await readLongParts({ database, read }, row)]])
      : await listParts(database, rows);
    await read.step();
    return { rows, stored };
  });
}

/** Reads the parts of one message, which may have a thousand, or some of a megabyte. */
async function readLongParts(
  { database, read }: Pick<Reader, "database" | "read">,
  { id }: Pick<MessageRow, "id">,
): Promise<Part[]> {
  const parts: Part[] = [];
  let from = 0;
  let size = { rows: 0, bytes: 0 };
  const sizes = await listPartSizes(database, id);
  for (const [at, { seq, bytes }] of sizes.entries()) {
    size = { rows: size.rows + 1, bytes: size.bytes + bytes };
    const next = sizes[at + 1];
    if (next && size.rows < ROWS_AT_ONCE && size.bytes + next.bytes <= PAGE_BYTES) continue;
    parts.push(...(await listPartsBetween(database, id, { from, to: seq })));
    await read.step();
    from = seq + 1;
    size = { rows: 0, bytes: 0 };
  }
  return parts;
}
