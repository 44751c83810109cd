import { type ExpressionBuilder, sql } from "kysely";
import type { MessageRow, Queryable, Schema } from "../database/schema.ts";
import { compactSizes, type MessageSize } from "./message-store.ts";

/** All messages of a chat without their text, by their creation. */
export async function listTreeSizes(db: Queryable, userId: string, chatId: string): Promise<MessageSize[]> {
  const bytes = sql<number>`octet_length(content)`.as("bytes");
  return compactSizes(await treeByCreation(db, userId, chatId).select(["id", bytes]).execute());
}

function treeByCreation(db: Queryable, userId: string, chatId: string) {
  return treeOf(db, userId, chatId).orderBy("created_at").orderBy("id");
}

function treeOf(db: Queryable, userId: string, chatId: string) {
  return db.selectFrom("messages").where("chat_id", "=", chatId).where("user_id", "=", userId).where(isInTree);
}

/** Replies that ended without a word are records of attempts, and no part of the tree. */
function isInTree(eb: ExpressionBuilder<Schema, "messages">) {
  return eb.or([eb("content", "!=", ""), eb("role", "=", "user"), eb("state", "in", ["writing", "interrupted"])]);
}

type Positioned = Pick<MessageRow, "role" | "parent">;
const positionKey = ({ role, parent }: Positioned) => `${role} ${parent}`;

/** Who stands beside whom in a chat: by the same role after the same message. */
export class Alternatives {
  readonly #ids = new Map<string, string[]>();

  constructor(rows: readonly (Positioned & { id: string })[]) {
    for (const row of rows) {
      const beside = this.#ids.get(positionKey(row));
      if (beside) beside.push(row.id);
      else this.#ids.set(positionKey(row), [row.id]);
    }
  }

  /** The ids by creation, its own included; nothing where it stands alone. */
  of(message: Positioned): string[] | undefined {
    return this.#ids.get(positionKey(message));
  }
}

/** Finds the alternatives of all messages of a chat in one query, so that their number does not add queries. */
export async function findAlternatives(db: Queryable, userId: string, chatId: string): Promise<Alternatives> {
  const rows = await db
    .selectFrom(
      treeOf(db, userId, chatId)
        .select(["id", "parent", "role", "created_at"])
        .select((eb) =>
          eb.fn
            .countAll<number>()
            .over((over) => over.partitionBy(["parent", "role"]))
            .as("count"),
        )
        .as("placed"),
    )
    .select(["id", "parent", "role"])
    .where("count", ">", 1)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return new Alternatives(rows);
}

/**
 * The end of the branch that goes through a message, down to the newest at each step; nothing where the chat's tree does
 * not hold the message.
 */
export async function findEndBelow(
  db: Queryable,
  userId: string,
  chatId: string,
  messageId: string,
): Promise<string | undefined> {
  const rows = await treeByCreation(db, userId, chatId).select(["id", "parent"]).execute();
  if (!rows.some(({ id }) => id === messageId)) return undefined;
  const newest = new Map(rows.map(({ id, parent }) => [parent, id]));
  let end = messageId;
  for (let below = newest.get(end); below !== undefined; below = newest.get(end)) end = below;
  return end;
}

/**
 * Where a branch ends once a reply without a word has left it: with what was there beside it, the newest that has words;
 * else with the question.
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
    .where("content", "!=", "")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .executeTakeFirst();
  return beside ? ((await findEndBelow(db, userId, chatId, beside.id)) ?? null) : questionId;
}
