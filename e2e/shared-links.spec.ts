import type { Page } from "@playwright/test";
import { sharePaths } from "#contract/shares/paths.ts";
import { expect, test } from "./chat-screen.ts";

/** Presses Tab until a control has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole("dialog").getByRole("button", { name, exact: true });
  for (let step = 0; step < 40; step++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${name} was not reached by Tab`);
}

const frame = (page: Page) => page.getByRole("region", { name: "Exactly what readers will see" });

/** Opens the dialog of the links by the menu of the open chat, with the keyboard. */
async function share(page: Page): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: /^More actions for/ })
    .focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Share…" })).toBeVisible();
  await page.keyboard.press("s");
  await expect(page.getByRole("menuitem", { name: "Share…" })).toBeFocused();
  await page.keyboard.press("Enter");
}

test("a link is made by keyboard, opened without an account, and revoked", async ({ chat, page, browser, parley }) => {
  const id = await chat.prepare("How do tides work?", "By the **Moon**.");
  await chat.open(id);
  await expect(chat.answer("By the Moon.")).toBeVisible();
  await share(page);
  await expect(frame(page).getByText("By the Moon.")).toBeVisible();
  await page.getByRole("radio", { name: /^People with an account/ }).focus();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("radio", { name: /^Anybody with the link/ })).toBeChecked();
  await tabTo(page, "Create link");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /^Link created/ })).toBeFocused();
  const url = await page.getByLabel("Address").inputValue();
  await chat.append(id, "user", "A later question");

  const visitor = await browser.newContext({ baseURL: parley.app.url });
  const read = () => visitor.request.get(`/api${sharePaths.sharedPage(url.split("/").at(-1) ?? "")}`);
  const answer = await read();
  expect(answer.status()).toBe(200);
  expect(await answer.text()).toContain("Moon");
  expect(await answer.text()).not.toContain("A later question");

  await tabTo(page, "Done");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(chat.entry(/How do tides work\?.*Shared by a link/)).toBeVisible();
  const visits = parley.app.context.database.selectFrom("shares").select("visits").where("chat_id", "=", id);
  await expect.poll(async () => (await visits.executeTakeFirst())?.visits).toBe(1);
  await share(page);
  await expect(page.getByText(/ · 1 visit$/)).toBeVisible();
  await page.getByRole("button", { name: /^Revoke the link of/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Links to this chat")).toBeHidden();
  await expect.poll(async () => (await read()).status()).toBe(404);
  await page.keyboard.press("Escape");
  await expect(chat.entry("How do tides work?")).not.toHaveText(/Shared by a link/);
  await visitor.close();
});

test("an updated link shows the chat as it is then, at the same address", async ({ chat, page }) => {
  const id = await chat.prepare("How do tides work?", "By the Moon.");
  await chat.open(id);
  await share(page);
  await expect(frame(page).getByText("By the Moon.")).toBeVisible();
  await page.getByRole("button", { name: "Create link" }).click();
  const url = await page.getByLabel("Address").inputValue();
  await page.getByRole("button", { name: "Done" }).click();
  await chat.append(id, "user", "A later question");
  await share(page);
  await page.getByRole("button", { name: /^Update the link of/ }).click();
  await expect(frame(page).getByText("A later question")).toBeVisible();
  await page.getByRole("button", { name: "Update link" }).click();
  await expect(page.getByRole("heading", { name: /^Link updated/ })).toBeVisible();
  await expect(page.getByLabel("Address")).toHaveValue(url);
});

test("all links are revoked in the settings, which the palette opens", async ({ chat, page }) => {
  for (const question of ["How do tides work?", "How do winds blow?"]) {
    const id = await chat.prepare(question, "By nature.");
    const draft = await chat.call<{ id: string }>("POST", sharePaths.drafts(id), {
      reasoning: false,
      tools: false,
      files: true,
      author: false,
    });
    await chat.call("POST", sharePaths.publication(draft.id), { audience: "signed-in", days: 7 });
  }
  await chat.open();
  await chat.keysAreThere();
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search" }).fill("shared links");
  await page.keyboard.press("Enter");
  const section = page.getByRole("region", { name: "Shared links" });
  await expect(section.getByRole("heading")).toBeFocused();
  await expect(section.getByRole("listitem")).toHaveCount(2);
  await section.getByRole("button", { name: "Revoke all" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke all" }).click();
  await expect(section.getByText("No chat is shared.")).toBeVisible();
  await page.reload();
  await expect(section.getByText("No chat is shared.")).toBeVisible();
});
