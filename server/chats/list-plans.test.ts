import { DatabaseSync, StatementSync } from "node:sqlite";
import { expect, it, vi } from "vitest";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { sqliteFile } from "../database/sqlite/sqlite-file.ts";

const app = disposeAfterAll(await startTestApp());
const { token } = await signUp(app);
const create = async (path: string, body: object) => {
  const response = await app.call("POST", path, { token, body });
  return ((await response.json()) as { id: string }).id;
};
const folder = await create("/folders", { name: "Sea" });
const chat = await create("/chat", { folderId: folder });

// Each statement blocks the event loop, and a person may have as many chats as fit into the storage.
it.skipIf(isOnPostgres).each([
  ["all chats", "", "chats_history (user_id=?)"],
  ["a next page", `?limit=50&before=${chat}`, "chats_history (user_id=? AND (updated_at,id)<(?,?))"],
  [
    "a next page of archived chats",
    `?archived=true&limit=50&before=${chat}`,
    "chats_archived (user_id=? AND (updated_at,id)<(?,?))",
  ],
  [
    "a next page of a folder",
    `?folder=${folder}&limit=50&before=${chat}`,
    "chats_folder (folder_id=? AND (updated_at,id)<(?,?))",
  ],
  ["pinned chats", "?pinned=true", "chats_pinned (user_id=?)"],
])("the list of %s begins in an index of its chats", async (_name, query, index) => {
  const all = vi.spyOn(StatementSync.prototype, "all");
  try {
    expect((await app.call("GET", `/chat-history${query}`, { token })).status).toBe(200);
    using database = new DatabaseSync(sqliteFile(app.context.config.dataDir), { readOnly: true });
    const lists = all.mock.contexts
      .map((statement) => (statement as StatementSync).sourceSQL)
      .filter((text) => text.includes("order by"));
    const plans = lists.flatMap((text) => database.prepare(`explain query plan ${text}`).all());
    expect(plans.map(({ detail }) => detail)).toContain(`SEARCH chats USING INDEX ${index}`);
  } finally {
    all.mockRestore();
  }
});

it.skipIf(isOnPostgres)("the marks of chats whose replies wait are read from their partial index", async () => {
  const all = vi.spyOn(StatementSync.prototype, "all");
  try {
    expect((await app.call("GET", "/chat-history?limit=50", { token })).status).toBe(200);
    using database = new DatabaseSync(sqliteFile(app.context.config.dataDir), { readOnly: true });
    const texts = all.mock.contexts.map((statement) => (statement as StatementSync).sourceSQL);
    const plans = texts
      .filter((text) => text.includes("waiting_id"))
      .map((text) => database.prepare(`explain query plan ${text}`).all());
    expect(plans).not.toEqual([]);
    for (const plan of plans) {
      expect(plan.map(({ detail }) => detail).join()).toContain("messages_waiting (chat_id=?)");
    }
  } finally {
    all.mockRestore();
  }
});
