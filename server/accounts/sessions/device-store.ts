import { createHash } from "node:crypto";
import { DAY } from "#contract/limits.ts";
import type { Queryable } from "../../database/schema.ts";
import type { Client } from "../../http/client.ts";
import { networkOf } from "../../limits/networks.ts";
import { FAR_TOO_MANY } from "./session-store.ts";

/** Equals the lifetime of the device cookie. */
const LIFE_MS = 400 * DAY;
/** Maximum of devices of each kind (browser, program) per account. */
const MAX_DEVICES = 50;
/** Prefix of programs: their weak identification is never mistaken for a browser's secret. */
const PROGRAM = "program:";

/** Whether the account knows a device; `first`: the account knows no devices at all, or no longer any. */
export type Acquaintance = "known" | "new" | "first";

/**
 * Stores a device of the account: a browser by its cookie, a program by its name and network.
 * @returns whether the account knew it before
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

/** Returns whether the account has signed in before in the browser with this device secret. */
export async function knowsDevice(db: Queryable, userId: string, device: string): Promise<boolean> {
  const row = await db
    .selectFrom("devices")
    .select("device")
    .where("user_id", "=", userId)
    .where("device", "=", device)
    .executeTakeFirst();
  return row !== undefined && !device.startsWith(PROGRAM);
}

/** `except`: a device that stays; `unused`: only those of these devices that no session of the account uses. */
export type DeviceChoice = { except?: string | null; unused?: readonly string[] };

/** Forgets devices of an account after a compromise: they may be an attacker's. */
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

/** Programs that change their network all the time must not evict the account's browsers. */
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

/** Removes devices without a sign-in for longer than the lifetime of the cookie. */
export async function removeLapsedDevices(db: Queryable, now: number): Promise<void> {
  await db
    .deleteFrom("devices")
    .where("last_seen_at", "<=", now - LIFE_MS)
    .execute();
}
