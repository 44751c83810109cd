import { sharePaths } from "#contract/shares/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import type { TestApp } from "../../testing/app/start-test-app.ts";
import { message } from "../../testing/chats/exported-chats.ts";
import { stripedPng } from "../../testing/files/picture-encoders.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import { importChat, shareChat, tokenOf } from "../../testing/shares/share-chat.ts";
import { ACCESS_TOKEN_KEY } from "../../web/api/access-token.ts";
import { expect } from "../fixtures.ts";
import { leaveUnanswered, type Scene, type Screens } from "./walk.ts";

/** An answer with each kind of block. */
const ANSWER = [
  "The **tide** is the rise and fall of the sea, see [a page](https://example.org/tides).",
  "## Why twice a day?",
  "- [x] Moon\n- [ ] Sun\n  - weaker",
  '```python\nfor n in range(3):\n    print("the tide comes in, and then the tide goes out again, and then it comes in", n)\n```',
  "| Place | Spring range | Neap range |\n| - | -: | -: |\n| Bay of Fundy | 16.3 m | 9 m |",
  "> [!WARNING]\n> Currents are strong.",
  "$$F = G \\frac{m_1 m_2}{r^2}$$",
  "<details><summary>More</summary>\n\nA disclosure.\n\n</details>",
].join("\n\n");

/** Makes a link to a chat with a question and an answer. */
export async function shareTides(app: TestApp, content = ANSWER, title = "Tides, in simple words") {
  const owner = await signUp(app);
  const question = message({ content: "Explain the tides." });
  const answer = message({ parent: question.id, role: "assistant", content, model: "GPT:gpt-5" });
  const chat = await importChat(app, owner, { title, leaf: answer.id, messages: [question, answer] });
  const share = await shareChat(app, owner, chat, { options: { author: true } });
  return { owner, share, path: `/s/${tokenOf(share)}` };
}

const LONG_WORD = "Gezeitenkraftwerk".repeat(5);

/** Blocks that are wider than a screen. */
const WIDE = [
  `${LONG_WORD} and https://example.org/${LONG_WORD} and \`${LONG_WORD}\`.`,
  `\`\`\`ts\nconst tides = "${LONG_WORD}";\n\`\`\``,
  `| ${"Place | ".repeat(12)}\n| ${"- | ".repeat(12)}\n| ${"Bay of Fundy | ".repeat(12)}`,
  `$$${Array.from({ length: 30 }, (_, n) => `x_{${n}}`).join(" + ")}$$`,
  "يرتفع المد مرتين في اليوم.",
].join("\n\n");

/** Makes a link to a chat with files, reasoning, calls of tools, and blocks and words that are wider than a screen. */
async function shareAll(app: TestApp): Promise<string> {
  const owner = await signUp(app);
  const upload = (name: string, bytes: Uint8Array | string) => uploadFile(app, { token: owner.token, name, bytes });
  const files = [await upload(`${LONG_WORD}.png`, stripedPng(900, 300)), await upload("tides.csv", "place,range")];
  const question = message({
    content: `What is a ${LONG_WORD}?`,
    parts: files.map((file, seq) => ({ seq, at: 0, kind: "file", ...file })),
  });
  const call = { kind: "tool", at: 0, step: 0, digest: "d", arguments: JSON.stringify({ query: LONG_WORD }) };
  const parts = [
    { seq: 0, at: 0, kind: "reasoning", text: `The person means *power*: ${LONG_WORD}` },
    { ...call, seq: 1, server: "web", name: "search_web", call: "a", state: "succeeded", result: LONG_WORD },
    { ...call, seq: 2, server: "s", name: LONG_WORD, call: "b", state: "failed", from: { name: "Almanac", host: "" } },
  ];
  const answer = message({ parent: question.id, role: "assistant", content: WIDE, parts, model: `GPT:${LONG_WORD}` });
  const chat = await importChat(app, owner, {
    title: LONG_WORD,
    leaf: answer.id,
    messages: [question, { ...answer, state: "stopped" }],
  });
  const options = { author: true, reasoning: true, tools: true };
  return `/s/${tokenOf(await shareChat(app, owner, chat, { options }))}`;
}

async function openDisclosures({ page }: Scene): Promise<void> {
  await expect(page.locator("summary").first()).toBeVisible();
  for (const summary of await page.locator("summary").all()) await summary.click();
}

export const linkScreens: Screens = {
  "a link": {
    before: async ({ app, ids }) => {
      ids.path = (await shareTides(app)).path;
    },
    open: ":path",
    reach: openDisclosures,
    shows: (page) => page.getByText("A disclosure."),
  },
  "a link to everything that a chat can have": {
    before: async ({ app, ids }) => {
      ids.all = await shareAll(app);
    },
    open: ":all",
    reach: openDisclosures,
    shows: (page) => page.locator("main img"),
  },
  "a link without a page": {
    open: "/s/AAAAAAAAAAAAAAAAAAAAAA",
    shows: (page) => page.getByRole("button", { name: "Sign in" }),
  },
  "a link that is loaded": {
    before: (scene) => leaveUnanswered(scene, sharePaths.sharedPage("BBBBBBBBBBBBBBBBBBBBBB")),
    open: "/s/BBBBBBBBBBBBBBBBBBBBBB",
    shows: (page) => page.getByRole("main"),
  },
  "a link without a connection": {
    before: ({ page }) => page.route("**/api/shared/*", (route) => route.abort(), { times: 1 }),
    open: "/s/CCCCCCCCCCCCCCCCCCCCCC",
    shows: (page) => page.getByRole("button", { name: "Try again" }),
  },
  // The last ones: the page stays signed in.
  "a link for a signed-in reader": {
    before: async ({ app, page }) => {
      const { token } = await signUp(app);
      await page.evaluate(([key, value]) => localStorage.setItem(key, value), [ACCESS_TOKEN_KEY, token] as const);
    },
    open: ":path",
    shows: (page) => page.getByRole("button", { name: "Continue this chat" }),
  },
  "a link whose chat cannot be copied": {
    before: ({ page }) => page.route("**/api/shared/*/copy", (route) => route.abort(), { times: 1 }),
    reach: ({ page }) => page.getByRole("button", { name: "Continue this chat" }).click(),
    shows: (page) => page.getByRole("alert").filter({ hasText: "could not be reached" }),
  },
};
