import { continuing } from "../testing/provider/continuing.ts";
import { expect, test } from "./chat-screen.ts";

// Another provider order starts a server of its own, where failures of other tests put no provider on a cool-down.
test.use({ providers: ["ANTHROPIC", "OPENAI"] });

const TEXT = "One two three four five six seven eight nine ten.";

test("an interrupted reply is continued by the next provider, with a mark at its seam", async ({ chat, provider }) => {
  provider.reply = continuing(TEXT);
  provider.next("broken-off", "fast");
  await chat.open();
  await chat.send("Count, please.");
  await expect(chat.answer(TEXT)).toBeVisible();
  await expect(chat.messages.getByRole("img", { name: "Continued after an interruption" })).toHaveCount(1);
  await expect(chat.banner).toBeHidden();
});
