import { sql } from "kysely";
import type { Queryable } from "../../../database/schema.ts";

/**
 * Whether a call in a chat has succeeded whose group of tools is none of these. Read from the text of the parts: quotes
 * within arguments and results are escaped there, so they cannot look like these fields.
 */
export async function hasCallsBeside(db: Queryable, chatId: string, groups: readonly string[]): Promise<boolean> {
  const found = await db
    .selectFrom("messages")
    .innerJoin("message_parts as part", "part.message_id", "messages.id")
    .select("part.seq")
    .where("messages.chat_id", "=", chatId)
    .where("part.kind", "=", "tool")
    .where("part.body", "like", '%"state":"succeeded"%')
    .where(
      sql<boolean>`${sql.join(
        ["", ...groups].map((group) => sql`part.body not like ${`%"server":"${group}"%`}`),
        sql` and `,
      )}`,
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
