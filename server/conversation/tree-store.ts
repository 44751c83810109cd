import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
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
const positionKey = ({ role, parent }: Positioned) => `${role} ${parent}`;

/** Alternatives of messages: messages of the same role with the same parent. */
export class Alternatives {
  /** Of a position with one message only its id, because most positions have one. */
  readonly #ids = new Map<string, string | string[]>();

  /** Adds messages in the order of their creation. */
  add(messages: readonly (Positioned & { id: string })[]): void {
    for (const message of messages) {
      const key = positionKey(message);
      const known = this.#ids.get(key);
      if (known === undefined) this.#ids.set(key, message.id);
      else if (typeof known === "string") this.#ids.set(key, [known, message.id]);
      else known.push(message.id);
    }
  }

  /** Removes the positions with one message, once all are added. */
  compact(): void {
    for (const [key, ids] of this.#ids) if (typeof ids === "string") this.#ids.delete(key);
  }

  /** Ids of a message's alternatives by creation, including its own; undefined if there is no other. */
  of(message: Positioned): string[] | undefined {
    const ids = this.#ids.get(positionKey(message));
    return typeof ids === "string" ? undefined : ids;
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
