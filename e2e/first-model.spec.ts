import type { Page } from "@playwright/test";
import { mailedKey } from "../testing/accounts/filed-mails.ts";
import { newPerson } from "../testing/accounts/sign-up.ts";
import { expect, fillRegistration, sendKey, test } from "./fixtures.ts";
import { field, press, title } from "./settings-screen.ts";

// A new server without any provider; other spec files have servers of their own.
test.use({ providers: [] });

/** Counts the presses of the pointer on all pages that the tab opens. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction("countClick", () => {
    clicks += 1;
  });
  await page.addInitScript(() => {
    addEventListener("pointerdown", () => (window as unknown as { countClick: () => void }).countClick(), true);
  });
  return () => clicks;
}

test("a newcomer connects a server like Ollama and gets its first answer in under ten clicks @every-screen", async ({
  page,
  parley: { app, provider },
}) => {
  provider.reply = "A fjord is a long, narrow inlet with steep sides.";
  const person = newPerson();
  const clicks = await countClicks(page);

  await page.goto("/register");
  await fillRegistration(page, person);
  await press(page, "Create Account").click();
  await expect(page.getByText("Registration Successful!")).toBeVisible();
  const key = await mailedKey(app, person.email);
  await page.goto(`/verify-email?key=${key}&email=${encodeURIComponent(person.email)}`);
  await expect(page).toHaveURL("/chat");

  await page
    .getByRole("region", { name: /^You are the owner of / })
    .getByRole("link")
    .click();
  await expect(title(page, "First steps")).toBeVisible();
  await press(page, /^Ollama/).click();
  await field(page, "Address").fill(provider.baseUrl);
  await press(page, "Connect").click();
  await expect(page.getByRole("heading", { name: "Ollama works" })).toBeVisible();
  await expect(page.getByText("1 of 6 done")).toBeVisible();
  await page.getByRole("link", { name: "Start a chat" }).click();

  await page.getByPlaceholder("Message ChatGPT...").fill("What is a fjord?");
  await page.getByPlaceholder("Message ChatGPT...").press(await sendKey(page));
  await expect(page.getByRole("region", { name: "Conversation" }).getByText(provider.reply)).toBeVisible();
  expect(provider.chats.at(-1)?.model).toBe("llama3.2:3b");
  expect(clicks()).toBeLessThan(10);
  expect(clicks()).toBeGreaterThan(0);
});
