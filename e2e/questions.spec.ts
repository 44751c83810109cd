import { expect, test } from "./chat-screen.ts";

const CODE = "Why does this fail?\n```ts\nconst a: number = `1`;\n```\nI expected `a` to be *one*.";
const LONG = Array.from({ length: 30 }, (_, line) => `Line ${line + 1} of a long question`).join("\n");

test("code in a question is shown as code, and other Markdown as it was typed @every-screen", async ({ chat }) => {
  await chat.open();
  await chat.ask(CODE);
  const question = chat.question("Why does this fail?");
  await expect(question.locator("pre")).toHaveText("const a: number = `1`;");
  await expect(question.locator("code").last()).toHaveText("a");
  await expect(question).toContainText("to be *one*.");
});

test("a long question is folded, and unfolded on request, by a link to it and for print @every-screen", async ({
  chat,
  page,
}) => {
  await chat.open();
  await chat.ask(LONG);
  const question = chat.question("Line 1 of");
  const lastLine = question.getByText("Line 30 of");
  const more = question.getByRole("button", { name: "Show more" });
  await expect(more).toHaveAttribute("aria-expanded", "false");
  const folded = (await question.boundingBox())?.height ?? 0;
  await more.click();
  await expect(question.getByRole("button", { name: "Show less" })).toBeFocused();
  expect((await question.boundingBox())?.height).toBeGreaterThan(1.5 * folded);
  await page.keyboard.press("Enter");
  await expect(more).toBeFocused();
  expect((await question.boundingBox())?.height).toBe(folded);

  await page.emulateMedia({ media: "print" });
  await expect(more).toBeHidden();
  expect((await question.boundingBox())?.height).toBeGreaterThan(1.5 * folded);
  await page.emulateMedia({ media: "screen" });

  const id = new URL(page.url()).searchParams.get("c") ?? "";
  const { messages } = await chat.read(id);
  await page.goto(`/chat?c=${id}&m=${messages[0]?.id}`);
  await expect(question.getByRole("button", { name: "Show less" })).toBeVisible();
  await expect(lastLine).toBeAttached();
});

test("Show more leaves a reader at the words that were shown, also if the question begins above the view", async ({
  chat,
  page,
}) => {
  await chat.open(await chat.prepare(LONG, "An answer\n\n".repeat(40)));
  const question = chat.question("Line 1 of");
  const view = page.getByRole("region", { name: "Conversation" });
  await expect(chat.answer("An answer").first()).toBeInViewport();
  await question.evaluate((element) => element.scrollIntoView({ block: "start" }));
  await view.evaluate((element) => element.scrollBy(0, 100));
  const words = question.locator("[data-words]");
  const before = (await words.boundingBox())?.y ?? 0;
  await question.getByRole("button", { name: "Show more" }).evaluate((button: HTMLElement) => button.click());
  await expect(question.getByRole("button", { name: "Show less" })).toBeAttached();
  expect(Math.abs(((await words.boundingBox())?.y ?? 0) - before)).toBeLessThan(2);
});
