import { expect, test } from "./chat-screen.ts";

test.describe("reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("with reduced motion no animation of a chat runs longer than 50 ms", async ({ chat, page, provider }) => {
    await chat.open();
    await chat.send("[scenario:held] Calm, please");
    await expect(page.getByText("Thinking...")).toBeVisible();
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 50)
        .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : "a transition")),
    );
    expect(moving).toEqual([]);
    provider.release("Here.");
    provider.finish();
    await expect(chat.sendButton).toBeVisible();
  });
});

test("a question does not move when text replaces Thinking..., nor when the answer is complete @every-screen", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open(await chat.prepare("One", "An answer", "Two", "Another answer"));
  await chat.send("[scenario:held] Three");
  await expect(page.getByText("Thinking...")).toBeVisible();
  await provider.untilHeld(1);
  const question = chat.question("Three");
  const place = async () => (await question.boundingBox())?.y;
  const before = await place();
  provider.release("A few words");
  await expect(chat.answer("A few words")).toBeVisible();
  expect(await place()).toBe(before);
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await expect(chat.answer("A few words").getByRole("button", { name: "Copy message" })).toBeVisible();
  expect(await place()).toBe(before);
});
