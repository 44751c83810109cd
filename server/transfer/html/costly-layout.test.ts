import { expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { documentOf, exported, message } from "../../../testing/chats/exported-chats.ts";
import { costlyMarkup } from "../../../testing/rendering/costly-markup.ts";
import { plainHtml } from "./html-renderer.ts";
import { renderMarkdown, renderSections } from "./render-markdown.ts";

/** The texts of the plain pieces, as a parser of HTML reads them. */
const piecesIn = (html: string) =>
  [...html.matchAll(/<pre class="plain">\n?([\s\S]*?)<\/pre>/g)].map(([, text = ""]) => text);

it.each([
  ["Markdown", "aא".repeat(10_000)],
  ["a list", `- ${"ภาษาไทย".repeat(3000)}`],
  ["HTML", `<p>${"ภาษาไทย".repeat(3000)}</p>`],
])("I9 very many letters without a space are plain text in pieces in %s of the HTML export", (_name, text) => {
  const pieces = piecesIn(renderMarkdown(text));
  expect(pieces.length).toBeGreaterThanOrEqual(text.length / 4000);
  expect(pieces.join("").replaceAll("&#x3C;", "<")).toBe(text);
});

it("I9 blocks beside a costly one are rendered as Markdown in the HTML export, and cuts keep their positions", () => {
  const costly = "a א ".repeat(300).trim();
  const text = `**before**\n\n${costly}\n\n*after*`;
  const [above = "", below = ""] = renderSections(text, { cuts: [text.indexOf("*after*")] });
  expect(above).toContain("<strong>before</strong>");
  expect(piecesIn(above)).toEqual([costly]);
  expect(below.trim()).toBe('<p dir="ltr"><em>after</em></p>');
});

it("usual words of two directions and long code stay as they are in the HTML export", () => {
  expect(renderMarkdown("המילה React היא שם, و API أيضا. ".repeat(100))).not.toContain("plain");
  expect(renderMarkdown(`\`\`\`js\n${"f(a);\n".repeat(5000)}\`\`\``)).not.toContain("plain");
});

it("I9 a plain text is exported in pieces that are together the text, line breaks included", async () => {
  for (const text of ["\n".repeat(9000), `${"word ".repeat(700)}\n${"👩".repeat(9000)}`, costlyMarkup.brackets ?? ""]) {
    expect(piecesIn(await plainHtml(text)).join("")).toBe(text);
  }
});

it("I9 only a message with a costly run is set without kerning and marks in the HTML export", async () => {
  await using app = await startTestApp();
  const { token } = await signUp(app);
  const messages = [message({ content: "Usual words" })];
  for (const content of [`a${"\u0301".repeat(100)}`, "AV".repeat(600)]) {
    messages.push(message({ content, parent: messages.at(-1)?.id ?? null }));
  }
  const chat = exported({ messages, leaf: messages.at(-1)?.id ?? null });
  await app.call("POST", transferPaths.import, { token, body: documentOf({ chats: [chat] }) });
  const chats = (await (await app.call("GET", conversationPaths.chatHistory, { token })).json()) as { id: string }[];
  const path = `${transferPaths.chatExport(chats[0]?.id ?? "")}?format=html`;
  const html = await (await app.call("GET", path, { token })).text();
  const classes = [...html.matchAll(/<div class="(words[^"]*)"/g)].map(([, name]) => name);
  expect(classes).toEqual(["words", "words simple-shaping", "words simple-shaping"]);
});
