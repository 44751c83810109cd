import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { documentOf, exported, message } from "../../../testing/chats/exported-chats.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { canvasPng } from "../../../testing/files/canvas-pictures.ts";
import { paragraphsWith, readDocx } from "../../../testing/files/read-docx.ts";
import { uploadFile } from "../../../testing/files/upload.ts";
import { costlyMarkup } from "../../../testing/rendering/costly-markup.ts";
import { extractText } from "../../files/documents/extract-text.ts";

const TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const MODEL = "GPT:gpt-5-mini";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => chat.renew());

const exportDocx = (more = "") =>
  chat.app.call("GET", `${transferPaths.chatExport(chat.chatId)}?format=docx${more}`, { token: chat.ada.token });

async function bytesOf(response: Response): Promise<Uint8Array> {
  expect([response.status, response.headers.get("content-type")]).toEqual([200, TYPE]);
  return new Uint8Array(await response.arrayBuffer());
}

async function ask(question: string, reply: string, files: string[] = []): Promise<void> {
  chat.provider.reply = reply;
  await chat.send({ message: question, model: MODEL, files });
}

const ANSWER = `# Fjords & <inlets> </w:t>

A **bold**, *slanted*, ~~old~~ \`word <x>\` and [a link](https://example.com/a?b=1&c=2).\u0001\u000b\ufffe

1. one
   - inner
2. two

- [x] done

| River | Length |
|-------|-------:|
| Nile  | 6650   |

\`\`\`ts
const a = 1 < 2;
\`\`\`

> [!WARNING]
> Deep water

$$
\\frac{a}{\\sqrt{b}}
$$

مرحبا بالعالم

\`\`\`mermaid
graph TD
\`\`\`

<details><summary>More</summary>Hidden words</details>`;

it("an answer becomes a Word document with headings, lists, tables, code, links, formulas, pictures and directions", async () => {
  const { id } = await uploadFile(chat.app, { token: chat.ada.token, name: "v&ew.png", bytes: canvasPng });
  await ask("Where is <it>?", ANSWER, [id]);
  const response = await exportDocx();
  expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename=".+\.docx"/);
  const bytes = await bytesOf(response);
  const docx = readDocx(bytes);
  const onlyWith = (words: string) => {
    const found = paragraphsWith(docx, words);
    expect(found, words).toHaveLength(1);
    return found[0] ?? "";
  };
  expect(onlyWith("Fjords &amp; &lt;inlets&gt; &lt;/w:t&gt;")).toContain('<w:pStyle w:val="Heading1"/>');
  expect(onlyWith("bold")).toMatch(
    /<w:b\/>.*>bold<.*<w:i\/>.*>slanted<.*<w:strike\/>.*>old<.*CodeWords.*word &lt;x&gt;</s,
  );
  const link = /r:id="([^"]+)"/.exec(onlyWith("a link"))?.[1] ?? "";
  expect(docx.relations.get(link)).toEqual({
    type: "hyperlink",
    target: "https://example.com/a?b=1&c=2",
    isExternal: true,
  });
  const numbered = /<w:ilvl w:val="0"\/><w:numId w:val="(\d+)"\/>/.exec(onlyWith(">one<"))?.[1];
  expect(onlyWith(">inner<")).toContain(`<w:ilvl w:val="1"/><w:numId w:val="${numbered}"/>`);
  expect(onlyWith(">two<")).toContain(`<w:ilvl w:val="0"/><w:numId w:val="${numbered}"/>`);
  expect(docx.numbering).toContain('<w:numFmt w:val="decimal"/>');
  expect(onlyWith("done")).toContain('<w14:checked w14:val="1"/>');
  expect(docx.text).toMatch(/<w:tbl>.*<w:tblHeader\/>.*River.*Length.*Nile.*6650.*<\/w:tbl>/s);
  expect(onlyWith("6650")).toContain('<w:jc w:val="right"/>');
  expect(onlyWith("const a = 1 &lt; 2;")).toMatch(/<w:pStyle w:val="Code"\/>.*Courier New/s);
  expect(onlyWith("Deep water")).toContain('<w:pStyle w:val="Alert"/>');
  expect(onlyWith("Warning")).toContain("<w:b/>");
  expect(onlyWith("m:oMath")).toMatch(/<m:oMath><m:f>.*<m:t>a<.*<m:den>.*<m:rad>.*<m:t>b</s);
  expect(onlyWith("مرحبا")).toMatch(/<w:bidi\/>.*<w:rtl\/>/s);
  expect(onlyWith("graph TD")).toContain('<w:pStyle w:val="Code"/>');
  expect(onlyWith("Hidden words")).not.toContain("More");
  expect(docx.core).toContain("<dc:title>Where is &lt;it&gt;?</dc:title>");
  expect(paragraphsWith(docx, "Where is &lt;it&gt;?").map((xml) => xml.includes('<w:pStyle w:val="Title"/>'))).toEqual([
    true,
    false,
  ]);
  expect(paragraphsWith(docx, '<w:pStyle w:val="Author"/>').map((xml) => xml.replaceAll(/<[^>]+>/g, ""))).toEqual([
    expect.stringMatching(/^You \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
    expect.stringMatching(/^Assistant gpt-5-mini · \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
  ]);
  expect(onlyWith(">v&amp;ew.png") + onlyWith("r:embed")).not.toMatch(/w:numPr|w:ind /);
  const picture = /r:embed="([^"]+)"/.exec(onlyWith("r:embed"))?.[1] ?? "";
  const { target = "", type } = docx.relations.get(picture) ?? {};
  expect(type).toBe("image");
  expect(Buffer.from(docx.entries[`word/${target}`] ?? []).equals(canvasPng)).toBe(true);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
  expect(docx.text).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
  const { text, remark } = await extractText(bytes, TYPE);
  expect(remark).toBeUndefined();
  expect(text).toMatch(/Where is <it>\?[\s\S]*# Fjords & <inlets> <\/w:t>[\s\S]*const a = 1 < 2;[\s\S]*Hidden words/);
});

it("LibreOffice opens a Word document of an answer, where it is installed", async ({ skip }) => {
  const run = promisify(execFile);
  const isInstalled = await run("soffice", ["--version"]).then(
    () => true,
    () => false,
  );
  if (!isInstalled) return skip();
  await ask("Where is it?", ANSWER);
  const folder = await mkdtemp(join(tmpdir(), "docx-"));
  try {
    await writeFile(join(folder, "chat.docx"), await bytesOf(await exportDocx()));
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const to = ["--convert-to", "txt:Text (encoded):UTF8", "--outdir", folder];
    await run("soffice", [profile, "--headless", ...to, join(folder, "chat.docx")]);
    const text = await readFile(join(folder, "chat.txt"), "utf8");
    expect(text).toMatch(
      /Where is it\?[\s\S]*Fjords & <inlets> <\/w:t>[\s\S]*1\. one[\s\S]*Nile[\s\S]*const a = 1 < 2;/,
    );
    expect(text).toContain("مرحبا بالعالم");
  } finally {
    await rm(folder, { recursive: true });
  }
}, 120_000);

it("a Word document of one message has no other message, and reasoning only on request", async () => {
  const parts = [{ seq: 0, at: 0, kind: "reasoning", text: "Secret thoughts", durationMs: 2000 }];
  const question = message({ content: "First question" });
  const answer = message({ role: "assistant", content: "First answer", parent: question.id, parts });
  const next = message({ content: "Second question", parent: answer.id });
  const body = documentOf({
    chats: [exported({ messages: [question, answer, next], leaf: next.id, updatedAt: Date.now() + 1000 })],
  });
  const { token } = chat.ada;
  await chat.app.call("POST", transferPaths.import, { token, body });
  const history = await (await chat.app.call("GET", conversationPaths.chatHistory, { token })).json();
  const [{ id = "" } = {}] = history as { id: string }[];
  const { messages } = (await (await chat.app.call("GET", conversationPaths.chat(id), { token })).json()) as Chat;
  const path = `${transferPaths.chatExport(id)}?format=docx&message=${messages[1]?.id}`;
  for (const [more, hasReasoning] of [
    ["", false],
    ["&reasoning=true", true],
  ] as const) {
    const { text } = readDocx(await bytesOf(await chat.app.call("GET", path + more, { token })));
    expect(text).toContain("First answer");
    expect(text.includes("Secret thoughts")).toBe(hasReasoning);
    const [reasoning = ""] = paragraphsWith({ text }, "Secret thoughts");
    expect(/w:val="Reasoning".*w:color w:val="5F5C57"/.test(reasoning)).toBe(hasReasoning);
    expect(text).not.toMatch(/question|Second/);
  }
});

it("late messages of a long chat are plain text in a Word document, which says so", async () => {
  const lists = "- a\n\n---\n\n".repeat(600);
  await ask("Short", lists);
  await ask("Long", lists);
  const docx = readDocx(await bytesOf(await exportDocx()));
  const positions = [">Short<", "<w:numPr>", ">Long<", "This chat is too long to be formatted as a whole", ">- a<"];
  const found = positions.map((words) => docx.text.indexOf(words));
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(found).not.toContain(-1);
  expect(docx.text.lastIndexOf("<w:numPr>")).toBeLessThan(found[3] ?? 0);
}, 60_000);

it("I9 a text that is too long for a Word document is refused with its reason, and its Markdown is not", async () => {
  await ask("Lines", costlyMarkup["1 MB of short lines"] ?? "");
  const refused = await exportDocx();
  expect([refused.status, await refused.json()]).toEqual([
    413,
    expect.objectContaining({ code: "document-too-large" }),
  ]);
  const path = `${transferPaths.chatExport(chat.chatId)}?format=markdown`;
  expect((await chat.app.call("GET", path, { token: chat.ada.token })).status).toBe(200);
}, 60_000);
