import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestDatabase } from "../../testing/database/test-database.ts";
import { openDatabase } from "./open.ts";
import { prepared, preparedForRows } from "./prepared.ts";
import type { Database, MailRow, Queryable } from "./schema.ts";

let opened: AsyncDisposableStack;
let database: Database;

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  database = await openOne();
});
afterEach(() => opened.disposeAsync());

async function openOne(): Promise<Database> {
  const dataDir = opened.adopt(await mkdtemp(join(tmpdir(), "parley-db-")), (path) => rm(path, { recursive: true }));
  const { env } = opened.use(await createTestDatabase());
  const settings = { dataDir, ...(env.DATABASE_URL && { postgresUrl: env.DATABASE_URL }) };
  return opened.adopt(await openDatabase(settings), (db) => db.destroy());
}

const mail = (id: string, template: string, sent_at: number | null = null): MailRow => ({
  id,
  template,
  user_id: null,
  params: "{}",
  created_at: 1,
  attempts: 0,
  next_attempt_at: 1,
  sent_at,
  failed_at: null,
});

const insertMails = preparedForRows((db, mails: MailRow[]) => db.insertInto("mails").values(mails));
let built = 0;
const sentBy = prepared((db, { template, before }: { template: string; before: number }) => {
  built++;
  return db
    .selectFrom("mails")
    .select("id")
    .where("template", "=", template)
    .where("sent_at", "<", before)
    .where("attempts", "=", sql.lit(0))
    .orderBy("id");
});
const idsOf = async (db: Queryable, template: string, before: number) =>
  (await sentBy(db, { template, before })).map(({ id }) => id);

it("a statement binds the values of each call, and compiles once", async () => {
  await insertMails(database, [mail("a", "welcome", 5), mail("b", "welcome", 15), mail("c", "farewell", 5)]);
  built = 0;
  expect(await idsOf(database, "welcome", 10)).toEqual(["a"]);
  expect(await idsOf(database, "welcome", 20)).toEqual(["a", "b"]);
  expect(await idsOf(database, "farewell", 10)).toEqual(["c"]);
  expect(await idsOf(database, "' or 1=1 --", 20)).toEqual([]);
  expect(built).toBe(1);
});

it("a statement runs in the transaction that it is given", async () => {
  const refused = database.transaction().execute(async (db) => {
    await insertMails(db, [mail("a", "welcome", 5)]);
    expect(await idsOf(db, "welcome", 10)).toEqual(["a"]);
    throw new Error("no");
  });
  await expect(refused).rejects.toThrow("no");
  expect(await idsOf(database, "welcome", 10)).toEqual([]);
});

it("a statement runs on the database that it is given", async () => {
  const other = await openOne();
  await insertMails(database, [mail("a", "welcome", 5)]);
  await insertMails(other, [mail("b", "welcome", 5)]);
  expect([await idsOf(database, "welcome", 10), await idsOf(other, "welcome", 10)]).toEqual([["a"], ["b"]]);
});

it("a statement stores any number of rows, each value in its column", async () => {
  const rows = [1, 2, 1, 70, 2, 70].flatMap((width, round) => {
    const mails = Array.from({ length: width }, (_, index) => mail(`${round}-${index}`, `t${index}`, index || null));
    return [mails];
  });
  for (const mails of rows) await insertMails(database, mails);
  const stored = await database.selectFrom("mails").selectAll().execute();
  const byId = new Map(stored.map((row) => [row.id, { ...row }]));
  expect(byId.size).toBe(146);
  for (const row of rows.flat()) expect(byId.get(row.id)).toEqual(row);
});

it("a statement refuses a missing value", async () => {
  await idsOf(database, "welcome", 1);
  const values: { template: string; before: number } = JSON.parse('{"template": "welcome"}');
  await expect(sentBy(database, values)).rejects.toThrow("before");
});
