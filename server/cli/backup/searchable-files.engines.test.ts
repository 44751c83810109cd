import { expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { search } from "../../../testing/chats/search-for.ts";
import { setUpBackups } from "../../../testing/cli/set-up-backups.ts";
import { uploadFile } from "../../../testing/files/upload.ts";

const backups = setUpBackups();
const { run, start, withDatabase } = backups;

/** Creates an account whose one question names a file. */
async function fill(): Promise<TestAccount & { chatId: string }> {
  await using app = await start();
  const ada = await signUp(app);
  const { token } = ada;
  const { id: chatId } = (await (await app.call("POST", conversationPaths.chats, { token })).json()) as { id: string };
  const { id } = await uploadFile(app, { token, name: "moraine.txt", bytes: "Glaciers" });
  const body = { message: "Look", files: [id] };
  await (await app.call("POST", conversationPaths.chatSend(chatId), { token, body })).text();
  return { ...ada, chatId };
}

it("a restore returns the search entries of attached files, on either database", async () => {
  const { token, chatId } = await fill();
  await run(["backup", backups.file]);
  for (const target of [await backups.createTarget(), await backups.createOtherTarget()]) {
    expect((await run(["restore", backups.file, "--keep-sessions"], target)).json.ok).toBe(true);
    expect((await run(["verify"], target)).json).toMatchObject({ ok: true, problems: [] });
    await using app = await start(target);
    const { hits } = await search(app, token, { q: "moraine glac" });
    expect(hits).toMatchObject([{ chatId, file: { name: "moraine.txt" }, snippet: "Glaciers" }]);
  }
});

it("verify finds missing and wrong search entries of attached files", async () => {
  await fill();
  await withDatabase(backups.harness, (database) =>
    database.updateTable("search_entries").set({ file_id: "none" }).where("file_id", "is not", null).execute(),
  );
  const { json } = await run(["verify"]);
  expect(json.problems).toMatchObject([
    { check: "attached files that are missing from the search index", rows: 1 },
    { check: "search entries of files that their message does not name", rows: 1 },
  ]);
});
