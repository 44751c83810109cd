import { sharePaths } from "#contract/shares/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import type { TestApp } from "../../testing/app/start-test-app.ts";
import { message } from "../../testing/chats/exported-chats.ts";
import { importChat, shareChat, tokenOf } from "../../testing/shares/share-chat.ts";
import { leaveUnanswered, type Screens } from "./walk.ts";

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

export const linkScreens: Screens = {
  "a link": {
    before: async ({ app, ids }) => {
      ids.path = (await shareTides(app)).path;
    },
    open: ":path",
    shows: (page) => page.getByText("A disclosure."),
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
};
