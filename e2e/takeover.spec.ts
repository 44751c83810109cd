import { continuing } from "../testing/provider/continuing.ts";
import { expect, test } from "./chat-screen.ts";

// Another order of the same providers makes a server of its own, where none is left alone after the failures of others.
test.use({ providers: ["ANTHROPIC", "OPENAI"] });

const TEXT = "One two three four five six seven eight nine ten.";

test("a reply that breaks off is taken up by the next provider, and shows where", async ({ chat, provider }) => {
  provider.reply = continuing(TEXT);
  provider.next("broken-off", "fast");
  await chat.open();
  await chat.send("Count, please.");
  await expect(chat.answer(TEXT)).toBeVisible();
  await expect(chat.messages.getByRole("img", { name: "Continued after an interruption" })).toHaveCount(1);
  await expect(chat.banner).toBeHidden();
});
