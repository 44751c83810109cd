import type { Page } from "@playwright/test";
import { type ChatScreen, expect, test } from "./chat-screen.ts";
import { watchLine } from "./line-watch.ts";
import { importChats } from "./long-chats.ts";

const code = "```ts\nconst one = 1;\n\nfunction two() {\n  return one + one;\n}\n```";
const rich = (number: number) =>
  number % 2 === 0
    ? `Question ${number}, please?`
    : `## Answer ${number}\n\nSome **bold** words, and $x^2$.\n\n${code}\n\n- one\n- two\n\nThe line of ${number}.\n\nMore.`;
const talk = (count: number) => Array.from({ length: count }, (_, number) => rich(number));
const paragraphs = (from: number, count: number) =>
  Array.from({ length: count }, (_, line) => `Paragraph ${from + line}.\n\n`).join("");

const view = (page: Page) => page.getByRole("region", { name: "Conversation" });
const jump = (page: Page) => page.getByRole("button", { name: /^Jump to newest/ });
const frames = (page: Page, count: number) =>
  page.evaluate(async (left) => {
    for (; left > 0; left -= 1) await new Promise(requestAnimationFrame);
  }, count);

/** Scrolls by the mouse wheel until a line is `below` px from the top of the view. */
async function read(page: Page, text: string, below = 250): Promise<void> {
  const line = view(page).getByText(text, { exact: true });
  await view(page).hover();
  const wanted = ((await view(page).boundingBox())?.y ?? 0) + below;
  for (let tries = 0; tries < 200; tries += 1) {
    const place = (await line.count()) > 0 ? await line.evaluate((item) => item.getBoundingClientRect().top) : -900;
    if (Math.abs(place - wanted) < 4) break;
    await page.mouse.wheel(0, Math.max(-600, Math.min(600, place - wanted)));
    await frames(page, 3);
  }
  await expect(line).toBeInViewport();
}

async function placeOf(page: Page, text: string): Promise<number> {
  return view(page)
    .getByText(text, { exact: true })
    .evaluate((line) => line.getBoundingClientRect().top);
}

/** Simulates a browser without scroll anchoring. */
async function withoutAnchoring(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { supports } = CSS;
    CSS.supports = (...terms: [string]) => terms[0] !== "overflow-anchor" && supports.apply(CSS, terms);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { overflow-anchor: none !important }");
    document.adoptedStyleSheets.push(sheet);
  });
}

for (const isAided of [true, false]) {
  test(`the line that is read does not move by a pixel, ${isAided ? "with scroll anchoring" : "without scroll anchoring"}`, async ({
    chat,
    page,
    provider,
  }) => {
    if (!isAided) await withoutAnchoring(page);
    const [id] = await importChats(chat, talk(80));
    await chat.open(id);
    await expect(chat.answer("Answer 79")).toBeInViewport();
    await chat.send("[scenario:held] Go on");
    provider.release(paragraphs(1, 30));
    await expect(view(page).getByText("Paragraph 30.")).toBeAttached();
    await read(page, "The line of 65.", 8);
    const moves = await watchLine(page, "The line of 65.");
    for (let batch = 1; batch <= 5; batch += 1) {
      provider.release(paragraphs(batch * 30 + 1, 30));
      await expect(view(page).getByText(`Paragraph ${batch * 30 + 30}.`)).toBeAttached();
    }
    expect(await moves()).toBeLessThan(1);

    // Elements above change their height, also within the same answer, as formulas, diagrams and pictures do.
    await page.evaluate(async () => {
      const items = [...document.querySelectorAll("main section ol > li")];
      const reading = items.findIndex((item) => item.textContent?.includes("The line of 65."));
      const above = [items[reading]?.querySelector("figure"), items[reading - 1], items[reading - 5], items[1]];
      for (let step = 0; step < 48; step += 1) {
        const element = above[step % 4];
        if (element instanceof HTMLElement) element.style.paddingBottom = `${((step * 37) % 11) * 13}px`;
        await new Promise(requestAnimationFrame);
      }
    });
    await frames(page, 3);
    expect(await moves()).toBeLessThan(1);
    await chat
      .answer("Answer 65")
      .getByRole("button", { name: "Wrap lines" })
      .evaluate((button: HTMLElement) => button.click());
    provider.finish();
    await expect(chat.sendButton).toBeVisible();
    await frames(page, 10);
    expect(await moves()).toBeLessThan(1);
    await expect(page.getByRole("button", { name: "Jump to newest", exact: true })).toBeVisible();
  });
}

test("a reader who leaves the end is not moved, sees how much is new, and can jump back @every-screen @phone", async ({
  chat,
  page,
  provider,
}, { project }) => {
  const [id] = await importChats(chat, talk(30));
  await chat.open(id);
  await chat.send("[scenario:held] At length");
  let count = 0;
  const grow = async () => {
    provider.release(paragraphs(count + 1, 20));
    count += 20;
    await expect(view(page).getByText(`Paragraph ${count}.`)).toBeAttached();
    await frames(page, 5);
  };
  await grow();
  await grow();
  await jump(page).click();
  const box = await view(page).boundingBox();
  const [x, y] = [(box?.x ?? 0) + 200, (box?.y ?? 0) + 200];
  const byKeys = async (...keys: string[]) => {
    await view(page).focus();
    for (const key of keys) await page.keyboard.press(key);
  };
  const ways: Record<string, () => Promise<void>> =
    project.name === "phone"
      ? { finger: () => drag(page, x, y, 180) }
      : {
          wheel: async () => {
            await page.mouse.move(x, y);
            await page.mouse.wheel(0, -60);
          },
          "page up": () => byKeys("PageUp"),
          arrows: () => byKeys("ArrowUp", "ArrowUp"),
          home: () => byKeys("Home"),
          "shift and space": () => byKeys("Shift+Space"),
          selecting: () =>
            view(page)
              .getByText(`Paragraph ${count - 1}.`)
              .dblclick(),
          "find in page": () => page.keyboard.press("Control+f"),
          "a script or a scrollbar": () => view(page).evaluate((element) => element.scrollBy(0, -100)),
        };
  for (const [way, leave] of Object.entries(ways)) {
    await expect(view(page).getByText(`Paragraph ${count}.`), way).toBeInViewport();
    await leave();
    await expect.poll(() => isStill(page), way).toBe(true);
    const before = await view(page).evaluate((element) => element.scrollTop);
    await grow();
    await grow();
    expect(await view(page).evaluate((element) => element.scrollTop), way).toBe(before);
    await expect(page.getByRole("button", { name: "Jump to newest", exact: true }), way).toBeVisible();
    await jump(page).click();
    if (way === "wheel" || way === "finger") await grow();
    await expect(view(page).getByText(`Paragraph ${count}.`), way).toBeInViewport();
    await expect(jump(page)).toBeHidden();
    await page.evaluate(() => document.getSelection()?.removeAllRanges());
  }
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await expect(view(page).getByText(`Paragraph ${count}.`)).toBeInViewport();
  await view(page).evaluate((element) => element.scrollBy(0, -2000));
  await expect(page.getByRole("button", { name: "Jump to newest", exact: true })).toBeVisible();
  await chat.append(id ?? "", "user", "From another device.");
  await chat.append(id ?? "", "assistant", "Heard.");
  await expect(page.getByRole("button", { name: "Jump to newest, 2 new" })).toBeVisible();
  await jump(page).click();
  await expect(view(page).getByText("Heard.", { exact: true })).toBeInViewport();
});

const isStill = (page: Page) =>
  page.evaluate(async () => {
    const box = document.querySelector("main section");
    const before = box?.scrollTop;
    for (let left = 5; left > 0; left -= 1) await new Promise(requestAnimationFrame);
    return box?.scrollTop === before;
  });

async function drag(page: Page, x: number, y: number, by: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: { x: number; y: number }[]) =>
    devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", { x, y });
  for (let step = 1; step <= 10; step += 1) {
    await touch("touchMove", { x, y: y + (by * step) / 10 });
    await frames(page, 1);
  }
  await touch("touchEnd");
  await devtools.detach();
}

test("a sent question stays at the top while its answer grows, until the reader jumps to the end", async ({
  chat,
  page,
  provider,
}) => {
  const [id] = await importChats(chat, talk(30));
  await chat.open(id);
  // Earlier messages move the question until the next frame corrects it: a measurement between the two would fail.
  await expect(chat.messages).toHaveCount(30);
  await view(page).evaluate((element) => element.scrollTo(0, 0));
  await chat.send("[scenario:held] What now?");
  await expect(view(page).getByText("Thinking...")).toBeInViewport();
  const top = (await view(page).boundingBox())?.y ?? 0;
  const question = async () => ((await chat.question("What now?").boundingBox())?.y ?? 0) - top;
  await expect.poll(question).toBeLessThan(60);
  const before = await question();
  expect(before).toBeGreaterThan(0);
  provider.release(paragraphs(1, 5));
  await expect(view(page).getByText("Paragraph 5.")).toBeInViewport();
  expect(await question()).toBe(before);
  provider.release(paragraphs(6, 60));
  await expect(view(page).getByText("Paragraph 65.")).toBeAttached();
  expect(await question()).toBe(before);
  await jump(page).click();
  await expect(view(page).getByText("Paragraph 65.")).toBeInViewport();
  provider.release(paragraphs(66, 20));
  await expect(view(page).getByText("Paragraph 85.")).toBeInViewport();
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await expect(view(page).getByText("Paragraph 85.")).toBeInViewport();
});

test("a reader who returns to a chat during its answer finds the former position @proof", async ({
  chat,
  page,
  provider,
}) => {
  const [id] = await importChats(chat, talk(30), talk(20));
  await chat.open(id);
  await chat.send("[scenario:held] What now?");
  provider.release(paragraphs(1, 60));
  await expect(view(page).getByText("Paragraph 60.")).toBeAttached();
  await read(page, "The line of 11.");
  const left = await placeOf(page, "The line of 11.");
  await chat.choose("Imported 2");
  await expect(view(page).getByText("The line of 19.")).toBeInViewport();
  await chat.choose("Imported 1");
  await expect.poll(async () => Math.abs((await placeOf(page, "The line of 11.")) - left)).toBeLessThan(1);
  provider.finish();
});

test("the first question of a chat stays at the top while its answer grows", async ({ chat, page, provider }) => {
  await chat.open();
  await chat.send("[scenario:held] What now?");
  provider.release(paragraphs(1, 60));
  await expect(view(page).getByText("Paragraph 60.")).toBeAttached();
  await expect(chat.question("What now?")).toBeInViewport();
  await expect(jump(page)).toBeVisible();
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await expect(chat.question("What now?")).toBeInViewport();
});

test("each chat restores its scroll position, except for an unread answer or a link to a message", async ({
  chat,
  page,
  provider,
}) => {
  const [one] = await importChats(chat, talk(100), talk(20));
  await chat.open(one);
  await expect(view(page).getByText("The line of 99.")).toBeInViewport();
  await read(page, "The line of 41.");
  const left = await placeOf(page, "The line of 41.");
  const isAsLeft = () =>
    expect.poll(async () => Math.abs((await placeOf(page, "The line of 41.")) - left)).toBeLessThan(1);
  await chat.choose("Imported 2");
  await expect(view(page).getByText("The line of 19.")).toBeInViewport();
  await chat.choose("Imported 1");
  await isAsLeft();
  await page.reload();
  await isAsLeft();
  await frames(page, 30);
  await isAsLeft();

  await page.goto(`/chat?c=${one}&m=${(await chat.read(one ?? "")).messages[9]?.id}`);
  await expect(view(page).getByText("The line of 9.")).toBeInViewport();
  await read(page, "The line of 13.");

  await chat.choose("Imported 2");
  await expect(view(page).getByText("The line of 19.")).toBeInViewport();
  provider.reply = () => "An answer from elsewhere.";
  await chat.call("POST", `/chat/${one}/send`, { message: "Asked elsewhere" });
  await expect(chat.entry("Imported 1").getByText("Unread answer")).toBeAttached();
  await chat.choose("Imported 1");
  await expect(view(page).getByText("An answer from elsewhere.")).toBeInViewport();
  await chat.choose("Imported 2");
  await chat.choose("Imported 1");
  await expect(view(page).getByText("An answer from elsewhere.")).toBeInViewport();
});

test("a scroll position that a reload restores is removed by a logout", async ({ chat, page }) => {
  const [id = ""] = await importChats(chat, talk(20));
  await chat.open(id);
  await expect(view(page).getByText("The line of 19.")).toBeInViewport();
  await read(page, "The line of 5.");
  await page.reload();
  await expect(view(page).getByText("The line of 5.")).toBeInViewport();
  const kept = () => page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith("places:")));
  expect(JSON.stringify(await kept())).toContain(id);
  await page.getByRole("button", { name: "Logout" }).first().click();
  await expect(page).toHaveURL(/login/);
  expect(await kept()).toEqual([]);
});

test("a chat of 2,000 messages opens with its last ones, and loads more while scrolling @every-screen", async ({
  chat,
  page,
}, { project }) => {
  const [id] = await importChats(chat, talk(2000));
  await chat.open(id);
  await expect(view(page).getByText("The line of 1999.")).toBeInViewport();
  await expect(jump(page)).toBeHidden();
  await expect(chat.messages).toHaveCount(50);

  if (project.name === "desktop") await goUp(chat);
  const earlier = page.getByRole("button", { name: "Show earlier messages" });
  const before = await chat.messages.count();
  await earlier.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => chat.messages.count()).toBeGreaterThan(before);

  // 1,500 messages up: the messages around it are shown, and more can be loaded on both sides.
  await page.goto(`/chat?c=${id}&m=${(await chat.read(id ?? "")).messages[500]?.id}`);
  await expect(chat.question("Question 500,")).toBeFocused();
  await expect(chat.question("Question 500,")).toBeInViewport();
  expect(await chat.messages.count()).toBeLessThan(80);
  await expect(jump(page)).toBeVisible();
  if (project.name === "desktop") await read(page, "The line of 505.");
  await jump(page).click();
  await expect(view(page).getByText("The line of 1999.")).toBeInViewport();
  await expect(jump(page)).toBeHidden();
});

/** Asserts that messages inserted above do not move the line that is read. */
async function goUp({ page, messages }: ChatScreen): Promise<void> {
  await read(page, "The line of 1941.", 8);
  const moves = await watchLine(page, "The line of 1941.");
  await expect.poll(() => messages.count()).toBeGreaterThan(60);
  await frames(page, 20);
  expect(await moves()).toBeLessThan(1);
  const before = await messages.count();
  await view(page).evaluate((box) => box.scrollTo(0, 0));
  await expect.poll(() => messages.count()).toBeGreaterThan(before);
}
