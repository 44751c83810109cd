import { conversationPaths } from "#contract/conversation/paths.ts";
import { modelPaths } from "#contract/models/paths.ts";
import type { Usage } from "#contract/models/usage.ts";
import { expect, test } from "./chat-screen.ts";
import { expectNoOverhang } from "./looks.ts";
import { openSection } from "./settings-screen.ts";

test("an answer shows its usage on request @every-screen", async ({ chat, page }) => {
  await chat.open();
  await chat.ask("How long is the Nile?");
  const answer = chat.answer("scripted");
  await expect(answer.getByText("gpt-5-mini", { exact: true })).toBeVisible();
  const time = answer.getByRole("time");
  await expect(time).toHaveText("Now");
  await expect(time).toHaveAttribute("data-tooltip", /\d{4}.*\d{1,2}:\d{2}/);
  const button = answer.getByRole("button", { name: "About this answer" });
  await button.click();
  const box = page.getByRole("dialog", { name: "About this answer" });
  await expect(box.getByText("gpt-5-mini")).toBeVisible();
  for (const [name, text] of [
    ["Tokens in", "21"],
    ["Tokens out", "12"],
    ["Cost", "$0.000029"],
    ["Time", / s$/],
  ] as const) {
    await expect(box.locator("div").filter({ hasText: name }).last().getByRole("definition")).toHaveText(text);
  }
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
  await expect(button).toBeFocused();
});

test("a stopped answer marks its usage as an estimate @proof", async ({ chat, page, parley: { provider } }) => {
  await chat.open();
  await chat.send("[scenario:held]");
  provider.release("Some words of an answer");
  await expect(chat.answer("Some words")).toBeVisible();
  await chat.stopButton.click();
  await expect(chat.sendButton).toBeVisible();
  await chat.answer("Some words").getByRole("button", { name: "About this answer" }).click();
  const box = page.getByRole("dialog", { name: "About this answer" });
  await expect(box.getByText("≈ 8")).toBeVisible();
  await expect(box.getByText("≈ is an estimate")).toBeVisible();
});

test("the settings show the usage by month and model @every-screen", async ({ chat, page, parley: { app } }) => {
  await openSection(page, "usage");
  await expect(page.getByText("No usage in this month.")).toBeVisible();
  const months = page.getByRole("group", { name: "Months" });
  const heightOfMonths = () => months.evaluate((chart) => chart.getBoundingClientRect().height);
  expect(await heightOfMonths()).toBeLessThan(60);

  const id = await chat.prepare();
  for (const model of ["GPT:gpt-5-mini", "CLAUDE:claude-sonnet-4-5-20250929"]) {
    await chat.call("POST", conversationPaths.chatSend(id), { message: "Hello", model });
  }
  await app.context.database
    .insertInto("model_calls")
    .values({
      id: `earlier-${chat.account.user.id}`,
      user_id: chat.account.user.id,
      message_id: null,
      group_id: null,
      budgets: "",
      purpose: "reply",
      model: "LOCAL:llama3.2:3b",
      input_tokens: 1_234_567,
      output_tokens: 890,
      is_estimate: 1,
      cost_nano_usd: null,
      at: Date.now() - 40 * 86_400_000,
      duration_ms: 1,
    })
    .execute();
  // Three calls: two answers, and the title of the chat.
  const counted = async () => (await chat.call<Usage>("GET", modelPaths.usage)).months[0]?.calls;
  await expect.poll(counted).toBe(3);
  await page.reload();
  const table = page.getByRole("table");
  const line = (name: string) => table.getByRole("row").filter({ hasText: name });
  await expect(line("claude-sonnet-4-5-20250929")).toContainText("1 call");
  await expect(line("claude-sonnet-4-5-20250929")).toContainText("$0.00024");
  await expect(line("gpt-5-mini")).toContainText("42");
  await expect(line("Total")).toContainText("63");
  await expectNoOverhang(page);

  // A month with an estimated usage of a model without a price.
  const bars = page.getByRole("group", { name: "Months" }).getByRole("button");
  await expect(bars).toHaveCount(12);
  await page.getByRole("button", { name: /: 1 call, –$/ }).click();
  await expect(line("llama3.2:3b")).toContainText("≈ 1.23M");
  await expect(line("llama3.2:3b")).toContainText("–");
  await expect(page.getByText("≈ is an estimate")).toBeVisible();
});
