import { errorSentences } from "#contract/errors.ts";
import { answerSends, type ChatScreen, expect, test } from "./chat-screen.ts";
import { importChats } from "./long-chats.ts";

test.use({ expectedErrors: [/status of 402/] });

const refusal = {
  status: 402,
  contentType: "application/json",
  body: JSON.stringify({ detail: "x", error: "x", code: "budget-reached" }),
};
const talk = (count: number) =>
  Array.from({ length: count }, (_, nth) => (nth % 2 === 0 ? `Question ${nth}?` : "Some words. ".repeat(60)));
const LONG_QUESTION = Array.from({ length: 30 }, (_, nth) => `Line ${nth} of my question`).join("\n");

/** Asserts that all actions of the refused question are in view, but for a fraction of a pixel. */
async function expectActionsInView({ messages }: ChatScreen): Promise<void> {
  await expect(messages.last().getByText("Not sent")).toBeInViewport({ ratio: 0.98 });
  for (const name of ["Try again", "Edit"])
    await expect(messages.last().getByRole("button", { name })).toBeInViewport({ ratio: 0.98 });
}

/** Asserts that the message box covers nothing of the banner, and that both are in view. */
async function expectBannerUncovered({ banner, box }: ChatScreen): Promise<void> {
  await expect(banner).toBeInViewport({ ratio: 1 });
  await expect(box).toBeInViewport({ ratio: 0.98 });
  const composer = box.locator("xpath=ancestor::form");
  await expect
    .poll(async () => {
      const [above, below] = [await banner.boundingBox(), await composer.boundingBox()];
      return (below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0);
    })
    .toBeGreaterThanOrEqual(0);
}

/** Returns how many frames had no question with that text since the first one that had it. */
async function watchQuestion({ page }: ChatScreen, text: string): Promise<() => Promise<number>> {
  const watch = await page.evaluateHandle((wanted) => {
    const seen = { isShown: false, gaps: 0 };
    const check = () => {
      const items = [...document.querySelectorAll("main section ol > li")];
      const isThere = items.some(({ textContent }) => textContent?.includes(wanted));
      if (seen.isShown && !isThere) seen.gaps += 1;
      seen.isShown ||= isThere;
      requestAnimationFrame(check);
    };
    check();
    return seen;
  }, text);
  return () => watch.evaluate(({ gaps }) => gaps);
}

for (const [name, height, question] of [
  ["a phone", 844, "My question"],
  ["a phone with a long question", 844, LONG_QUESTION],
  ["a phone with an open keyboard", 420, "My question"],
  ["a phone with an open keyboard and a long question", 420, LONG_QUESTION],
] as const) {
  test(`on ${name} the actions of a refused question stay in view`, async ({ chat, page }) => {
    await page.setViewportSize({ width: 390, height });
    await answerSends(page, refusal);
    const [id] = await importChats(chat, talk(20));
    await chat.open(id);
    await expect(chat.messages.last()).toBeInViewport();
    await chat.send(question);
    await expect(chat.banner).toContainText(errorSentences["budget-reached"]);
    await expectActionsInView(chat);
    await chat.banner.getByRole("button", { name: "Close" }).tap();
    await expect(chat.banner).toBeHidden();
    await expectActionsInView(chat);
    await chat.messages.last().getByRole("button", { name: "Try again" }).tap();
    await expect(chat.banner).toContainText(errorSentences["budget-reached"]);
    await expectActionsInView(chat);
    await chat.messages.last().getByRole("button", { name: "Edit" }).tap();
    await expect(chat.box).toHaveValue(question);
    await expectBannerUncovered(chat);
    await chat.banner.getByRole("button", { name: "Close" }).tap();
    await expect(chat.messages.last()).toBeInViewport();
  });
}

test("a question that is refused before the queue is loaded does not leave the screen meanwhile", async ({
  chat,
  page,
}) => {
  const queue = Promise.withResolvers<void>();
  await page.route(/\/queued-messages-/, async (route) => {
    await queue.promise;
    await route.continue();
  });
  await answerSends(page, refusal);
  const [id] = await importChats(chat, talk(2));
  await chat.open(id);
  await expect(chat.messages.last()).toBeInViewport();
  const gaps = await watchQuestion(chat, "My question");
  const refused = page.waitForResponse((response) => response.status() === 402);
  await chat.send("My question");
  await (await refused).finished();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  queue.resolve();
  await expectActionsInView(chat);
  expect(await gaps()).toBe(0);
});

test("a reader who has scrolled away is not moved when a question is refused", async ({ chat, page }) => {
  const read = Promise.withResolvers<void>();
  await page.route(/\/send\?stream=1$/, async (route) => {
    await read.promise;
    await route.fulfill(refusal);
  });
  const [id] = await importChats(chat, talk(20));
  await chat.open(id);
  await expect(chat.messages.last()).toBeInViewport();
  await chat.send("My question");
  await expect(chat.question("My question")).toBeInViewport();
  const view = page.getByRole("region", { name: "Conversation" });
  const earlier = chat.question("Question 10?");
  await earlier.evaluate((item) => item.scrollIntoView({ block: "center" }));
  await expect(earlier).toBeInViewport();
  read.resolve();
  await expect(chat.banner).toContainText(errorSentences["budget-reached"]);
  await expect(chat.messages.last()).toContainText("Not sent");
  await expect(earlier).toBeInViewport();
  expect(await view.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)).toBeGreaterThan(400);
});

test.describe("a banner with an action", () => {
  test.use({ expectedErrors: [/status of 409/] });

  test("on a phone a long label of a banner's action does not narrow its text", async ({ chat, page }) => {
    await page.addInitScript(() => localStorage.setItem("parley.language", "de"));
    const body = JSON.stringify({ detail: "x", error: "x", code: "conversation-moved" });
    await answerSends(page, { ...refusal, status: 409, body });
    const id = await chat.prepare("A question", "An answer");
    await page.goto(`/chat?c=${id}`);
    await expect(page.getByText("An answer")).toBeVisible();
    const box = page.getByRole("main").getByRole("textbox");
    await box.fill("My question");
    await box.press("Control+Enter");
    await expect(chat.banner.getByRole("button", { name: "Als Zweig senden" })).toBeVisible();
    const text = await chat.banner.getByText(/neuere Nachrichten/).boundingBox();
    const action = await chat.banner.getByRole("button", { name: "Als Zweig senden" }).boundingBox();
    expect(text?.width).toBeGreaterThan(240);
    expect(action?.y).toBeGreaterThan((text?.y ?? 0) + (text?.height ?? 0));
  });
});
