import { expect, failedRequest, test as withBoth } from "./chat-screen.ts";

const withOpenAi = withBoth.extend<object, { providers: string[] }>({
  providers: [["OPENAI"], { scope: "worker" }],
});
const withNone = withBoth.extend<object, { providers: string[] }>({
  providers: [[], { scope: "worker" }],
});

withOpenAi.describe("the key of one provider alone", () => {
  withOpenAi.use({ expectedErrors: [failedRequest(400)] });

  withOpenAi(
    "models of a provider without a key are marked, and a send to them is refused with the reason @every-screen",
    async ({ chat, page }) => {
      await chat.open();
      await chat.modelMenu.click();
      const items = page.getByRole("menuitemradio");
      await expect(items.filter({ hasText: "not set up" })).toHaveCount(0);
      await page.getByRole("menuitem", { name: "Not set up" }).click();
      await expect(items.filter({ hasText: "not set up" })).toHaveText([
        /^Claude Sonnet 3\.5/,
        /^Claude Sonnet 4 /,
        /^Claude Sonnet 4\.5/,
      ]);
      await items.filter({ hasText: "Claude Sonnet 4.5" }).click();
      await chat.send("To one who is not there");
      await expect(chat.banner).toHaveText("This model is not set up on this server. Please choose another one.");
      await expect(chat.question("To one who is not there")).toContainText("Not sent");
      await chat.modelMenu.click();
      await items.filter({ hasText: "gpt-5-nano" }).click();
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(chat.answer("This is a scripted reply")).toBeVisible();
    },
  );
});

withNone(
  "without a provider the built-in demo answers every choice, and introduces itself @every-screen",
  async ({ chat, page }) => {
    await chat.open();
    await expect(chat.modelMenu).toHaveAccessibleName("Model: Demo assistant");
    await chat.modelMenu.click();
    await expect(page.getByRole("menu")).toContainText("No model is set up on this server.");
    await page.getByRole("menuitem", { name: "Set up a model" }).click();
    await expect(page.getByText("To set one up, start the server with an API key in OPENAI_API_KEY")).toBeVisible();
    await page.goBack();
    await chat.modelMenu.click();
    await expect(page.getByRole("menuitemradio")).toHaveCount(8);
    await page.getByRole("menuitemradio", { name: /^gpt-5-mini/ }).click();
    await chat.send("What can you show me?");
    const answer = chat.answer("built-in demo assistant");
    await expect(answer).toContainText("OPENAI_API_KEY");
    await expect(chat.sendButton).toBeVisible();
    await expect(answer.getByRole("table")).toBeVisible();
    await expect(answer.getByRole("button", { name: "Copy code" })).toBeVisible();
  },
);
