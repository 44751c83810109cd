import { CLASS_CODE_TRIES_MAX } from "#contract/administration/class-codes.ts";
import { isOnSqlite } from "../../database/is-on-sqlite.ts";
import type { Queryable } from "../../database/schema.ts";
import type { ClassCodeRow } from "../../database/tables/invitation-tables.ts";
import { isActiveAt } from "./invitation-store.ts";

export async function insertClassCode(db: Queryable, invitationId: string, codeHash: string): Promise<void> {
  await db.insertInto("class_codes").values({ invitation_id: invitationId, code_hash: codeHash, tries: 0 }).execute();
}

/**
 * Counts a try against every class code that can be used: a wrong one belongs to none of them. One statement, so that
 * no code is compared with more wrong tries than it allows.
 * @returns the counted codes: only these may be compared with the try
 */
export async function countCodeTry(db: Queryable, now: number): Promise<ClassCodeRow[]> {
  const usable = db
    .selectFrom("class_codes")
    .innerJoin("invitations", "invitations.id", "class_codes.invitation_id")
    .select("class_codes.invitation_id")
    .where("class_codes.tries", "<", CLASS_CODE_TRIES_MAX)
    // The columns of this condition are those of invitations only.
    .where((eb) => isActiveAt(now)(eb))
    // Concurrent tries lock the rows in the same order, without a deadlock.
    .orderBy("class_codes.invitation_id")
    .$if(!isOnSqlite(db), (query) => query.forUpdate("class_codes"));
  return db
    .updateTable("class_codes")
    .set((eb) => ({ tries: eb("tries", "+", 1) }))
    .where("invitation_id", "in", usable)
    .where("tries", "<", CLASS_CODE_TRIES_MAX)
    .returningAll()
    .execute();
}

/** Takes back a count of {@link countCodeTry}, in its transaction. */
export async function takeBackCodeTry(db: Queryable, counted: readonly ClassCodeRow[]): Promise<void> {
  const ids = counted.map(({ invitation_id }) => invitation_id);
  await db
    .updateTable("class_codes")
    .set((eb) => ({ tries: eb("tries", "-", 1) }))
    .where("invitation_id", "in", ids)
    .execute();
}
