import { expect, test } from "./fixtures.ts";

test("the API describes itself on a page under its own policy", async ({ page }) => {
  await page.goto("/api/docs/");
  await expect(page.getByRole("heading", { name: /Parley API/ })).toBeVisible();
  await expect(page.getByText("/api/chat/{id}/send", { exact: false }).first()).toBeVisible();
  await page.getByText("Send a message and get the assistant's reply").click();
  await expect(page.getByText("ai_response").first()).toBeVisible();
});
