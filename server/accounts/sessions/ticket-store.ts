import * as z from "zod/mini";
import type { Queryable } from "../../database/schema.ts";
import type { SignInTicketRow } from "../../database/tables/second-factor-tables.ts";
import type { Client } from "../../http/client.ts";
import { FAR_TOO_MANY } from "./session-store.ts";
import type { NewSession } from "./sessions.ts";

/** Sign-ins of one account that can wait for their second step, in each browser: another one evicts none of them. */
const MAX_TICKETS = 20;

/** Stores a ticket, and removes the browser's oldest beyond the maximum. */
export async function insertTicket(db: Queryable, ticket: SignInTicketRow): Promise<void> {
  await db.insertInto("sign_in_tickets").values(ticket).execute();
  await db
    .deleteFrom("sign_in_tickets")
    .where("hash", "in", (query) =>
      query
        .selectFrom("sign_in_tickets")
        .select("hash")
        .where("user_id", "=", ticket.user_id)
        .where("device", "is not distinct from", ticket.device)
        .orderBy("expires_at", "desc")
        .orderBy("hash")
        .limit(FAR_TOO_MANY)
        .offset(MAX_TICKETS),
    )
    .execute();
}

/** Returns a valid ticket of a purpose that this browser or program has received. */
export async function findTicket(
  db: Queryable,
  { hash, device, purpose }: Pick<SignInTicketRow, "hash" | "device" | "purpose">,
  now: number,
): Promise<SignInTicketRow | undefined> {
  const ticket = await db
    .selectFrom("sign_in_tickets")
    .selectAll()
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return ticket?.device === device ? ticket : undefined;
}

/** Removes a ticket; of concurrent requests one gets it. */
export async function takeTicket(db: Queryable, hash: string, now: number): Promise<boolean> {
  const taken = await db
    .deleteFrom("sign_in_tickets")
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .returning("hash")
    .executeTakeFirst();
  return taken !== undefined;
}

export async function deleteTickets(db: Queryable, userId: string): Promise<void> {
  await db.deleteFrom("sign_in_tickets").where("user_id", "=", userId).execute();
}

export async function removeExpiredTickets(db: Queryable, now: number): Promise<void> {
  await db.deleteFrom("sign_in_tickets").where("expires_at", "<=", now).execute();
}

const providerSessionSchema = z.object({
  issuer: z.string(),
  subject: z.string(),
  sid: z.nullable(z.string()),
  id_token_encrypted: z.nullable(z.string()),
  needsSecondFactor: z.boolean(),
});

/** Returns the sign-in that a ticket completes. */
export function signInOf(ticket: SignInTicketRow, client: Client): NewSession {
  const { method, proved_at: provedAt, provider_session: stored } = ticket;
  const provider = stored === null ? undefined : providerSessionSchema.parse(JSON.parse(stored));
  return { client, method, ...(provedAt !== null && { provedAt }), ...(provider && { provider }) };
}
