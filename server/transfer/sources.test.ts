import { afterAll, beforeAll, expect, it } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUpProved, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { documentOf, exported, message } from "../../testing/chats/exported-chats.ts";

let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
  ada = await signUpProved(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const CONTENT = "It is “a mile long” [2].\n\nYou knew it [1, 2].";
const source = (seq: number, more: object) => ({ seq, at: CONTENT.indexOf("[2]") + 3, kind: "source", ...more });
const page = { source: "2", title: "Long <b> *fjords*", url: "https://a.example/?a=1&b=2" };

/** Imports a chat with an answer that has these citations. @returns its file in a format */
async function fileOf(format: string, parts: object[]): Promise<string> {
  const question = message();
  const answer = { ...message({ parent: question.id, role: "assistant", content: CONTENT }), parts };
  const chats = [{ ...exported({ leaf: answer.id, updatedAt: Date.now() }), messages: [question, answer] }];
  await app.call("POST", transferPaths.import, { token: ada.token, body: documentOf({ chats }) });
  const listed = await app.call("GET", conversationPaths.chatHistory, { token: ada.token });
  const [newest] = (await listed.json()) as Chat[];
  const path = `${transferPaths.chatExport(newest?.id ?? "")}?format=${format}`;
  return (await app.call("GET", path, { token: ada.token })).text();
}

const parts = [
  source(0, { ...page, quote: "a mile long", checked: "missing" }),
  source(1, { ...page, checked: "unchecked" }),
  source(2, { source: "1", title: "Own chat", url: "/chat?c=a", checked: "unchecked" }),
  source(3, { source: "3", title: "Bad", url: "javascript:alert(1)", checked: "found" }),
];

it("a Markdown file lists the sources of an answer below it, and names a quote that was not found", async () => {
  const file = await fileOf("markdown", parts);
  expect(file).toContain(
    `${CONTENT}\n\n**Sources**\n\n- [1] Own chat\n- [2] Long \\<b\\> \\*fjords\\* <https://a.example/?a=1&b=2> (quote not found)\n- [3] Bad\n`,
  );
});

it("an HTML file lists the sources of an answer below it, in harmless words", async () => {
  const file = await fileOf("html", parts);
  const items = [...file.matchAll(/<li>(\[.*?)<\/li>/g)].map(([, item]) => item);
  expect(items).toEqual([
    "[1] <bdi>Own chat</bdi>",
    '[2] <bdi>Long &lt;b&gt; *fjords*</bdi> <bdi><a href="https://a.example/?a=1&amp;b=2">https://a.example/?a=1&amp;b=2</a></bdi> (quote not found)',
    "[3] <bdi>Bad</bdi>",
  ]);
  expect(file.indexOf("You knew it [1, 2]")).toBeLessThan(file.indexOf("<strong>Sources</strong>"));
});

it("a file of an answer without citations has no list of sources", async () => {
  expect(await fileOf("markdown", [])).not.toContain("Sources");
  expect(await fileOf("html", [])).not.toContain("Sources</strong>");
});
