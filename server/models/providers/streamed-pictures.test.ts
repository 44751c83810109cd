import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stripedPng } from "../../../testing/files/picture-encoders.ts";
import { replay } from "../../../testing/provider/replay-stream.ts";
import { dataUrlOf } from "../../../testing/provider/scenarios.ts";
import { PICTURE_MAX_BYTES } from "../attachments/streamed-pictures.ts";
import { ChatCompletionReader } from "./chat-completion-reader.ts";

const PNG = stripedPng(40, 30);
const URL_OF_PNG = dataUrlOf(PNG);
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const choice = (delta: object, more: object = {}) => event({ choices: [{ index: 0, delta, ...more }] });
const image = (url: string) => ({ type: "image_url", image_url: { url }, index: 0 });
const stop = choice({}, { finish_reason: "stop" });

async function read(...chunks: (string | Uint8Array)[]) {
  const { text, pictures, end, error } = await replay(new ChatCompletionReader(), {
    chunks: chunks.map((chunk) => Buffer.from(chunk)),
  });
  return { text, pictures, reason: end?.reason, error };
}

/** Cuts a stream into pieces as a socket delivers them. */
function inPieces(stream: string): Uint8Array[] {
  const bytes = Buffer.from(stream);
  const count = Math.ceil(bytes.length / PIECE_BYTES);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES));
}
const PIECE_BYTES = 64 * 1024;

describe("pictures of a chat completion", () => {
  test("pictures of deltas are decoded, and the text around them is unchanged", async () => {
    const images = [image(URL_OF_PNG), image(dataUrlOf(Buffer.from("webp"), "image/webp"))];
    expect(
      await read(choice({ content: "Here:" }), choice({ content: "", images }), choice({ content: " done" }), stop),
    ).toEqual({
      text: "Here: done",
      pictures: [{ bytes: PNG }, { bytes: Buffer.from("webp") }],
      reason: "complete",
      error: undefined,
    });
  });

  test("a whole message has its pictures once, whether deltas have sent them or not", async () => {
    const whole = event({
      choices: [{ index: 0, delta: {}, message: { content: "", images: [image(URL_OF_PNG)] }, finish_reason: "stop" }],
    });
    expect((await read(whole)).pictures).toEqual([{ bytes: PNG }]);
    expect((await read(choice({ images: [image(URL_OF_PNG)] }), whole)).pictures).toEqual([{ bytes: PNG }]);
  });

  test("pictures within an array of content are read", async () => {
    const content = [{ type: "text", text: "A cat" }, image(URL_OF_PNG)];
    expect(await read(choice({ content }), stop)).toMatchObject({ text: "A cat", pictures: [{ bytes: PNG }] });
  });

  test("escape sequences in base64 are read, as PHP and .NET write them", async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    const plain = choice({ images: [image(dataUrlOf(bytes))] });
    const escaped = plain.replaceAll("/", "\\/").replaceAll("+", "\\u002B");
    expect(escaped).toContain("\\u002B");
    for (const size of [1, 7, 64]) {
      const pieces = (escaped + stop).match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect((await read(...pieces)).pictures).toEqual([{ bytes }]);
    }
  });

  test("a picture of several megabytes is read, and other lines keep their limit", async () => {
    const bytes = Buffer.alloc(6 * 1024 * 1024, 7);
    const stream = choice({ content: "Big", images: [image(dataUrlOf(bytes))] }) + stop;
    const { text, pictures, reason } = await read(...inPieces(stream));
    const [picture] = pictures;
    expect({ text, reason, count: pictures.length }).toEqual({ text: "Big", reason: "complete", count: 1 });
    expect(picture && "bytes" in picture && picture.bytes.equals(bytes)).toBe(true);
    const { error } = await read(...inPieces(choice({ content: "x".repeat(2 * 1024 * 1024) })));
    expect(error).toMatchObject({ code: "assistant-broken-off" });
  });

  test("a picture beyond the limit is reported without its bytes, and the answer goes on", async () => {
    const url = dataUrlOf(Buffer.alloc(PICTURE_MAX_BYTES + 1));
    expect(await read(choice({ images: [image(url)] }), choice({ content: "Sorry" }), stop)).toMatchObject({
      text: "Sorry",
      pictures: [{ defect: "large" }],
      reason: "complete",
    });
  });

  test.each([
    ["an address", "https://pictures.example/cat.png"],
    ["no base64", "data:image/png,%89PNG"],
    ["other characters", `data:image/png;base64,${"!?".repeat(40)}`],
    ["nothing", ""],
  ])("a picture whose URL is %s is reported as unreadable", async (_, url) => {
    expect((await read(choice({ images: [image(url)] }), stop)).pictures).toEqual([{ defect: "unreadable" }]);
  });

  test("text that looks like a picture stays text", async () => {
    const content = `{"url":"${URL_OF_PNG}"} and "url": "data:image/png;base64,AAAA"`;
    expect(await read(choice({ content }), stop)).toMatchObject({ text: content, pictures: [] });
  });

  test("a stream that ends within a picture is broken off", async () => {
    const cut = choice({ images: [image(URL_OF_PNG)] }).slice(0, 120);
    expect(await read(choice({ content: "Here" }), cut)).toMatchObject({
      text: "Here",
      error: { code: "assistant-broken-off" },
    });
  });

  test("text and pictures are the same however the stream is cut", async () => {
    const whole =
      choice({ content: "Ä 語:" }) + choice({ images: [image(URL_OF_PNG)] }) + choice({ content: "!" }) + stop;
    const bytes = Buffer.from(whole.replaceAll("\n", "\r\n"));
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const sorted = [0, ...at.sort((a, b) => a - b), bytes.length];
        const chunks = sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
        const { text, pictures } = await read(...chunks);
        expect({ text, pictures }).toEqual({ text: "Ä 語:!", pictures: [{ bytes: PNG }] });
      }),
      { numRuns: 200 },
    );
  });
});
