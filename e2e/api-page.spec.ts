import { expect, test } from "./fixtures.ts";

test("the API describes itself on a page under its own policy", async ({ page }) => {
  await page.goto("/api/docs/");
  await expect(page.getByRole("heading", { name: /Parley API/ })).toBeVisible();
  // The page renders the routes that are in view: there are many.
  await expect(page.getByText("/api/auth/config", { exact: false }).first()).toBeVisible();
  await page.getByText("Get the configuration of the sign-in screens").click();
  await expect(page.getByText("passwordMin").first()).toBeVisible();
  await page.mouse.move(400, 400);
  const mailed = page.getByText("Get the purpose of a mailed key and the username of its account");
  await expect(async () => {
    await page.mouse.wheel(0, 600);
    await expect(mailed).toBeInViewport({ timeout: 200 });
  }).toPass();
});
