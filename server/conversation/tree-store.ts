import type { ExpressionBuilder } from "kysely";
import type { MessageRow, Queryable, Schema } from "../database/schema.ts";
import { bytesWithParts, compactSizes, type MessageSize } from "./message-store.ts";

/** Lists all messages of a chat without their text, by creation. */
export async function listTreeSizes(db: Queryable, userId: string, chatId: string): Promise<MessageSize[]> {
  return compactSizes(
    await treeByCreation(db, userId, chatId)
      .select(["id", bytesWithParts.as("bytes")])
      .execute(),
  );
}

function treeByCreation(db: Queryable, userId: string, chatId: string) {
  return treeOf(db, userId, chatId).orderBy("created_at").orderBy("id");
}

function treeOf(db: Queryable, userId: string, chatId: string) {
  return db.selectFrom("messages").where("chat_id", "=", chatId).where("user_id", "=", userId).where(isInTree);
}

/** Excludes replies that ended without text, which are only records of attempts. */
function isInTree(eb: ExpressionBuilder<Schema, "messages">) {
  return eb.or([eb("content", "!=", ""), eb("role", "=", "user"), eb("state", "in", ["writing", "interrupted"])]);
}

type Positioned = Pick<MessageRow, "role" | "parent">;
const positionKey = ({ role, parent }: Positioned) => `${role} ${parent}`;

/** Alternatives of messages: messages of the same role with the same parent. */
export class Alternatives {
  readonly #ids = new Map<string, string[]>();

  constructor(rows: readonly (Positioned & { id: string })[]) {
    for (const row of rows) {
      const beside = this.#ids.get(positionKey(row));
      if (beside) beside.push(row.id);
      else this.#ids.set(positionKey(row), [row.id]);
    }
  }

  /** Ids of a message's alternatives by creation, including its own; undefined if there is no other. */
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
 * Finds the leaf below a message, following the newest child at each level; undefined if the message is not in the
 * chat's tree.
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
 * Finds the leaf of a branch after an empty reply has left it: the newest alternative with text, or else the question.
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
