import type { Locator, Page } from "@playwright/test";
import type { Chat } from "#contract/conversation/conversation.ts";
import { attach, attachedFilesSettled } from "./attached-files.ts";
import { expect, test } from "./chat-screen.ts";

const nothing = (place: number) => `Message ${place} of a long talk`;

test("the search finds a word while it is typed, in messages and titles of all chats", {
  tag: "@every-screen",
}, async ({ chat, page }) => {
  await chat.prepare("How do lighthouses work?", "By a <b>Fresnel</b> lens that bends the light.");
  await chat.prepare("A recipe with cream", "Use *light* cream.");
  await chat.open();
  const opener = (await chat.sidebar()).getByRole("button", { name: "Search your chats" });
  await opener.click();
  const dialog = page.getByRole("dialog", { name: "Search your chats" });
  const field = dialog.getByRole("combobox", { name: "Search" });
  await expect(field).toBeFocused();
  await field.pressSequentially("ligh");
  const hits = dialog
    .getByRole("listbox")
    .getByRole("option")
    .filter({ hasNotText: /^Theme/ });
  await expect(hits).toHaveCount(4);
  await expect(hits.first().locator("mark")).toHaveText("ligh");
  await expect(hits.filter({ hasText: "By a Fresnel lens" })).toBeVisible();
  await field.pressSequentially("t cream");
  await expect(hits).toHaveText([/Use light cream/]);
  await field.fill("nothing like it");
  await expect(dialog.getByText("Nothing was found for “nothing like it”.").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

test("the search opens a message far up by keyboard alone, shows it and removes it from the URL", async ({
  chat,
  page,
}) => {
  const words = Array.from({ length: 90 }, (_, place) => (place === 8 ? "Where do petrels breed?" : nothing(place)));
  const long = await chat.prepare(...words);
  await chat.prepare("Another chat", "An answer");
  await chat.open();
  await expect(chat.welcome).toBeVisible();
  await page.getByRole("heading", { name: /What would you like/ }).click();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search" })).toBeFocused();
  await page.keyboard.type("petrels");
  const list = page.getByRole("listbox", { name: "Results" });
  await expect(list.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  const message = chat.question("petrels");
  await expect(message).toBeInViewport();
  await expect(message).toBeFocused();
  await expect(page).toHaveURL(`/chat?c=${long}`);
  await expect(message).toBeInViewport();
  await expect(chat.question(nothing(88))).not.toBeInViewport();
});

/** Returns the texts that are marked as matches, and whether the first one is in view. */
const marks = (page: Page) =>
  page.evaluate(() => {
    const ranges = [...(CSS.highlights.get("search") ?? [])].map(
      ({ startContainer, startOffset, endContainer, endOffset }) => {
        const range = document.createRange();
        range.setStart(startContainer, startOffset);
        range.setEnd(endContainer, endOffset);
        return range;
      },
    );
    const view = document.querySelector("main section")?.getBoundingClientRect();
    const first = ranges[0]?.getBoundingClientRect();
    const isSeen =
      view &&
      first &&
      first.height > 0 &&
      first.top >= view.top &&
      first.bottom <= view.bottom &&
      first.right <= view.right;
    return { texts: ranges.map(String), isSeen };
  });

test("a hit opens at its first match, with all matches marked until the next key @every-screen", async ({
  chat,
  page,
}) => {
  const filler = "Gulls *call* over the [harbour](https://x.y/z).\n\n".repeat(40);
  const code = `\`\`\`ts\nconst ${"longName".repeat(30)} = "petrel";\n\`\`\`\n\n`;
  const table = "| Bird | Nest |\n| --- | --- |\n| Storm **pet**rel | Burrow |\n\n";
  const question = `Which birds?\n${"Gulls\n".repeat(60)}An albatross, \`albatross()\``;
  await chat.prepare(
    ...[question, `${filler}${code}${table}${filler}Petrels again.`],
    ...Array.from({ length: 40 }, (_, place) => nothing(place)),
  );
  await chat.open();
  const search = async (word: string, message: Locator, texts: string[]) => {
    await (await chat.sidebar()).getByRole("button", { name: "Search your chats" }).click();
    await page.getByRole("combobox", { name: "Search" }).fill(word);
    await page.getByRole("listbox").getByRole("option").last().click();
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(message).toBeFocused();
    await expect.poll(() => marks(page)).toEqual({ texts, isSeen: true });
  };
  const answer = chat.answer("Petrels again");
  await search("petrel", answer, ["petrel", "petrel", "Petrel"]);
  await page.keyboard.press("Shift");
  expect((await marks(page)).texts).toHaveLength(3);
  await page.keyboard.press("Escape");
  expect((await marks(page)).texts).toEqual([]);
  // Unfolds a long question.
  await search("albatross", chat.question("Which birds?"), ["albatross", "albatross"]);
  await search("petrel", answer, ["petrel", "petrel", "Petrel"]);
  await (await chat.sidebar()).getByRole("button", { name: "New chat" }).click();
  await expect(chat.welcome).toBeVisible();
  expect((await marks(page)).texts).toEqual([]);
});

test("a hit is shown at its match, however late its marks are loaded", async ({ chat, page }) => {
  await chat.prepare(
    "Which birds?",
    `${"Gulls call over the harbour.\n\n".repeat(80)}A petrel.`,
    ...Array.from({ length: 40 }, (_, place) => nothing(place)),
  );
  await chat.open();
  const isReleased = Promise.withResolvers<void>();
  await page.route("**/match-marks-*.js", async (route) => {
    await isReleased.promise;
    await route.continue();
  });
  await (await chat.sidebar()).getByRole("button", { name: "Search your chats" }).click();
  await page.getByRole("combobox", { name: "Search" }).fill("petrel");
  await page.getByRole("listbox").getByRole("option").last().click();
  await expect(chat.answer("A petrel")).toBeFocused();
  // Longer than a message is held that nothing moves.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 4000)));
  isReleased.resolve();
  await expect.poll(() => marks(page)).toEqual({ texts: ["petrel"], isSeen: true });
});

test("the search finds an attached file by its name and its text, and opens its message @every-screen @proof", async ({
  chat,
  page,
}) => {
  await chat.open();
  const bytes = `${"Gulls. ".repeat(200)}Fjords end in a moraine of the old glacier.`;
  await attach(page, { name: "long-inlets.txt", type: "text/plain", bytes });
  await attachedFilesSettled(page);
  await chat.ask("What is this?");
  const id = new URL(page.url()).searchParams.get("c") ?? "";
  for (let n = 0; n < 12; n++) await chat.call("POST", `/chat/${id}/message`, { role: "user", content: nothing(n) });
  await page.reload();
  await expect(chat.question(nothing(11))).toBeInViewport();
  const dialog = page.getByRole("dialog", { name: "Search your chats" });
  const field = dialog.getByRole("combobox", { name: "Search" });
  await (await chat.sidebar()).getByRole("button", { name: "Search your chats" }).click();
  await field.fill("inlets");
  const hit = dialog.getByRole("listbox").getByRole("option", { name: "File: long-inlets.txt" });
  await expect(hit.locator("mark")).toHaveText("inlets");
  await field.fill("moraine");
  await expect(hit).toContainText("Fjords end in a moraine");
  await expect(hit.locator("mark")).toHaveText("moraine");
  await field.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(chat.question("What is this?")).toBeFocused();
  await expect(chat.question("What is this?")).toBeInViewport();
  await expect(page).toHaveURL(`/chat?c=${id}`);
});

test("the search opens a message on another branch, and selects that branch @proof", async ({
  chat,
  page,
  provider,
}) => {
  provider.reply = () => "Guillemots lay pointed eggs.";
  await chat.open();
  await chat.ask("What are eggs of seabirds like?");
  const id = new URL(page.url()).searchParams.get("c") ?? "";
  provider.reply = () => "Terns lay spotted eggs.";
  await chat.call<Chat>("POST", `/chat/${id}/reply`, { mode: "regenerate" }).catch(() => undefined);
  await expect.poll(async () => (await chat.read(id)).messages.at(-1)?.content).toBe("Terns lay spotted eggs.");
  await page.reload();
  await expect(chat.answer("Terns")).toBeVisible();
  await (await chat.sidebar()).getByRole("button", { name: "Search your chats" }).click();
  await page.getByRole("combobox", { name: "Search" }).fill("guillemots");
  await page.getByRole("listbox").getByRole("option").click();
  await expect(chat.answer("Guillemots")).toBeFocused();
  await expect(chat.answer("Terns")).toBeHidden();
  await expect(page).toHaveURL(`/chat?c=${id}`);
});

test("the search opens one found chat after another @proof", async ({ chat, page }) => {
  const one = await chat.prepare("Kittiwakes on a ledge", "They build with mud.");
  const other = await chat.prepare("Fulmars on a ledge", "They do not build.");
  await chat.open();
  const jump = async (words: string) => {
    await (await chat.sidebar()).getByRole("button", { name: "Search your chats" }).click();
    await page.getByRole("combobox", { name: "Search" }).fill(words);
    await page.getByRole("listbox").getByRole("option").last().click();
    await expect(page.getByRole("dialog")).toBeHidden();
  };
  await jump("kittiwakes");
  await expect(chat.question("Kittiwakes")).toBeFocused();
  await expect(page).toHaveURL(`/chat?c=${one}`);
  await jump("fulmars");
  await expect(chat.question("Fulmars")).toBeFocused();
  await expect(page).toHaveURL(`/chat?c=${other}`);
  await jump("kittiwakes");
  await expect(chat.question("Kittiwakes")).toBeFocused();
  await expect(page).toHaveURL(`/chat?c=${one}`);
  await expect(page.getByRole("alert")).toBeHidden();
});

test("the search filters by author, folder and date, and marks an archived chat @proof", async ({ chat, page }) => {
  const one = await chat.prepare("Puffins on the cliff", "Puffins nest in burrows.");
  await chat.prepare("Puffins elsewhere", "No.");
  const folder = await chat.call<{ id: string }>("POST", "/folders", { name: "Birds" });
  await chat.call("PATCH", `/chat/${one}`, { folderId: folder.id, isArchived: true });
  await chat.open();
  await (await chat.sidebar()).getByRole("button", { name: "Search your chats" }).click();
  const dialog = page.getByRole("dialog", { name: "Search your chats" });
  await dialog.getByRole("combobox", { name: "Search" }).fill("puffins");
  const hits = dialog.getByRole("listbox").getByRole("option");
  await expect(hits).toHaveCount(5);
  await expect(dialog.getByText("Archived")).toBeVisible();
  await dialog.getByRole("button", { name: "Filters" }).click();
  await dialog.getByLabel("Folder").selectOption("Birds");
  await expect(hits).toHaveCount(3);
  await dialog.getByLabel("By").selectOption("Server");
  await expect(hits).toHaveText([/nest in burrows/]);
  await dialog.getByLabel("To").fill("2001-01-01");
  await expect(dialog.getByText("with these filters")).toBeVisible();
  await dialog.getByRole("button", { name: "Clear filters" }).click();
  await expect(hits).toHaveCount(5);
});

test("the search fills the screen of a phone, and closes the drawer together with itself", async ({ chat, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const id = await chat.prepare("Shearwaters at night", "They call.");
  await chat.open();
  await (await chat.sidebar()).getByRole("button", { name: "Search your chats" }).click();
  const dialog = page.getByRole("dialog", { name: "Search your chats" });
  expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  await dialog.getByRole("combobox", { name: "Search" }).fill("shear");
  await dialog.getByRole("listbox").getByRole("option").last().click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page).toHaveURL(`/chat?c=${id}`);
  await expect(chat.question("Shearwaters")).toBeFocused();
});
