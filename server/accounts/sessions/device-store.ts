import { createHash } from "node:crypto";
import { DAY } from "#contract/limits.ts";
import type { Queryable } from "../../database/schema.ts";
import type { Client } from "../../http/client.ts";
import { networkOf } from "../../limits/networks.ts";

/** As long as a browser keeps its cookie. */
const LIFE_MS = 400 * DAY;
/** Devices of each kind (browser, program) that an account keeps. */
const MAX_DEVICES = 50;
/** SQLite passes rows over only where there is a limit. */
const FAR_TOO_MANY = 1_000_000;
/** Set apart by it, what is only guessed to be the same program is never taken for a browser with its secret. */
const PROGRAM = "program:";

/** How an account knows what somebody signed in with; `first`: it knew nothing, or nothing any more. */
export type Acquaintance = "known" | "new" | "first";

/**
 * Remembers where an account is signed in: a browser by its cookie, a program by what it says of itself and its network.
 * @returns how the account knew it before
 */
export async function rememberDeviceOf(
  db: Queryable,
  userId: string,
  client: Client,
  now: number,
): Promise<Acquaintance> {
  const device = client.device ?? PROGRAM + hashProgram(client);
  const others = await db.selectFrom("devices").select("device").where("user_id", "=", userId).limit(1).execute();
  const added = await db
    .insertInto("devices")
    .values({ user_id: userId, device, first_seen_at: now, last_seen_at: now })
    .onConflict((conflict) => conflict.columns(["user_id", "device"]).doNothing())
    .returning("device")
    .executeTakeFirst();
  if (!added) {
    await db
      .updateTable("devices")
      .set({ last_seen_at: now })
      .where("user_id", "=", userId)
      .where("device", "=", device)
      .execute();
    return "known";
  }
  await forgetOldest(db, userId, client.device === null);
  return others.length > 0 ? "new" : "first";
}

/** Whether the account was signed in before in the browser that holds this secret. */
export async function knowsDevice(db: Queryable, userId: string, device: string): Promise<boolean> {
  const row = await db
    .selectFrom("devices")
    .select("device")
    .where("user_id", "=", userId)
    .where("device", "=", device)
    .executeTakeFirst();
  return row !== undefined && !device.startsWith(PROGRAM);
}

/** `except`: one that stays known; `unused`: only those of them in which no session of the account goes on. */
export type DeviceChoice = { except?: string | null; unused?: readonly string[] };

/** Whoever else was signed in may be a stranger: browsers of theirs count as the owner's no more. */
export async function forgetDevices(
  db: Queryable,
  userId: string,
  { except, unused }: DeviceChoice = {},
): Promise<void> {
  if (unused?.length === 0) return;
  let query = db.deleteFrom("devices").where("user_id", "=", userId);
  if (except) query = query.where("device", "!=", except);
  if (unused) {
    query = query
      .where("device", "in", unused)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("sessions")
              .select("id")
              .where("user_id", "=", userId)
              .whereRef("sessions.device", "=", "devices.device"),
          ),
        ),
      );
  }
  await query.execute();
}

/** Programs that change their network all the time must not make an account forget its browsers. */
async function forgetOldest(db: Queryable, userId: string, isProgram: boolean): Promise<void> {
  const kind = isProgram ? "like" : "not like";
  await db
    .deleteFrom("devices")
    .where("user_id", "=", userId)
    .where("device", "in", (query) =>
      query
        .selectFrom("devices")
        .select("device")
        .where("user_id", "=", userId)
        .where("device", kind, `${PROGRAM}%`)
        .orderBy("last_seen_at", "desc")
        .orderBy("device")
        .limit(FAR_TOO_MANY)
        .offset(MAX_DEVICES),
    )
    .execute();
}

function hashProgram({ userAgent, ip }: Client): string {
  return createHash("sha256")
    .update(`${userAgent}\n${networkOf(ip)}`)
    .digest("hex");
}

/** Forgets devices that were not signed in with for longer than they keep their cookie. */
export async function removeLapsedDevices(db: Queryable, now: number): Promise<void> {
  await db
    .deleteFrom("devices")
    .where("last_seen_at", "<=", now - LIFE_MS)
    .execute();
}
