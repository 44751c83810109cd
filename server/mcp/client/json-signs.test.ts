import { expect, it } from "vitest";
import { withBoundedJson } from "./json-signs.ts";

const SIGNS = 300_000;

/** Reads a body that arrives in pieces. @returns its length */
async function lengthOf(body: string, type: string): Promise<number> {
  const response = new Response(body, { headers: { "content-type": type } });
  return (await withBoundedJson(response).text()).length;
}

it.each(["\n", "\r\n"])(
  "messages of an event stream are counted one by one, with lines that end with %j",
  async (end) => {
    const message = `data: [${"0,".repeat(1000)}0]${end}${end}`;
    const stream = message.repeat(400);
    expect(await lengthOf(stream, "text/event-stream; charset=utf-8")).toBe(stream.length);
  },
);

it.each([
  ["text/event-stream", "\n"],
  ["text/event-stream", "\r\n"],
  ["application/json", "\n\n"],
])("M4 one message with too many values fails as %s, however many lines that end with %j it has", async (type, end) => {
  const line = `data: ${"0,".repeat(1000)}${end}`;
  await expect(lengthOf(line.repeat(301), type)).rejects.toThrow("too-large");
});

it("signs within texts do not count, also after escaped quotation marks", async () => {
  const text = JSON.stringify({ text: '{[,"\\'.repeat(SIGNS) });
  expect(await lengthOf(text, "application/json")).toBe(text.length);
});
