import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import type { ExportedMessage } from "#contract/transfer/transfer.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { documentOf, exported, message } from "../../../testing/chats/exported-chats.ts";
import { removeEmptyRepliesBefore } from "../../conversation/reply/reply-store.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const get = async <T>(path: string, token: string) => (await (await app.call("GET", path, { token })).json()) as T;

describe("trees from other programs", () => {
  /** Imports messages, sweeps empty replies, and returns the texts of the shown branch. */
  async function shownOf(messages: ExportedMessage[], leaf: string | null): Promise<string[]> {
    const eve = await signUp(app);
    const body = documentOf({ chats: [exported({ messages, leaf })] });
    const response = await app.call("POST", transferPaths.import, { token: eve.token, body });
    expect(await response.json()).toMatchObject({ imported: 1, problems: [] });
    await removeEmptyRepliesBefore(app.context.database, Date.now() + 1);
    const [listed] = await get<{ id: string }[]>(conversationPaths.chatHistory, eve.token);
    return (await get<Chat>(conversationPaths.chat(listed?.id ?? ""), eve.token)).messages.map(
      ({ content }) => content,
    );
  }
  const first = message({ content: "1" });
  const failed = message({ parent: first.id, role: "assistant", content: "", state: "failed" });
  const blank = message({ parent: failed.id, content: " \n" });
  const after = message({ parent: blank.id, role: "assistant", content: "2" });

  it("an import loses no messages after an empty one, which is removed", async () => {
    expect(await shownOf([after, blank, failed, first], after.id)).toEqual(["1", "2"]);
    const [second, third] = [message({ content: "2" }), message({ content: "3" })];
    const root = message({ role: "assistant", content: "" });
    expect(await shownOf([root, { ...second, parent: root.id }, { ...third, parent: second.id }], third.id)).toEqual([
      "2",
      "3",
    ]);
  });

  it("an imported branch ends with the message before an empty last one", async () => {
    expect(await shownOf([first, failed, blank], blank.id)).toEqual(["1"]);
    expect(await shownOf([failed, { ...first, role: "assistant", content: "" }], failed.id)).toEqual([]);
  });

  it("an imported interrupted answer without text is retained, and can be continued", async () => {
    expect(await shownOf([first, { ...failed, state: "writing" }], failed.id)).toEqual(["1", ""]);
  });

  it("an import shows the newest branch if the leaf does not exist", async () => {
    const other = message({ parent: first.id, role: "assistant", content: "newest", createdAt: 1_800_000_000_000 });
    const late = message({ parent: first.id, role: "assistant", content: "last" });
    for (const leaf of ["elsewhere", "constructor", null])
      expect(await shownOf([first, other, late], leaf)).toEqual(["1", "newest"]);
    expect(await shownOf([first, failed, blank, after], "elsewhere")).toEqual(["1", "2"]);
  });
});
