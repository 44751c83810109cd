import type { Locator, Page } from "@playwright/test";
import { SECOND } from "#contract/limits.ts";
import { type ChatScreen, expect, listIsReady, test } from "./chat-screen.ts";
import { holdTimers } from "./held-timers.ts";

const group = (sidebar: Locator, name: string) => sidebar.getByRole("region", { name });
const focusedMenu = (page: Page) => page.locator("[role=menu]:focus-within");
const undo = (page: Page) => page.getByRole("button", { name: "Undo" });

async function pick(page: Page, ...names: (string | RegExp)[]): Promise<void> {
  for (const name of names) await page.getByRole("menuitem", { name, exact: typeof name === "string" }).click();
}

async function makeFolder(chat: ChatScreen, name: string): Promise<string> {
  return (await chat.call<{ id: string }>("POST", "/folders", { name })).id;
}

test("a chat is renamed in its line, by the menu and by F2 @every-screen", async ({ chat, page }) => {
  const id = await chat.prepare("A plain question", "An answer");
  await chat.open();
  const sidebar = await chat.sidebar();
  await chat.openMenu("A plain question");
  await pick(page, "Rename");
  await listIsReady(page);
  const field = sidebar.getByRole("textbox", { name: "Name of the chat" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("A plain question");
  await field.fill("Thrown away");
  await page.keyboard.press("Escape");
  await expect(chat.entry("A plain question")).toBeFocused();
  await page.keyboard.press("F2");
  await field.fill("  A better name ");
  await page.keyboard.press("Enter");
  await expect(chat.entry("A better name")).toBeFocused();
  await expect.poll(async () => (await chat.read(id)).title).toBe("A better name");
  await page.keyboard.press("F2");
  await field.fill("Saved by leaving");
  await sidebar.getByRole("button", { name: "New chat" }).focus();
  await expect.poll(async () => (await chat.read(id)).title).toBe("Saved by leaving");
});

test("the open chat has the same menu in its header @proof", async ({ chat, page }) => {
  const id = await chat.prepare("The open chat", "An answer");
  await chat.open(id);
  const opener = page.getByRole("main").getByRole("button", { name: "More actions for The open chat" });
  await opener.click();
  await pick(page, "Rename");
  const dialog = page.getByRole("dialog", { name: "Rename chat" });
  await dialog.getByLabel("Name of the chat").fill("Renamed above");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await chat.read(id)).title).toBe("Renamed above");
  await page.getByRole("main").getByRole("button", { name: "More actions for Renamed above" }).click();
  await pick(page, "Archive");
  await expect(page.getByText("This chat is archived.")).toBeVisible();
  await expect.poll(() => chat.history()).toEqual([]);
  await page.getByRole("main").getByRole("button", { name: "Unarchive" }).click();
  await expect(page.getByText("This chat is archived.")).toBeHidden();
  await expect.poll(() => chat.history()).toHaveLength(1);
});

test("chats are pinned and moved to folders by keyboard", async ({ chat, page }) => {
  const id = await chat.prepare("Worth keeping", "An answer");
  await chat.prepare("Another one", "An answer");
  await chat.open();
  const sidebar = await chat.sidebar();
  await sidebar.getByRole("button", { name: "More actions for Worth keeping" }).focus();
  await page.keyboard.press("Enter");
  await expect(focusedMenu(page)).toBeVisible();
  await page.keyboard.type("Pin");
  await expect(page.getByRole("menuitem", { name: "Pin" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(group(sidebar, "Pinned").getByRole("link")).toHaveText(["Worth keeping"]);
  await expect(chat.entry("Worth keeping")).toBeFocused();

  await sidebar.getByRole("button", { name: "More actions for Worth keeping" }).focus();
  await page.keyboard.press("Enter");
  await expect(focusedMenu(page)).toBeVisible();
  await page.keyboard.type("Move");
  await expect(page.getByRole("menuitem", { name: "Move to folder" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("menuitem", { name: "New folder…" })).toBeFocused();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New folder" });
  await dialog.getByLabel("Name of the folder").fill("Travels");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  const folder = sidebar.getByRole("button", { name: "Travels", exact: true });
  await expect(folder).toBeVisible();
  await sidebar.getByRole("button", { name: "More actions for Worth keeping" }).focus();
  await page.keyboard.press("Enter");
  await expect(focusedMenu(page)).toBeVisible();
  await page.keyboard.type("Unpin");
  await expect(page.getByRole("menuitem", { name: "Unpin" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(group(sidebar, "Pinned")).toBeHidden();
  await folder.focus();
  await page.keyboard.press("Enter");
  await expect(folder).toHaveAttribute("aria-expanded", "true");
  await expect(group(sidebar, "Folders").getByRole("link")).toHaveText(["Worth keeping"]);
  await expect.poll(async () => (await chat.read(id)).folderId).toBeTruthy();
  await page.reload();
  await expect(group(sidebar, "Folders").getByRole("link")).toHaveText(["Worth keeping"]);
});

test.describe("organising chats with a mouse", () => {
  test.skip(({ isMobile }) => isMobile, "fingers do not drag");

  test("chats are dragged onto a folder and onto Pinned; a selected one drags all selected ones", async ({
    chat,
    page,
  }) => {
    await makeFolder(chat, "Recipes");
    for (const title of ["Bread", "Soup", "Cake"]) await chat.prepare(title, "Mix well");
    await chat.open();
    const sidebar = await chat.sidebar();
    const folder = sidebar.getByRole("button", { name: "Recipes", exact: true });
    await folder.click();
    await listIsReady(page);
    await expect(sidebar.getByText("No chats in this folder yet.")).toBeVisible();
    await chat.entry("Bread").dragTo(folder);
    const filed = group(sidebar, "Folders").getByRole("link");
    await expect(filed).toHaveText(["Bread"]);
    await chat.entry("Soup").click({ modifiers: ["Control"] });
    await chat.entry("Cake").click({ modifiers: ["Control"] });
    await chat.entry("Soup").dragTo(folder);
    await expect(filed).toHaveText(["Cake", "Soup", "Bread"]);
    await expect(sidebar.getByText("2 selected")).toBeHidden();
    await chat.prepare("Tea", "Hot");
    await expect(chat.entry("Tea")).toBeVisible();
    await chat.openMenu("Tea");
    await pick(page, "Pin");
    await chat.entry("Cake").dragTo(chat.entry("Tea"));
    await expect(group(sidebar, "Pinned").getByRole("link")).toHaveText(["Tea", "Cake"]);
    await expect.poll(async () => (await chat.history()).length).toBe(4);
  });

  test("several chats are selected by clicks and keys, and changed together", async ({ chat, page }) => {
    for (const title of ["One", "Two", "Three", "Four"]) await chat.prepare(title, "An answer");
    // Undo is offered for this time.
    await holdTimers(page, 10 * SECOND);
    await chat.open();
    const sidebar = await chat.sidebar();
    await expect(chat.entry("One")).toBeVisible();
    await listIsReady(page);
    await chat.entry("Four").click({ modifiers: ["Control"] });
    await chat.entry("Two").click({ modifiers: ["Shift"] });
    await expect(sidebar.getByText("3 selected")).toBeVisible();
    await expect(page).toHaveURL("/chat");
    await page.keyboard.press("Escape");
    await expect(sidebar.getByText("3 selected")).toBeHidden();
    await chat.openMenu("One");
    await pick(page, "Select");
    await chat.entry("Two").focus();
    await page.keyboard.press("Enter");
    await expect(sidebar.getByText("2 selected")).toBeVisible();
    await sidebar.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(chat.entry("Two")).toBeHidden();
    await expect.poll(() => chat.history()).toHaveLength(2);
    await undo(page).click();
    await expect(chat.entry("Two")).toBeVisible();
    await expect.poll(() => chat.history()).toHaveLength(4);
  });
});

test("Undo restores a deleted chat with its draft @proof", async ({ chat, page }) => {
  const id = await chat.prepare("Not for ever", "An answer");
  await chat.open(id);
  await chat.box.fill("Half a thought");
  await page.getByRole("main").getByRole("button", { name: "More actions for Not for ever" }).click();
  await pick(page, "Delete");
  await expect(chat.welcome).toBeVisible();
  await expect(chat.box).toHaveValue("");
  await undo(page).click();
  await expect(chat.answer("An answer")).toBeVisible();
  await expect(page).toHaveURL(`/chat?c=${id}`);
  await expect(chat.box).toHaveValue("Half a thought");
});

test("a folder is renamed, and deleted without its chats", async ({ chat, page }) => {
  const folder = await makeFolder(chat, "Work");
  const id = await chat.prepare("A task", "Done");
  await chat.call("PATCH", `/chat/${id}`, { folderId: folder });
  await chat.open();
  const sidebar = await chat.sidebar();
  await sidebar.getByRole("button", { name: "Work", exact: true }).click();
  await expect(group(sidebar, "Folders").getByRole("link")).toHaveText(["A task"]);
  const line = sidebar.locator("[data-folder-line]");
  const count = line.getByText("1 chat", { exact: true }).locator("..");
  await sidebar.getByRole("button", { name: "More actions for the folder Work" }).click();
  await page.mouse.move(900, 700);
  await expect(page.getByRole("menuitem", { name: "Rename" })).toBeVisible();
  await expect(count).toHaveCSS("opacity", "0");
  // As a title, a long name fades at its end.
  await expect(line.getByText("Work", { exact: true }).first()).toHaveCSS("mask-image", /gradient/);
  await pick(page, "Rename");
  await sidebar.getByRole("textbox", { name: "Name of the folder" }).fill("Jobs");
  await page.keyboard.press("Enter");
  await expect(sidebar.getByRole("button", { name: "Jobs", exact: true })).toBeVisible();
  await sidebar.getByRole("button", { name: "More actions for the folder Jobs" }).click();
  await pick(page, "Delete");
  await expect(group(sidebar, "Folders")).toBeHidden();
  await expect(group(sidebar, "Today").getByRole("link")).toHaveText(["A task"]);
  await undo(page).click();
  await expect(group(sidebar, "Folders").getByRole("link")).toHaveText(["A task"]);
});

test("a closed folder shows how many chats it has, and a move into it can be undone @proof", async ({ chat, page }) => {
  const folder = await makeFolder(chat, "Work");
  const filed = await chat.prepare("Filed", "An answer");
  await chat.call("PATCH", `/chat/${filed}`, { folderId: folder });
  await chat.prepare("Loose", "An answer");
  await chat.open();
  const sidebar = await chat.sidebar();
  const button = sidebar.getByRole("button", { name: "Work", exact: true });
  await expect(button).toHaveAccessibleDescription("1 chat");
  await chat.openMenu("Loose");
  await pick(page, "Move to folder", "Work");
  await expect(chat.entry("Loose")).toBeHidden();
  await expect(button).toHaveAccessibleDescription("2 chats");
  await expect(page.getByText("“Loose” moved to Work")).toBeVisible();
  await undo(page).click();
  await expect(group(sidebar, "Today").getByRole("link")).toHaveText(["Loose"]);
  await expect(button).toHaveAccessibleDescription("1 chat");
  await expect.poll(async () => (await chat.read((await chat.history())[0]?.id ?? "")).folderId).toBeUndefined();
});

test("two tabs show the same folders", async ({ chat, page, context }) => {
  const id = await chat.prepare("Seen by both", "An answer");
  await chat.open();
  await chat.sidebar();
  const other = await context.newPage();
  await other.goto("/chat");
  await page.bringToFront();
  await chat.openMenu("Seen by both");
  await pick(page, "Move to folder", "New folder…");
  await page.getByRole("dialog").getByLabel("Name of the folder").fill("Shared");
  await page.keyboard.press("Enter");
  const there = other.locator("nav", { has: other.locator("[data-chat], [data-folder]") }).first();
  await expect(there.locator("[data-folder]")).toHaveText(["Shared"]);
  await expect(there.locator(`[data-chat="${id}"]`)).toHaveCount(0);
  await there.locator("[data-folder]").dispatchEvent("click");
  await expect(there.locator(`[data-chat="${id}"]`)).toHaveCount(1);
  await other.close();
});

test.describe("organising chats by touch", () => {
  test.skip(({ isMobile }) => !isMobile, "for fingers");

  test("several chats are selected and moved into a folder by touch @phone", async ({ chat, page }) => {
    await makeFolder(chat, "A folder");
    for (const title of ["First", "Second"]) await chat.prepare(title, "An answer");
    await chat.open();
    const sidebar = await chat.sidebar();
    await chat.openMenu("First");
    await page.getByRole("menuitem", { name: "Select" }).tap();
    await chat.entry("Second").tap();
    await expect(sidebar.getByText("2 selected")).toBeVisible();
    await sidebar.getByRole("button", { name: "Move" }).tap();
    await page.getByRole("menuitem", { name: "A folder" }).tap();
    await sidebar.getByRole("button", { name: "A folder", exact: true }).tap();
    await expect(group(sidebar, "Folders").getByRole("link")).toHaveText(["Second", "First"]);
  });
});
