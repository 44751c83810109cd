import { expect, it } from "vitest";
import { waitFor } from "../../../../testing/app/wait-for.ts";
import { settledBudget } from "../../../../testing/chats/budgets.ts";
import { isOnPostgres } from "../../../../testing/database/test-database.ts";
import { readReply } from "../../../../testing/http/read-events.ts";
import { scriptCalls, shopCall } from "../../../../testing/tools/script-calls.ts";
import { ShopChats } from "../../../../testing/tools/shop-chats.ts";

// SQLite has no locks of rows: there the results of the calls could not be stored either, which waits too.
it.runIf(isOnPostgres)("R9 an answer waits if the money of its next call cannot be reserved yet", async () => {
  await using chats = await ShopChats.open(1, { MONTHLY_BUDGET_USD: "100" });
  const chat = chats.next();
  scriptCalls(chats.provider, [[shopCall("look_up", "tea")]], "There is tea.");
  chats.shop.isHeld = () => true;
  await using app = await chats.startApp();
  const answer = chat.send(app, "Is there tea?").then(readReply);
  await chats.shop.executed("tea");
  await chats.withDatabase((database) =>
    database.transaction().execute(async (db) => {
      await db.selectFrom("budget_totals").select("scope").forUpdate().execute();
      chats.shop.release();
      await waitFor("an answer that waits", () => app.logLines.some((line) => line.includes("waits for the database")));
    }),
  );
  expect(await answer).toMatchObject({ text: "There is tea.", isDone: true, failure: undefined });
  expect(app.logLines.some((line) => line.includes("model failed"))).toBe(false);
  const calls = await app.context.database.selectFrom("model_calls").select("cost_nano_usd").execute();
  const cost = calls.reduce((sum, { cost_nano_usd: each }) => sum + (each ?? 0), 0);
  expect(await settledBudget(app)).toMatchObject({ spent: cost, reserved: 0 });
});
