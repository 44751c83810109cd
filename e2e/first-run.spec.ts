import { mailedKey } from "../testing/accounts/filed-mails.ts";
import { newPerson } from "../testing/accounts/sign-up.ts";
import { expect, fillRegistration, sendKey, test } from "./fixtures.ts";
import { holdTimers } from "./held-timers.ts";

test("a new person registers, opens the mailed link, signs in and gets a stored reply @every-screen @phone", async ({
  page,
  parley: { app, provider },
}) => {
  provider.reply = "A fjord is a long, narrow inlet with steep sides.";
  const person = newPerson({ username: `first${test.info().workerIndex}` });

  const onward = await holdTimers(page, 2000);
  await page.goto("/");
  await expect(page).toHaveURL("/login");
  await page.getByRole("link", { name: /create an account|register|sign up/i }).click();
  await fillRegistration(page, person);
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByText("Registration Successful!")).toBeVisible();

  const key = await mailedKey(app, person.email);
  await page.goto(`/verify-email?key=${key}&email=${encodeURIComponent(person.email)}`);
  await expect(page.getByText("Email Verified Successfully!")).toBeVisible();
  await onward.letGo();
  await expect(page).toHaveURL("/chat");

  await page.getByPlaceholder("Message ChatGPT...").fill("What is a fjord?");
  await page.getByPlaceholder("Message ChatGPT...").press(await sendKey(page));
  await expect(page.getByRole("region", { name: "Conversation" }).getByText(provider.reply)).toBeVisible();
  await expect(page.getByText("You", { exact: true })).toBeVisible();
  await expect(page.getByText("Server", { exact: true })).toBeVisible();

  await page.reload();
  await expect(page.getByRole("region", { name: "Conversation" }).getByText(provider.reply)).toBeVisible();
  await expect(page.getByText("What is a fjord?").last()).toBeVisible();
});
