import { expect, expectAccessible, test } from "./chat-screen.ts";
import { holdTimers } from "./held-timers.ts";

const TABLE = "| Name | Height |\n| --- | ---: |\n| Ben | 1.8 |\n| Ada | 1.6 |";
const RICH = `# A title

Some **bold**, *italic* and \`code\` &amp; an entity &copy;, <kbd>K</kbd> and H<sub>2</sub>O.
A second line, after a break.

- one
- two
  1. nested

${TABLE}

\`\`\`ts
const answer: number = 42; // why
\`\`\`

> A quote

- [x] done
- [ ] open

Inline maths \\(x^2\\) and a formula:

$$
\\frac{a}{b} = \\sqrt{c}
$$

A note[^1].

[^1]: The note's own words.
`;

test("a Markdown reply is set as Markdown, growing, complete and reloaded, without a word of the policy @every-screen", async ({
  chat,
  page,
  provider,
}) => {
  const answer = chat.messages.nth(1);
  await chat.open();
  await chat.send("[scenario:held] Show me everything");
  for (const piece of RICH.match(/[\s\S]{1,60}/g) ?? []) provider.release(piece);
  const check = async () => {
    await expect(answer.getByRole("heading", { name: "A title", level: 1 })).toBeVisible();
    await expect(answer.locator("strong")).toHaveText("bold");
    await expect(answer.locator("em")).toHaveText("italic");
    await expect(answer.locator("p br").first()).toBeAttached();
    await expect(answer.locator("kbd")).toHaveText("K");
    await expect(answer.locator("sub")).toHaveText("2");
    await expect(answer).toContainText("code & an entity ©");
    await expect(answer.locator("ul > li > ol > li")).toHaveText("nested");
    await expect(answer.getByRole("cell")).toHaveText(["Ben", "1.8", "Ada", "1.6"]);
    await expect(answer.locator("blockquote")).toHaveText("A quote");
    await expect(answer.getByRole("checkbox", { name: "Done" })).toBeChecked();
    await expect(answer.getByRole("checkbox", { name: "To do" })).not.toBeChecked();
    await expect(answer.locator("figure")).toContainText("const answer: number = 42; // why");
    await expect(answer.locator("figure pre span span").filter({ hasText: "const" }).first()).toHaveCSS(
      "color",
      /^(?!rgb\(0, 0, 0\))/,
    );
    await expect(answer.locator(".katex")).toHaveCount(2);
    await expect(answer.locator("sup a")).toHaveText("1");
    await expect(answer.getByText("The note's own words.")).toBeVisible();
  };
  await check();
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await check();
  await expectAccessible(page);
  await page.reload();
  await check();
});

test("code is copied and wrapped by its own buttons", async ({ chat, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const code = `const line = "${"very ".repeat(60)}long";\n\nreturn line;`;
  await holdTimers(page, 2000);
  await chat.open(await chat.prepare("Code, please", `\`\`\`js\n${code}\n\`\`\``));
  const figure = chat.messages.last().locator("figure");
  await figure.getByRole("button", { name: "Copy code" }).click();
  await expect(figure.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  const isWide = () => figure.locator("pre").evaluate((pre) => pre.scrollWidth > pre.clientWidth);
  expect(await isWide()).toBe(true);
  await figure.getByRole("button", { name: "Wrap lines" }).click();
  await expect(figure.getByRole("button", { name: "Wrap lines" })).toHaveAttribute("aria-pressed", "true");
  expect(await isWide()).toBe(false);
});

test("a footnote's way there and back stays in the chat", async ({ chat, page }) => {
  await chat.open(await chat.prepare("A note", "Words[^n].\n\n[^n]: The note."));
  const address = page.url();
  await chat.messages.last().locator("sup a").click();
  await expect(chat.messages.last().getByText("The note.")).toBeInViewport();
  expect(page.url().startsWith(address)).toBe(true);
  await expect(chat.question("A note")).toBeVisible();
  await chat.messages.last().getByRole("link", { name: /back/i }).click();
  await expect(chat.question("A note")).toBeVisible();
});

test("the same reply's notes in two messages do not mix", async ({ chat }) => {
  const note = "Words[^1].\n\n[^1]: A note.";
  await chat.open(await chat.prepare("One", note, "Two", note));
  await expect(chat.messages.locator("sup a")).toHaveCount(2);
  const targets = await chat.messages.locator("sup a").evaluateAll((links) => links.map((a) => a.getAttribute("href")));
  expect(new Set(targets).size).toBe(2);
});

test("a reply with HTML is used as HTML, and tags in code alone leave Markdown @every-screen", async ({
  chat,
  page,
}) => {
  const html = "<h2>By HTML</h2><p>**not bold**</p><ul><li>one</li></ul><table><tr><td>cell</td></tr></table>";
  const fenced = `**bold** and \`<p>\`\n\n\`\`\`html\n${html}\n\`\`\``;
  await chat.open(await chat.prepare("HTML, please", html, "In code, please", fenced));
  const asHtml = chat.messages.nth(1);
  await expect(asHtml.getByRole("heading", { name: "By HTML", level: 2 })).toBeVisible();
  await expect(asHtml.locator("p").filter({ hasText: "**not bold**" })).toBeVisible();
  await expect(asHtml.getByRole("cell")).toHaveText("cell");
  const asMarkdown = chat.messages.nth(3);
  await expect(asMarkdown.locator("strong")).toHaveText("bold");
  await expect(asMarkdown.locator("figure")).toContainText("<h2>By HTML</h2>");
  await expect(asMarkdown.getByRole("heading")).toHaveCount(0);
  await expectAccessible(page);
});

test("a reply becomes HTML in its midst, from its first such tag on and to its end", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open();
  await chat.send("[scenario:held] Change your mind");
  provider.release("**Bold** words");
  await expect(chat.messages.last().locator("strong")).toHaveText("Bold");
  provider.release("\n<p>now <em>HTML</em></p>");
  await expect(chat.messages.last().locator("em")).toHaveText("HTML");
  await expect(chat.messages.last().locator("strong")).toHaveCount(0);
  await expect(chat.messages.last()).toContainText("**Bold** words");
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await page.reload();
  await expect(chat.messages.last().locator("em")).toHaveText("HTML");
});

test("replies that are written to be costly leave the page and the others as they are @every-screen", async ({
  chat,
  page,
}) => {
  const costly = [">".repeat(5000), "<div>".repeat(5000), "a**b ".repeat(20_000), "[a](".repeat(20_000)];
  const id = await chat.prepare(...costly.flatMap((reply) => ["Costly", reply]), "Harmless", "**Bold**");
  await chat.open(id);
  await expect(chat.messages.last().locator("strong")).toHaveText("Bold");
  await expect(chat.messages).toHaveCount(10);
  await expect(chat.messages.nth(1)).toContainText(">>>>>");
  await expect(chat.messages.nth(3)).toContainText("<div><div>");
  await page.reload();
  await expect(chat.messages.last().locator("strong")).toHaveText("Bold");
});

test("a text that stays plain goes on without gaps, however long it is", async ({ chat }) => {
  await chat.open(await chat.prepare("Costly", `A long one: ${"x+".repeat(4000)}`));
  const pieces = chat.messages.last().locator(".reply-piece");
  await expect(pieces).toHaveCount(3);
  const gaps = await pieces.evaluateAll((all) =>
    all.slice(1).map((piece, at) => piece.getBoundingClientRect().top - (all[at]?.getBoundingClientRect().bottom ?? 0)),
  );
  expect(gaps.map(Math.round)).toEqual([0, 0]);
});

test("what a person writes is shown as written", async ({ chat }) => {
  const words = "**not bold** <b>x</b>\n  indented `code` &amp; <p>tag</p>";
  await chat.open();
  await chat.ask(words);
  await expect(chat.messages.first()).toContainText(words, { useInnerText: true });
});

test("links open in a new tab without an opener, pictures from elsewhere are links", async ({ chat, context }) => {
  const reply = "[Words](https://example.com/a) https://example.com/b ![A cat](https://example.com/cat.png)";
  await context.route(/^https:\/\/example\.com/, (route) => route.fulfill({ contentType: "text/html", body: "there" }));
  await chat.open(await chat.prepare("Links", reply, "HTML", `<p><a href="https://example.com/c">HTML link</a></p>`));
  const links = chat.messages.getByRole("link");
  await expect(links).toHaveCount(4);
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute("target", "_blank");
    await expect(link).toHaveAttribute("rel", /\bnoopener\b/);
  }
  await expect(links.nth(2)).toHaveText("Image: A cat (https://example.com/cat.png)");
  await expect(chat.messages.locator("img")).toHaveCount(0);
  const opened = context.waitForEvent("page");
  await links.first().click();
  const other = await opened;
  await other.waitForLoadState();
  expect(await other.evaluate(() => [window.opener, document.referrer])).toEqual([null, ""]);
});

test.describe("scrolling", () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, line) => `Paragraph ${from + line}.\n\n`).join("");

  test("follows the words at the end, leaves a reader further up alone, and comes back @every-screen", async ({
    chat,
    page,
    provider,
  }) => {
    const jump = page.getByRole("button", { name: "Jump to newest" });
    const view = page.getByRole("region", { name: "Conversation" });
    await chat.open();
    await chat.send("[scenario:held] At length");
    provider.release(lines(1, 60));
    await expect(page.getByText("Paragraph 60.")).toBeInViewport();
    provider.release(lines(61, 70));
    await expect(page.getByText("Paragraph 70.")).toBeInViewport();
    await expect(jump).toBeHidden();

    await view.evaluate((box) => box.scrollTo({ top: 300 }));
    await expect(jump).toBeVisible();
    const before = await view.evaluate((box) => box.scrollTop);
    provider.release(lines(71, 90));
    await expect(page.getByText("Paragraph 90.")).toBeAttached();
    expect(await view.evaluate((box) => box.scrollTop)).toBe(before);
    await expectAccessible(page);

    await jump.click();
    await expect(page.getByText("Paragraph 90.")).toBeInViewport();
    await expect(jump).toBeHidden();
    provider.release(lines(91, 99));
    await expect(page.getByText("Paragraph 99.")).toBeInViewport();
    provider.finish();
    await expect(chat.sendButton).toBeVisible();
    await expect(page.getByText("Paragraph 99.")).toBeInViewport();
    await expect(jump).toBeHidden();
  });

  test("a long chat opens at its end, and its beginning can be reached @every-screen", async ({ chat, page }) => {
    const texts = Array.from({ length: 200 }, (_, place) => `Message number ${place + 1}.`);
    const long = await chat.prepare("Many words", ...texts.slice(1));
    await chat.open(long);
    await expect(page.getByText("Message number 200.")).toBeInViewport();
    await expect(page.getByRole("button", { name: "Jump to newest" })).toBeHidden();
    await expect(page.getByText("Message number 2.", { exact: true })).toHaveCount(0);
    const earlier = page.getByRole("button", { name: "Show earlier messages" });
    for (const first of [101, 51, 2]) {
      await earlier.scrollIntoViewIfNeeded();
      const seen = page.getByText(`Message number ${first === 2 ? 51 : first + 50}.`, { exact: true });
      await expect(seen).toBeInViewport();
      await earlier.click();
      await expect(page.getByText(`Message number ${first}.`, { exact: true })).toBeAttached();
      await expect(seen).toBeInViewport();
    }
    await expect(earlier).toBeHidden();
    await page.getByText("Message number 2.", { exact: true }).scrollIntoViewIfNeeded();
    await expect(page.getByText("Message number 2.", { exact: true })).toBeInViewport();
    await page.getByRole("button", { name: "Jump to newest" }).click();
    await expect(page.getByText("Message number 200.")).toBeInViewport();
    await expectAccessible(page);
  });

  test("who sends from further up sees the question", async ({ chat, page }) => {
    const long = await chat.prepare(...Array.from({ length: 30 }, (_, place) => `Message number ${place + 1}.`));
    await chat.open(long);
    await expect(page.getByText("Message number 30.")).toBeInViewport();
    await page.getByRole("region", { name: "Conversation" }).evaluate((box) => box.scrollTo({ top: 0 }));
    await expect(page.getByText("Message number 30.")).not.toBeInViewport();
    await chat.send("A question from above");
    await expect(chat.question("A question from above")).toBeInViewport();
    await expect(chat.answer("This is a scripted reply")).toBeInViewport();
  });
});
