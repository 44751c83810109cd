import type { Page } from "@playwright/test";
import { expect, test } from "./chat-screen.ts";
import { animationsEnded, expectNoOverhang, expectTouchable } from "./looks.ts";
import { Finger } from "./touches.ts";

test("the list of chats is a drawer: a button opens it, Escape, a button and a touch beside it close it", async ({
  chat,
  page,
}) => {
  await chat.prepare("A question", "An answer");
  await chat.open();
  const opener = page.getByRole("button", { name: "Open the list of chats" });
  const drawer = page.getByRole("dialog", { name: "Chats" });
  await expect(drawer).toBeHidden();
  await opener.tap();
  await expect(chat.entry("A question")).toBeVisible();
  await expectTouchable(drawer);
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.tap();
  await expect(drawer).toBeVisible();
  await page.touchscreen.tap(380, 400);
  await expect(drawer).toBeHidden();
  await opener.tap();
  await drawer.getByRole("button", { name: "Close the list of chats" }).tap();
  await expect(drawer).toBeHidden();
});

test("the drawer traps the focus while it is open", async ({ chat, page }) => {
  await chat.prepare("A question", "An answer");
  await chat.open();
  await chat.sidebar();
  const drawer = page.getByRole("dialog", { name: "Chats" });
  await expect(chat.entry("A question")).toBeVisible();
  for (let step = 0; step < 8; step++) {
    expect(await drawer.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press(step < 6 ? "Tab" : "Shift+Tab");
  }
});

test("selecting and creating a chat close the drawer, deleting one does not", async ({ chat, page }) => {
  const one = await chat.prepare("The one chat", "An answer");
  await chat.prepare("The other chat", "An answer");
  await chat.open();
  await chat.choose("The one chat");
  await expect(page).toHaveURL(`/chat?c=${one}`);
  await expect(chat.question("The one chat")).toBeVisible();
  const sidebar = await chat.sidebar();
  await (await chat.openMenu("The other chat")).getByRole("menuitem", { name: "Delete" }).tap();
  await expect(chat.entry("The other chat")).toBeHidden();
  await expect(sidebar).toBeVisible();
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Close" }).tap();
  await expect(sidebar).toBeVisible();
  await sidebar.getByRole("button", { name: "New chat" }).tap();
  await expect(page.getByRole("dialog", { name: "Chats" })).toBeHidden();
  await expect(chat.welcome).toBeVisible();
});

test("selecting the chat that is already open closes the drawer", async ({ chat, page }) => {
  await chat.open(await chat.prepare("The one chat", "An answer"));
  await chat.sidebar();
  await chat.entry("The one chat").tap();
  await expect(page.getByRole("dialog", { name: "Chats" })).toBeHidden();
});

test("the header of a phone begins a new chat, and has a Logout icon with a name", async ({ chat, page }) => {
  await chat.open(await chat.prepare("The one chat", "An answer"));
  const main = page.getByRole("main");
  const logout = main.getByRole("button", { name: "Logout", exact: true });
  await expect(logout).toBeVisible();
  expect((await logout.boundingBox())?.width).toBe(44);
  await main.getByRole("button", { name: "New chat" }).tap();
  await expect(chat.welcome).toBeVisible();
  await chat.sidebar();
  await expect(chat.entry("New chat")).toHaveAttribute("aria-current", "page");
});

test("a chat with wide content fits a phone, keeps the box in view and has large touch targets", async ({
  chat,
  page,
  provider,
}) => {
  const wide = `| ${"a wide head | ".repeat(12)}\n| ${"--- | ".repeat(12)}\n| ${"a wide cell | ".repeat(12)}`;
  const formula = `$$\n${"x + ".repeat(60)}x\n$$`;
  const code = `\`\`\`js\nconst line = "${"very ".repeat(60)}long";\n\`\`\``;
  provider.reply = [wide, code, formula, "unbroken".repeat(40)].join("\n\n");
  const isWiderThanScreen = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  await chat.open();
  await expect(chat.sendButton).toBeInViewport({ ratio: 1 });
  await expectTouchable(page.getByRole("main"));
  expect(await isWiderThanScreen()).toBe(false);
  await chat.ask(`A long word: ${"unbroken".repeat(40)}`);
  await expect(chat.messages.last().getByRole("button", { name: "Copy message" })).toBeVisible();
  await expect(chat.messages.last().getByRole("group", { name: "Formula" })).toBeVisible();
  expect(await isWiderThanScreen()).toBe(false);
  await expect(chat.sendButton).toBeInViewport({ ratio: 1 });
  await expectTouchable(page.getByRole("main"));
  await chat.modelMenu.tap();
  const heights = await page
    .getByRole("menuitemradio")
    .evaluateAll((items) => items.map((item) => (item instanceof HTMLElement ? item.offsetHeight : 0)));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  await expect(page.getByRole("menu")).toBeInViewport({ ratio: 1 });
});

test("on a low screen Delete stays in view at the end of a chat's menu, above the scrolled items", async ({
  chat,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 480 });
  for (const name of ["One", "Two", "Three", "Four"]) await chat.prepare(name, "An answer");
  await chat.open();
  await chat.sidebar();
  const menu = await chat.openMenu("Three");
  await animationsEnded(page);
  expect(await menu.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true);
  await expect(menu.getByRole("menuitem", { name: "Delete" })).toBeInViewport({ ratio: 1 });
  await menu.getByRole("menuitem", { name: "Delete" }).tap();
  await expect(chat.entry("Three")).toBeHidden();
});

test("neither opening a chat nor sending opens the virtual keyboard", async ({ chat }) => {
  await chat.open(await chat.prepare("The one chat", "An answer"));
  await expect(chat.question("The one chat")).toBeVisible();
  await expect(chat.box).not.toBeFocused();
  await chat.box.fill("By touch");
  await chat.box.blur();
  await chat.sendButton.tap();
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
  await expect(chat.box).not.toBeFocused();
});

const WIDE_CODE = `\`\`\`js\nconst line = "${"very ".repeat(60)}long";\n\`\`\``;

/** Waits for the module that follows swipes, which loads after the chat. Must be called before the page loads. */
async function swipesAreFollowed(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const listen = document.addEventListener;
    document.addEventListener = (...listener: Parameters<typeof listen>) => {
      if (listener[0] === "pointercancel") document.documentElement.setAttribute("data-swipes", "followed");
      listen.apply(document, listener);
    };
  });
  return () => expect(page.locator("[data-swipes=followed]")).toBeAttached();
}

test("a finger drags the drawer open and closed", async ({ chat, page }) => {
  const followed = await swipesAreFollowed(page);
  await chat.open(await chat.prepare("A question", WIDE_CODE));
  const drawer = page.getByRole("dialog", { name: "Chats" });
  const finger = await Finger.of(page);
  const startOf = async () => (await drawer.boundingBox())?.x ?? Number.NaN;
  const code = chat.messages.last().locator("pre");
  await expect(code).toBeVisible();
  await followed();
  await finger.down(60, 560);
  await finger.move(200);
  await expect(drawer).toBeVisible();
  await expect.poll(startOf).toBeLessThan(-100);
  await finger.move(280);
  await expect.poll(startOf).toBeGreaterThan(-120);
  await finger.up();
  await expect.poll(startOf).toBe(0);
  await expect(chat.entry("A question")).toBeVisible();

  // A vertical movement scrolls, also if it turns sideways later; the drawer closes towards its own side only.
  await finger.down(200, 300);
  await finger.move(200, 400);
  await finger.move(40, 420);
  await finger.up();
  await finger.down(100, 300);
  await finger.move(300);
  await finger.up();
  expect(await startOf()).toBe(0);
  // A short, slow drag is cancelled.
  await finger.down(250, 300);
  await finger.move(200);
  await expect.poll(startOf).toBeLessThan(-20);
  await finger.cancel();
  await expect.poll(startOf).toBe(0);
  await finger.down(300, 300);
  await finger.move(60);
  await finger.up();
  await expect(drawer).toBeHidden();

  // Drags on scrollable code and in the message box, and from the screen edge, do not open the drawer.
  const box = await code.boundingBox();
  if (!box) throw new Error("No code");
  await finger.down(box.x + 250, box.y + box.height / 2);
  await finger.move(box.x + 60);
  await finger.up();
  await expect.poll(() => code.evaluate((element) => element.scrollLeft)).toBeGreaterThan(50);
  await finger.down(box.x + 60, box.y + box.height / 2);
  await finger.move(box.x + 300);
  await finger.up();
  const field = await chat.box.boundingBox();
  await finger.down(60, (field?.y ?? 0) + 10);
  await finger.move(330);
  await finger.up();
  await finger.down(5, 300);
  await finger.move(300);
  await finger.up();
  await expect(drawer).toBeHidden();
});

test("from right to left the drag of the drawer is mirrored, also with reduced motion", async ({ chat, page }) => {
  const followed = await swipesAreFollowed(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await chat.open(await chat.prepare("A question", "An answer"));
  await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
  const drawer = page.getByRole("dialog", { name: "Chats" });
  const finger = await Finger.of(page);
  await followed();
  await finger.down(330, 300);
  await finger.move(60);
  await finger.up();
  await expect(drawer).toBeVisible();
  const endOf = async () => {
    const box = await drawer.boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  await expect.poll(endOf).toBe(390);
  await finger.down(120, 300);
  await finger.move(350);
  await finger.up();
  await expect(drawer).toBeHidden();
});

test("Back closes the open overlay and leaves the chat open", async ({ chat, page }) => {
  await page.addInitScript(() => {
    const Native = (window as unknown as { CloseWatcher: new () => { requestClose: () => void } }).CloseWatcher;
    const made: { requestClose: () => void }[] = [];
    class Counted extends Native {
      constructor() {
        super();
        made.push(this);
      }
    }
    Object.assign(window, { CloseWatcher: Counted, back: () => made.at(-1)?.requestClose() });
  });
  const back = () => page.evaluate(() => (window as unknown as { back: () => void }).back());
  const one = await chat.prepare("The one chat", "An answer");
  await chat.open(one);
  await chat.sidebar();
  const drawer = page.getByRole("dialog", { name: "Chats" });
  await drawer.getByRole("button", { name: "Search" }).tap();
  const search = page.getByRole("dialog", { name: /Search/ });
  await expect(search).toBeVisible();
  await back();
  await expect(search).toBeHidden();
  await expect(page).toHaveURL(`/chat?c=${one}`);
});

test("a virtual keyboard that overlays the page covers neither the box nor its controls", async ({ chat, page }) => {
  await page.addInitScript(() => {
    const viewport = Object.assign(new EventTarget(), { height: window.innerHeight, scale: 1, width: 390 });
    const listen = viewport.addEventListener.bind(viewport);
    viewport.addEventListener = (...listener: Parameters<typeof listen>) => {
      document.documentElement.setAttribute("data-keyboard", "followed");
      listen(...listener);
    };
    Object.defineProperty(window, "visualViewport", { value: viewport });
    Object.assign(window, {
      keyboard: (height: number) => {
        viewport.height = window.innerHeight - height;
        viewport.dispatchEvent(new Event("resize"));
      },
    });
  });
  await chat.open(await chat.prepare("A question", "An answer"));
  const raise = (height: number) =>
    page.evaluate((px) => (window as unknown as { keyboard: (px: number) => void }).keyboard(px), height);
  const bottomOf = async () => {
    const box = await chat.sendButton.boundingBox();
    return box ? box.y + box.height : Number.NaN;
  };
  // The module that follows the keyboard loads after the chat.
  await expect(page.locator("[data-keyboard=followed]")).toBeAttached();
  const before = await bottomOf();
  await raise(336);
  await expect.poll(bottomOf).toBe(before - 336);
  await expect(page.getByRole("button", { name: "Open the list of chats" })).toBeInViewport({ ratio: 1 });
  await raise(0);
  await expect.poll(bottomOf).toBe(before);
});

const screens = [
  { width: 360, height: 740, tag: [] },
  { width: 430, height: 932, tag: "@proof" },
  { width: 740, height: 360, tag: [] },
];

for (const { tag, ...size } of screens) {
  const name = `every screen fits ${size.width} × ${size.height}, beside a camera and above a bar`;
  test(name, { tag }, async ({ chat, page }) => {
    await page.setViewportSize(size);
    const devtools = await page.context().newCDPSession(page);
    const isWide = size.width > size.height;
    const insets = isWide ? { left: 48, right: 48, bottom: 21 } : { top: 47, bottom: 34 };
    await devtools.send("Emulation.setSafeAreaInsetsOverride", { insets });
    const shown = async () => {
      await animationsEnded(page);
      await expectNoOverhang(page);
    };
    const fits = async () => {
      await shown();
      await expectTouchable(page.locator("body"));
    };
    const one = await chat.prepare("A question about the sea", `${WIDE_CODE}\n\nAn answer, with words.`);
    await chat.open();
    await expect(chat.sendButton).toBeInViewport({ ratio: 1 });
    await fits();
    await chat.open(one);
    await expect(chat.sendButton).toBeInViewport({ ratio: 1 });
    await fits();
    const send = await chat.sendButton.boundingBox();
    expect((send?.y ?? 0) + (send?.height ?? 0)).toBeLessThanOrEqual(size.height - insets.bottom);
    await chat.modelMenu.tap();
    await expect(page.getByRole("menu")).toBeInViewport({ ratio: 1 });
    await shown();
    await page.keyboard.press("Escape");
    const sidebar = await chat.sidebar();
    await expect(chat.entry("A question")).toBeVisible();
    await expect(sidebar.getByRole("button", { name: "Logout" })).toBeInViewport({ ratio: 1 });
    await fits();
    await sidebar.getByRole("button", { name: "Search" }).tap();
    const search = page.getByRole("dialog", { name: /Search/ });
    await search.getByRole("button", { name: "Filters" }).tap();
    await expectTouchable(search);
    await shown();
    for (const section of ["account", "security", "chat", "data", "usage"]) {
      await page.goto(`/settings/${section}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("status").filter({ hasText: /Loading/ })).toHaveCount(0);
      // The 12 months of the chart are too narrow for the touch rule; the table below has each of them too.
      await (section === "usage" ? shown : fits)();
    }
    await page.evaluate(() => localStorage.removeItem("access_token"));
    for (const screen of ["login", "register", "forgot-password"]) {
      await page.goto(`/${screen}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await fits();
    }
  });
}
