import { expect, listIsReady, test } from "./chat-screen.ts";
import { animationsEnded } from "./looks.ts";

test.describe("the sidebar beside the main area", () => {
  test.skip(({ isMobile }) => isMobile, "a phone has a drawer");

  test("the sidebar opens at 30 % of the window, is dragged, and keeps its width", async ({ chat, page }) => {
    await chat.prepare("A question", "An answer");
    await chat.open();
    const sidebar = await chat.sidebar();
    const widthOf = async () => Math.round((await sidebar.boundingBox())?.width ?? 0);
    expect(await widthOf()).toBe(384);
    const handle = page.getByRole("separator", { name: "Width of the list of chats" });
    await expect(handle).toHaveAttribute("aria-valuenow", "384");
    const drag = async (from: number, to: number) => {
      await page.mouse.move(from, 400);
      await page.mouse.down();
      await page.mouse.move(to, 420, { steps: 4 });
    };
    await drag(384, 500);
    await expect.poll(widthOf).toBe(500);
    await page.keyboard.press("Escape");
    expect(await widthOf()).toBe(384);
    await page.mouse.up();
    await drag(384, 1200);
    await expect.poll(widthOf).toBe(640);
    await page.mouse.move(450, 420);
    await page.mouse.up();
    expect(await widthOf()).toBe(450);
    await handle.press("ArrowLeft");
    expect(await widthOf()).toBe(434);
    await page.reload();
    await expect(chat.entry("A question")).toBeVisible();
    expect(await widthOf()).toBe(434);
    await handle.dblclick();
    expect(await widthOf()).toBe(384);
    await page.setViewportSize({ width: 800, height: 600 });
    expect(await widthOf()).toBe(240);
  });

  test("Ctrl+B collapses the sidebar to a rail, also in the message box, and after a reload @every-screen", async ({
    chat,
    page,
  }) => {
    await chat.prepare("The older chat", "An answer");
    const id = await chat.prepare("The newer chat", "An answer");
    await chat.open(id);
    await chat.keysAreThere();
    const sidebar = await chat.sidebar();
    await page.keyboard.press("Control+b");
    await expect(chat.entry("The newer chat")).toBeHidden();
    await expect(chat.box).toBeFocused();
    expect((await sidebar.boundingBox())?.width).toBe(56);
    await page.keyboard.press("Alt+ArrowDown");
    await expect(chat.question("The older chat")).toBeVisible();
    await page.reload();
    await expect(chat.box).toBeVisible();
    expect((await sidebar.boundingBox())?.width).toBe(56);
    await sidebar.getByRole("button", { name: chat.account.user.username }).click();
    await page.getByRole("menuitem", { name: "Usage" }).click();
    await expect(page).toHaveURL("/settings/usage");
    await page.goBack();
    await sidebar.getByRole("button", { name: "New chat" }).click();
    await expect(chat.welcome).toBeVisible();
    await sidebar.getByRole("button", { name: "Show the list of chats" }).press("Enter");
    await expect(chat.entry("The older chat")).toBeVisible();
    await expect(sidebar.getByRole("button", { name: "Hide the list of chats" })).toBeFocused();
  });
});

test("the menu of a chat opens by key, and at the pointer by a right click", async ({ chat, page }) => {
  await chat.prepare("A question", "An answer");
  await chat.open();
  const entry = chat.entry("A question");
  await expect(entry).toBeVisible();
  await entry.focus();
  await listIsReady(page);
  await page.keyboard.press("Shift+F10");
  const menu = page.getByRole("menu", { name: "More actions for A question" });
  await expect(menu).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "More actions for A question" })).toBeFocused();
  await page.keyboard.press("ContextMenu");
  await expect(menu).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await entry.click({ button: "right", position: { x: 60, y: 10 } });
  await expect(menu).toBeVisible();
  await animationsEnded(page);
  const [line, box] = [await entry.boundingBox(), await menu.boundingBox()];
  expect(Math.abs((box?.x ?? 0) - (line?.x ?? 0) - 60)).toBeLessThan(8);
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(entry).toBeHidden();
});

test.describe("the list of chats by touch", () => {
  test.skip(({ isMobile }) => !isMobile, "for fingers");

  test("a long press on a line opens its menu, and not the chat @phone", async ({ chat, page }) => {
    await chat.prepare("The one chat", "An answer");
    await chat.open();
    const sidebar = await chat.sidebar();
    const menu = await chat.openMenu("The one chat");
    await expect(page).toHaveURL("/chat");
    await animationsEnded(page);
    const [line, box] = [await chat.entry("The one chat").boundingBox(), await menu.boundingBox()];
    const edge = await page.getByRole("dialog", { name: "Chats" }).boundingBox();
    expect(Math.abs((box?.y ?? 0) - (line?.y ?? 0) - (line?.height ?? 0))).toBeLessThan(8);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((edge?.x ?? 0) + (edge?.width ?? 0));
    await menu.getByRole("menuitem", { name: "Pin" }).tap();
    await expect(sidebar.getByRole("region", { name: "Pinned" }).getByRole("link")).toHaveText(["The one chat"]);
    await chat.entry("The one chat").tap();
    await expect(chat.question("The one chat")).toBeVisible();
  });
});
