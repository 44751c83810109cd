import { describe, expect, it } from "vitest";
import { claude } from "./claude.ts";

const context = { fileIdOf: (key: string) => key, now: 9000 };

/** Converts a message of the text block `text`, or with `text` alone as old exports had it. */
function messageOf(text: string, { sender = "assistant", isOld = false, citations = [] as object[] } = {}) {
  const content = isOld ? {} : { content: [{ type: "text", text, citations }] };
  return claude.convert({ uuid: "c", name: "", chat_messages: [{ uuid: "a", sender, text, ...content }] }, context).chat
    .messages[0];
}
const reasoningOf = (message: ReturnType<typeof messageOf>) =>
  message?.parts?.flatMap(({ kind, text }) => (kind === "reasoning" ? [text] : [])) ?? [];

const artifact = (attributes: string, body: string) => `<antArtifact ${attributes}>\n${body}\n</antArtifact>`;

describe("markup in the texts of Claude", () => {
  it.each([false, true])("a thought becomes reasoning, and an artifact its title and code: %s", (isOld) => {
    const code = artifact(
      'identifier="hi" type="application/vnd.ant.code" language="python" title="A > B"',
      "  print(1)",
    );
    const message = messageOf(`Sure.\n\n<antThinking>A script fits.</antThinking>\n\n${code}\n\nDone.`, { isOld });
    expect(message?.content).toBe("Sure.\n\n**A > B**\n\n```python\n  print(1)\n```\n\nDone.");
    expect(reasoningOf(message)).toEqual(["A script fits."]);
  });

  it.each([
    ['type="text/markdown" title="Plan"', "# Plan\n\n- One", "**Plan**\n\n# Plan\n\n- One"],
    ['type="text/html"', "<p>Hi</p>", "```html\n<p>Hi</p>\n```"],
    ['type="application/vnd.ant.react"', "````md\n````", "`````jsx\n````md\n````\n`````"],
    ['type="application/vnd.ant.odd"', "words", "```\nwords\n```"],
  ])("an artifact keeps its kind: %s", (attributes, body, content) => {
    expect(messageOf(artifact(attributes, body))?.content).toBe(content);
  });

  it("an element without an end lasts to the end of the text", () => {
    expect(messageOf('A\n<antArtifact type="image/svg+xml">\n<svg>')?.content).toBe("A\n\n```svg\n<svg>\n```");
    expect(reasoningOf(messageOf("<antThinking>Hm"))).toEqual(["Hm"]);
  });

  it.each([
    "```xml\n<antThinking>Hm.</antThinking>\n```",
    "It writes `<antArtifact>` and `<antThinking>`.",
    "An <antArtifact without an end.",
  ])("elements in code, and what is none, stay as they are: %j", (text) => {
    expect(messageOf(text)?.content).toBe(text);
  });

  it("what a person has written stays as it is", () => {
    const text = "What is <antThinking>this</antThinking>?";
    expect(messageOf(text, { sender: "human" })?.content).toBe(text);
  });

  it("the citations of a text with an artifact stay where they end", () => {
    const text = `Deep.${artifact('type="text/html"', "<p>Hi</p>")}Wide.`;
    const cited = (end_index: number | undefined, url: string) => ({ end_index, url: `https://${url}.example/` });
    const message = messageOf(text, {
      citations: [cited(5, "a"), cited(20, "b"), cited(undefined, "c"), cited(-1, "d")],
    });
    expect(message?.parts?.map(({ url, at }) => [url, message.content.slice(0, at).slice(-5)])).toEqual([
      ["https://d.example/", "D"],
      ["https://a.example/", "Deep."],
      ["https://b.example/", ">\n```"],
      ["https://c.example/", "Wide."],
    ]);
  });

  it.each(["<antThinking>", '<antArtifact a="', '<antArtifact a="b"\n', "`<antThinking>`"])(
    "many elements without an end take linear time: %j",
    (part) => {
      expect(messageOf(part.repeat(20_000))).toBeTruthy();
    },
  );
});
