import { expect, expectMainUnscrollable, test } from "./chat-screen.ts";
import { clipboardText } from "./clipboard.ts";
import { holdTimers } from "./held-timers.ts";

test.afterEach(({ page }) => expectMainUnscrollable(page));

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

test("Markdown renders while it is streamed, when complete and after a reload, without a policy violation @every-screen", async ({
  chat,
  page,
  provider,
}) => {
  const answer = chat.messages.nth(1);
  await chat.open();
  await chat.send("[scenario:held] Show me everything");
  for (const piece of RICH.match(/[\s\S]{1,60}/g) ?? []) provider.release(piece);
  const check = async () => {
    await expect(answer.getByRole("heading", { name: "A title" })).toHaveAttribute("aria-level", "3");
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
  await page.reload();
  await check();
});

/** Each piece ends within a mark, so that an incomplete mark could be visible. */
const PIECES = [
  "## A *ti",
  "tle*\n\nSome **bo",
  "ld** words, a [li",
  "nk](https://exam",
  "ple.com/a_b) and `co",
  "de`.\n\n| Na",
  "me | Height |\n| --",
  "- | ---: |\n| **B",
  "en** | 1.8 |\n\n``",
  "`ts\nconst plain = 1;\n``",
  "`\n\nInline \\(x^",
  "2\\), $y_",
  "1$ and a block:\n\n$",
  "$\n\\frac{a}{",
  "b}\n$$\n\n- [",
  "x] done\n- **o",
  "pen**\n\nThe e",
  "nd.\n",
];
const RAW_MARKS = /\*|`|\||\[|\]\(|\$|\\|#|\^|-{2}/;

test("no raw mark is visible however a stream is split, and a reload shows the same @every-screen @proof", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open();
  await chat.send("[scenario:held] In pieces");
  const answer = chat.messages.nth(1).locator("[data-words]");
  provider.release("First words.\n\n");
  await expect(answer).toHaveText("First words.");
  await answer.evaluate((words, marks) => {
    const isRaw = new RegExp(marks);
    const seen: string[] = [];
    const look = () => {
      const copy = words.cloneNode(true);
      if (!(copy instanceof HTMLElement)) return;
      // KaTeX adds the source for copying; a formula that is not rendered yet is invisible.
      for (const source of copy.querySelectorAll("annotation, .reply-held")) source.remove();
      const text = copy.textContent ?? "";
      if (isRaw.test(text)) seen.push(text);
    };
    new MutationObserver(look).observe(words, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { rawMarksSeen: seen });
  }, RAW_MARKS.source);
  const seenOf = [/^First words\.A ti/, /Some bo/, /a li/, /link/, /and co/, /code\./, /code\./, /NameHeight/, /Ben/];
  for (const [place, piece] of PIECES.entries()) {
    provider.release(piece);
    const seen = seenOf[place];
    if (seen) await expect(answer).toHaveText(seen);
  }
  await expect(answer.getByRole("checkbox")).toBeVisible();
  await expect(answer.locator(".katex")).toHaveCount(3);
  expect(await page.evaluate(() => Reflect.get(window, "rawMarksSeen"))).toEqual([]);
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await expect(answer.getByText("The end.")).toBeVisible();
  const form = () =>
    answer.evaluate((words) => [...words.querySelectorAll("*")].map((part) => `${part.localName} ${part.textContent}`));
  // The last word of the code has its colour: a growing block is coloured up to its last whole line.
  const lastWord = answer.locator("pre span[style]").filter({ hasText: /^1$/ });
  await expect(lastWord).toBeAttached();
  const grown = await form();
  await page.reload();
  await expect(answer.locator(".katex")).toHaveCount(3);
  await expect(lastWord).toBeAttached();
  expect(await form()).toEqual(grown);
});

test("code is copied, wrapped and numbered by its own buttons, and this browser stores the setting of numbers", async ({
  chat,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-write"]);
  const code = `const line = "${"very ".repeat(60)}long";\n\nreturn line;`;
  await holdTimers(page, 2000);
  await chat.open(await chat.prepare("Code, please", `\`\`\`js\n${code}\n\`\`\`\n\n\`\`\`\nx\n\`\`\``));
  const figure = chat.messages.last().locator("figure").first();
  await expect(figure.locator("figcaption")).toHaveText("JavaScript");
  await expect(figure.locator("pre")).toHaveAttribute("tabindex", "0");
  await expect(chat.messages.last().locator("figure").last().locator("pre")).not.toHaveAttribute("tabindex");
  await figure.getByRole("button", { name: "Copy code" }).click();
  await expect(figure.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await clipboardText(page)).toBe(code);
  const isWide = () => figure.locator("pre").evaluate((pre) => pre.scrollWidth > pre.clientWidth);
  expect(await isWide()).toBe(true);
  await figure.getByRole("button", { name: "Wrap lines" }).click();
  await expect(figure.getByRole("button", { name: "Wrap lines" })).toHaveAttribute("aria-pressed", "true");
  expect(await isWide()).toBe(false);
  await expect(figure.locator("pre")).not.toHaveAttribute("tabindex");
  await figure.getByRole("button", { name: "Line numbers" }).click();
  const number = () =>
    figure
      .locator(".reply-line")
      .nth(2)
      .evaluate((line) => getComputedStyle(line, "::before").content);
  await expect.poll(number).toMatch(/^counter/);
  const selected = await figure.locator("pre").evaluate((pre) => {
    getSelection()?.selectAllChildren(pre);
    return String(getSelection());
  });
  expect(selected.trimEnd()).toBe(code);
  await page.reload();
  await expect(figure.getByRole("button", { name: "Line numbers" })).toHaveAttribute("aria-pressed", "true");
  await expect.poll(number).toMatch(/^counter/);
});

test("a footnote and its back link stay in the chat @proof", async ({ chat, page }) => {
  await chat.open(await chat.prepare("A note", "Words[^n].\n\n[^n]: The note."));
  const address = page.url();
  await chat.messages.last().locator("sup a").click();
  await expect(chat.messages.last().getByText("The note.")).toBeInViewport();
  expect(page.url().startsWith(address)).toBe(true);
  await expect(chat.question("A note")).toBeVisible();
  await chat.messages.last().getByRole("link", { name: /back/i }).click();
  await expect(chat.question("A note")).toBeVisible();
});

test("equal footnotes of two messages have different targets", async ({ chat }) => {
  const note = "Words[^1].\n\n[^1]: A note.";
  await chat.open(await chat.prepare("One", note, "Two", note));
  await expect(chat.messages.locator("sup a")).toHaveCount(2);
  const targets = await chat.messages.locator("sup a").evaluateAll((links) => links.map((a) => a.getAttribute("href")));
  expect(new Set(targets).size).toBe(2);
  await chat.messages.last().locator("sup a").click();
  await expect(chat.messages.last().locator("li:target")).toHaveText(/A note/);
});

test("a reply with HTML renders as HTML, and one with tags in code only as Markdown @every-screen @proof", async ({
  chat,
}) => {
  const html = "<h2>By HTML</h2><p>**not bold**</p><ul><li>one</li></ul><table><tr><td>cell</td></tr></table>";
  const fenced = `**bold** and \`<p>\`\n\n\`\`\`html\n${html}\n\`\`\``;
  await chat.open(await chat.prepare("HTML, please", html, "In code, please", fenced));
  const asHtml = chat.messages.nth(1);
  await expect(asHtml.getByRole("heading", { name: "By HTML" })).toHaveAttribute("aria-level", "3");
  await expect(asHtml.locator("p").filter({ hasText: "**not bold**" })).toBeVisible();
  await expect(asHtml.getByRole("cell")).toHaveText("cell");
  const asMarkdown = chat.messages.nth(3);
  await expect(asMarkdown.locator("strong")).toHaveText("bold");
  await expect(asMarkdown.locator("figure")).toContainText("<h2>By HTML</h2>");
  await expect(asMarkdown.locator("[data-words]").getByRole("heading")).toHaveCount(0);
});

test("a growing reply that begins as Markdown stays so around an element of HTML @proof", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open();
  await chat.send("[scenario:held] Change your mind");
  const answer = chat.messages.last();
  provider.release("**Bold** words");
  await expect(answer.locator("strong")).toHaveText("Bold");
  provider.release("\n<p>now <em>HTML</em></p>");
  await expect(answer.locator("em")).toHaveText("HTML");
  await expect(answer.locator("strong")).toHaveText("Bold");
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await page.reload();
  await expect(answer.locator("em")).toHaveText("HTML");
  await expect(answer.locator("strong")).toHaveText("Bold");
});

test("replies that are costly to render leave the page and the other messages working @every-screen", async ({
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

test("a long reply that stays plain text has no gaps between its pieces", async ({ chat }) => {
  await chat.open(await chat.prepare("Costly", `A long one: ${"x+".repeat(4000)}`));
  const pieces = chat.messages.last().locator(".reply-piece");
  await expect(pieces).toHaveCount(3);
  const gaps = await pieces.evaluateAll((all) =>
    all.slice(1).map((piece, at) => piece.getBoundingClientRect().top - (all[at]?.getBoundingClientRect().bottom ?? 0)),
  );
  expect(gaps.map(Math.round)).toEqual([0, 0]);
});

test("a person's message is shown as written @proof", async ({ chat }) => {
  const words = "**not bold** <b>x</b>\n  indented &amp; <p>tag</p>";
  await chat.open();
  await chat.ask(words);
  await expect(chat.messages.first()).toContainText(words, { useInnerText: true });
});

test("links open in a new tab without an opener, external pictures become links", async ({ chat, context }) => {
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

test.describe("scrolling during an answer", () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, line) => `Paragraph ${from + line}.\n\n`).join("");

  test("the view follows text at the end, does not move for a reader further up, and jumps back @every-screen @proof", async ({
    chat,
    page,
    provider,
  }) => {
    const jump = page.getByRole("button", { name: "Jump to newest" });
    const view = page.getByRole("region", { name: "Conversation" });
    await chat.open();
    await chat.send("[scenario:held] At length");
    provider.release(lines(1, 60));
    await jump.click();
    await expect(view.getByText("Paragraph 60.")).toBeInViewport();
    provider.release(lines(61, 70));
    await expect(view.getByText("Paragraph 70.")).toBeInViewport();
    await expect(jump).toBeHidden();

    await view.evaluate((box) => box.scrollTo({ top: 300 }));
    await expect(jump).toBeVisible();
    const before = await view.evaluate((box) => box.scrollTop);
    provider.release(lines(71, 90));
    await expect(view.getByText("Paragraph 90.")).toBeAttached();
    expect(await view.evaluate((box) => box.scrollTop)).toBe(before);

    await jump.click();
    await expect(view.getByText("Paragraph 90.")).toBeInViewport();
    await expect(jump).toBeHidden();
    provider.release(lines(91, 99));
    await expect(view.getByText("Paragraph 99.")).toBeInViewport();
    provider.finish();
    await expect(chat.sendButton).toBeVisible();
    await expect(view.getByText("Paragraph 99.")).toBeInViewport();
    await expect(jump).toBeHidden();
  });

  test("a message sent from further up scrolls to the question @proof", async ({ chat, page }) => {
    const long = await chat.prepare(...Array.from({ length: 30 }, (_, place) => `Message number ${place + 1}.`));
    await chat.open(long);
    await expect(page.getByText("Message number 30.")).toBeInViewport();
    // Earlier messages are added when the page is idle, and keep the view where it is.
    const view = page.getByRole("region", { name: "Conversation" });
    await expect(view.getByText("Message number 1.", { exact: true })).toBeAttached();
    await view.evaluate((box) => box.scrollTo({ top: 0 }));
    await expect(page.getByText("Message number 30.")).not.toBeInViewport();
    await chat.send("A question from above");
    await expect(chat.question("A question from above")).toBeInViewport();
    await expect(chat.answer("This is a scripted reply")).toBeInViewport();
  });
});
