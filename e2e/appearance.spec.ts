import { expect, expectAccessible, test } from "./chat-screen.ts";

const REPLY = `# A title

Some **bold** words, [a link](https://example.com) and \`code\`, <kbd>K</kbd> and H<sub>2</sub>O.

- one
- two
  1. nested

| Name | Height |
| --- | ---: |
| Ben | 1.8 |

\`\`\`ts
const answer: number = 42; // why
export function greet(name: string) { return \`Hello \${name}\`; }
\`\`\`

> A quote

- [x] done
- [ ] open

A note[^1], \\(x^2\\) and a formula:

$$
\\frac{a}{b} = \\sqrt{c}
$$

[^1]: Its words.
`;

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test(`axe finds nothing in any state of the chat @every-screen ${colorScheme === "light" ? "@phone" : "@proof"}`, async ({
      chat,
      page,
      provider,
      isMobile,
    }) => {
      await chat.open();
      await expectAccessible(page);
      await chat.modelMenu.click();
      await expect(page.getByRole("menu")).toBeVisible();
      await expectAccessible(page);
      // With automatic model choice another provider would continue an interrupted reply.
      await page.getByRole("menuitemradio").filter({ hasText: "gpt-5-mini" }).click();

      await chat.prepare("Another chat", "With an answer");
      const rich = await chat.prepare("Show me everything", REPLY);
      await chat.open(rich);
      await expect(chat.messages.locator(".katex")).toHaveCount(2);
      await expect(chat.messages.locator("figure pre span span[style]").first()).toBeVisible();
      await expectAccessible(page);

      await chat.send("[scenario:held] And more");
      await expect(page.getByText("Thinking...")).toBeVisible();
      await expectAccessible(page);
      provider.release("Words **and** more");
      await expect(chat.answer("Words and more")).toBeVisible();
      await expectAccessible(page);
      provider.failMidStream();
      await expect(chat.banner).toBeVisible();
      await expectAccessible(page);

      await chat.sidebar();
      // On the desktop the sidebar is always shown, so the earlier checks cover it.
      if (isMobile) await expectAccessible(page);
      await (await chat.openMenu("Another chat")).getByRole("menuitem", { name: "Delete" }).click();
      await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
      await expectAccessible(page);
    });
  });
}

test.describe("the page with reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("no animation runs longer than 50 ms", async ({ chat, page, provider }) => {
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

test("nothing jumps when text replaces Thinking..., nor when the answer is complete @every-screen", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open(await chat.prepare("One", "An answer", "Two", "Another answer"));
  await chat.send("[scenario:held] Three");
  await expect(page.getByText("Thinking...")).toBeVisible();
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
