import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { Role } from "#contract/conversation/conversation.ts";
import { isRunning } from "#contract/conversation/reply-state.ts";
import { ROWS_AT_ONCE } from "../database/in-runs.ts";
import type { MessageRow, Queryable } from "../database/schema.ts";
import { type MessageSize, ownBytes } from "./branch-store.ts";
import { hasSubstantialParts } from "./parts/part-store.ts";

type TreeRow = MessageSize & Pick<MessageRow, "role" | "state" | "created_at"> & { is_empty: 0 | 1 };
/** A message of a chat's tree without its text and parts. */
export type TreeMessage = MessageSize & Pick<MessageRow, "role">;

/** Yields all messages of a chat's tree by creation, in steps. */
export async function* walkTree(db: Queryable, userId: string, chatId: string): AsyncGenerator<TreeMessage[], void> {
  let last: Pick<TreeRow, "created_at" | "id"> | undefined = { created_at: -1, id: "" };
  while (last) {
    const { rows }: { rows: TreeRow[] } = await sql<TreeRow>`
      select id, parent, role, state, created_at, rev, ${ownBytes} as bytes,
        case when octet_length(content) = 0 and not ${hasSubstantialParts} then 1 else 0 end as is_empty
      from messages
      where chat_id = ${chatId} and user_id = ${userId} and (created_at, id) > (${last.created_at}, ${last.id})
      order by created_at, id limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db);
    // Copied, because V8 stores the rows of `node:sqlite`, which have no prototype, as dictionaries of three times the size.
    yield rows.filter(isInTree).map(({ id, parent, role, rev, bytes }) => ({ id, parent, role, rev, bytes }));
    last = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1);
  }
}

/** Whether a message is in the tree: replies that ended without text and files are only records of attempts. */
function isInTree({ is_empty, role, state }: TreeRow): boolean {
  return is_empty === 0 || role === "user" || isRunning(state) || state === "interrupted";
}

type Positioned = Pick<MessageRow, "role" | "parent">;
/** `isSeen`: whether the message of the branch was among the added ones. `ids`: absent while no other was. */
type Position = { own: string; isSeen: boolean; ids?: PackedIds };

/** Ids in order, packed in strings: an id of its own takes twice the memory. */
export class PackedIds {
  readonly #packed: string[] = [];
  #last: string[] = [];
  size = 0;

  add(id: string): void {
    this.size++;
    this.#last.push(id);
    if (this.#last.length < ROWS_AT_ONCE) return;
    this.#packed.push(this.#last.join(","));
    this.#last = [];
  }

  /** Yields the ids in runs of at most {@link ROWS_AT_ONCE}. */
  *runs(): Generator<string[]> {
    for (const packed of this.#packed) yield packed.split(",");
    if (this.#last.length > 0) yield this.#last;
  }
}

/** Alternatives of the messages of a branch: messages of the same role with the same parent. */
export class Alternatives {
  readonly #positions: Record<Role, Map<string | null, Position>> = { user: new Map(), assistant: new Map() };

  /** Names messages of the branch, before any message is added. Alternatives of others are not held. */
  expect(branch: readonly (Positioned & { id: string })[]): void {
    for (const { id, role, parent } of branch) this.#positions[role].set(parent, { own: id, isSeen: false });
  }

  /** Adds messages of the tree in the order of their creation. */
  add(messages: readonly (Positioned & { id: string })[]): void {
    for (const { id, role, parent } of messages) {
      const position = this.#positions[role].get(parent);
      if (!position) continue;
      if (id === position.own) position.isSeen = true;
      else if (!position.ids) {
        position.ids = new PackedIds();
        if (position.isSeen) position.ids.add(position.own);
      }
      position.ids?.add(id);
    }
  }

  /** Removes the positions with one message, once all are added. */
  compact(): void {
    for (const role of ["user", "assistant"] as const) {
      const positions = [...this.#positions[role]].filter(([, { ids }]) => ids !== undefined && ids.size > 1);
      // Copied, because removing most of 50,000 entries takes longer.
      this.#positions[role] = new Map(positions);
    }
  }

  /**
   * Removes and returns the ids of a message's alternatives by creation, including its own; undefined if there is no
   * other.
   */
  take({ role, parent }: Positioned): PackedIds | undefined {
    const ids = this.#positions[role].get(parent)?.ids;
    this.#positions[role].delete(parent);
    return ids;
  }
}

/**
 * Finds the leaf below a message, following the newest child at each level; undefined if the message is not in the
 * chat's tree.
 * @param step yields to the event loop between two steps
 */
export async function findEndBelow(
  db: Queryable,
  userId: string,
  chatId: string,
  messageId: string,
  step: () => Promise<void>,
): Promise<string | undefined> {
  const newest = new Map<string | null, string>();
  let isFound = false;
  for await (const messages of walkTree(db, userId, chatId)) {
    for (const { id, parent } of messages) {
      newest.set(parent, id);
      isFound ||= id === messageId;
    }
    await step();
  }
  if (!isFound) return undefined;
  let end = messageId;
  for (let below = newest.get(end); below !== undefined; below = newest.get(end)) end = below;
  return end;
}

/**
 * Finds the leaf of a branch after an empty reply has left it: the newest alternative with text or files, or else the question.
 */
export async function findEndWithout(
  db: Queryable,
  userId: string,
  chatId: string,
  questionId: string | null,
): Promise<string | null> {
  const beside = await db
    .selectFrom("messages")
    .select("id")
    .where("chat_id", "=", chatId)
    .where("user_id", "=", userId)
    .where("parent", "=", questionId)
    .where((eb) => eb.or([eb("content", "!=", ""), hasSubstantialParts]))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .executeTakeFirst();
  return beside ? ((await findEndBelow(db, userId, chatId, beside.id, setImmediate)) ?? null) : questionId;
}
