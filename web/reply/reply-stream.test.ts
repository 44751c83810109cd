import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { SilenceError } from "../api/read-text.ts";
import { type ReplyItem, readReply } from "./reply-stream.ts";

const encoder = new TextEncoder();

function answer(chunks: Uint8Array[], mediaType: string | null = "text/event-stream"): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  return new Response(body, mediaType === null ? {} : { headers: { "content-type": mediaType } });
}

async function read(response: Response): Promise<ReplyItem[]> {
  const items: ReplyItem[] = [];
  for await (const together of readReply(response)) items.push(...together);
  return items;
}

const readString = (text: string, mediaType?: string | null) => read(answer([encoder.encode(text)], mediaType));
const tokens = (...texts: string[]) => texts.map((text) => ({ type: "token", text }));
const done = { type: "done" };

const OURS = [
  'data: {"reply":"r1","at":0}',
  'data: {"token":"Grüße ","at":6}',
  "data:",
  'data: {"token":"🦉, ","at":10}',
  'data: {"token":"a\\n\\nevent: x\\ndata: y","at":29}',
  'data: {"seam":29}',
  'data: {"error":"The answer broke off.","code":"assistant-broken-off"}',
  "data: [DONE]",
  "",
];
const OURS_READ = [
  { type: "start", reply: "r1", at: 0 },
  { type: "token", text: "Grüße ", at: 6 },
  { type: "token", text: "🦉, ", at: 10 },
  { type: "token", text: "a\n\nevent: x\ndata: y", at: 29 },
  { type: "seam", at: 29 },
  { type: "failure", error: "The answer broke off.", code: "assistant-broken-off" },
  done,
];

describe("formats of a piece of text", () => {
  test.each([
    ["token", '{"token":"Hi"}'],
    ["content", '{"content":"Hi"}'],
    ["text", '{"text":"Hi"}'],
    ["delta", '{"delta":"Hi"}'],
    ["choices[0].delta.content", '{"choices":[{"delta":{"content":"Hi"}}]}'],
    ["data.content", '{"data":{"content":"Hi"}}'],
    ["plain text", "Hi"],
  ])("the text of %s is read from a data line", async (_name, data) => {
    expect(await readString(`data: ${data}\n\n`)).toEqual(tokens("Hi"));
    expect(await readString(`data:${data}\n\n`)).toEqual(tokens("Hi"));
    expect(await readString(`data: ${data}`)).toEqual(tokens("Hi"));
  });

  test("numbers, lists and quoted text in a stream are plain text", async () => {
    expect(await readString('data: 42\n\ndata: [1]\n\ndata: "so"\n\n')).toEqual(tokens("42", "[1]", '"so"'));
  });

  test("a plain piece of a stream keeps its own spaces", async () => {
    expect(await readString("data: Good\n\ndata:  day\n\ndata:  \n\n")).toEqual(tokens("Good", " day", " "));
  });

  test("JSON without text yields no text", async () => {
    const events = ['{"choices":[{"delta":{"role":"assistant"}}]}', '{"choices":[]}', '{"usage":{}}', '{"token":""}'];
    expect(await readString(events.map((event) => `data: ${event}\n\n`).join(""))).toEqual([]);
  });

  test("broken JSON is plain text", async () => {
    expect(await readString('data: {"token":\n\n')).toEqual(tokens('{"token":'));
  });

  test("plain lines are text, with the line breaks between them", async () => {
    expect(await readString("One\ntwo\n\nthree\n", "text/plain")).toEqual(tokens("One", "\ntwo", "\n\nthree"));
    expect(await readString("id: 1\nevent: x\n: y", null)).toEqual(tokens("id: 1", "\nevent: x", "\n: y"));
  });

  test("plain lines of JSON are read like events", async () => {
    const lines = '{"token":"One"}\n{"content":" two"}\n[DONE]\n';
    expect(await readString(lines, "application/x-ndjson")).toEqual([...tokens("One", " two"), done]);
  });

  test("fields of an event stream are dropped, its plain lines are text", async () => {
    const lines = ": hello\nid: 1\nevent: message\nretry: 10\nid\nplain\ndata: x\n\n";
    expect(await readString(lines)).toEqual(tokens("plain", "x"));
  });

  test("a data line turns a body of another type into an event stream", async () => {
    expect(await readString("data: a\n\nid: 1\n\ndata: b\n\n", "text/plain")).toEqual(tokens("a", "b"));
  });
});

describe("a JSON body instead of a stream", () => {
  test.each([
    ["ai_response.content", '{"user_message":{"content":"q"},"ai_response":{"content":"Hi"},"error":null}'],
    ["content", '{"content":"Hi"}'],
    ["text", '{"text":"Hi"}'],
    ["message", '{"message":"Hi"}'],
  ])("a JSON body instead of a stream has its text in %s", async (_name, body) => {
    expect(await readString(body, "application/json; charset=utf-8")).toEqual([...tokens("Hi"), done]);
  });

  test("a JSON body without text reports its error", async () => {
    expect(await readString('{"ai_response":null,"error":"Busy"}', "application/json")).toEqual([
      { type: "failure", error: "Busy" },
    ]);
    expect(await readString("[]", "application/json")).toEqual([{ type: "failure", error: null }]);
  });
});

describe("ends of a stream", () => {
  test("[DONE] of another server is ignored, and what follows is read", async () => {
    expect(await readString("data: a\n\ndata: [DONE]\n\ndata: b\n\n")).toEqual([...tokens("a", "b"), done]);
    expect(await readString("One\n[DONE]\nTwo")).toEqual([...tokens("One", "Two"), done]);
  });

  test("silence after [DONE] of another server is the end", async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (more) => more.enqueue(encoder.encode("data: a\ndata: [DONE]\n")),
    });
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
    const items: ReplyItem[] = [];
    for await (const together of readReply(response, { silenceMs: 1 })) items.push(...together);
    expect(items).toEqual([...tokens("a"), done]);
  });

  test("nothing is read after [DONE] of Parley, which closes the connection", async () => {
    const start = '{"reply":"r1","at":0}';
    const text = `data: ${start}\n\ndata: a\n\ndata: [DONE]\n\ndata: b\n\n`;
    expect(await readString(text)).toEqual([{ type: "start", reply: "r1", at: 0 }, ...tokens("a"), done]);
  });

  test("an end without [DONE] yields no done item", async () => {
    expect(await readString('data: {"token":"a","at":1}\n\n')).toEqual([{ type: "token", text: "a", at: 1 }]);
  });

  test("an end at any byte yields only the items whose lines are whole", async () => {
    const bytes = encoder.encode(OURS.join("\n\n"));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const items = await read(answer([bytes.subarray(0, cut)]));
      expect(items).toEqual(OURS_READ.slice(0, items.length));
    }
  });

  test("an end at any byte after the start drops the unterminated line", async () => {
    const [start = "", ...lines] = OURS;
    const whole = `${start}\n\n`;
    for (const line of lines) {
      const bytes = encoder.encode(line);
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const items = await read(answer([encoder.encode(whole), bytes.subarray(0, cut)]));
        expect(items).toEqual(OURS_READ.slice(0, 1));
      }
    }
  });

  test("an unterminated line of another server is read if it is whole", async () => {
    expect(await readString("data: a\n\ndata: [DONE]")).toEqual([...tokens("a"), done]);
    expect(await readString('data: a\n\ndata: {"token":"b"}')).toEqual(tokens("a", "b"));
    expect(await readString('data: a\n\ndata: {"token":"b')).toEqual(tokens("a"));
    expect(await readString("data: a\n\nb")).toEqual(tokens("a", "b"));
    expect(await readString("d", "text/plain")).toEqual(tokens("d"));
  });

  test("errors of other servers are failures", async () => {
    expect(await readString('data: {"error":{"message":"No"}}\n\ndata: {"error":{}}\n\n')).toEqual([
      { type: "failure", error: "No" },
      { type: "failure", error: null },
    ]);
  });

  test("a broken connection rejects after the items received before", async () => {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        if (pulls === 1) controller.enqueue(encoder.encode("data: a\n\n"));
        else controller.error(new Error("gone"));
      },
    });
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
    const items: ReplyItem[] = [];
    const reading = (async () => {
      for await (const together of readReply(response)) items.push(...together);
    })();
    await expect(reading).rejects.toThrow("gone");
    expect(items).toEqual(tokens("a"));
  });

  test("steady text is no silence, however long it takes in all", async () => {
    vi.useFakeTimers();
    let more: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        more = controller;
      },
    });
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
    const reading = readReply(response, { silenceMs: 1000 });
    for (let word = 0; word < 5; word++) {
      const next = reading.next();
      await vi.advanceTimersByTimeAsync(600);
      more?.enqueue(encoder.encode("data: a\n"));
      expect((await next).value).toEqual(tokens("a"));
    }
    const next = expect(reading.next()).rejects.toThrow(SilenceError);
    await vi.advanceTimersByTimeAsync(1000);
    await next;
    vi.useRealTimers();
  });

  test("a reader that was busy for longer than the timeout is notified of silence too", async () => {
    vi.useFakeTimers();
    const body = new ReadableStream<Uint8Array>({ start: (more) => more.enqueue(encoder.encode("data: a\n")) });
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
    const reading = readReply(response, { silenceMs: 1000 });
    expect((await reading.next()).value).toEqual(tokens("a"));
    await vi.advanceTimersByTimeAsync(1500);
    const next = expect(reading.next()).rejects.toThrow(SilenceError);
    await vi.advanceTimersByTimeAsync(1000);
    await next;
    vi.useRealTimers();
  });

  test("items of one chunk are yielded together", async () => {
    const response = answer([encoder.encode("data: a\ndata: b\ndata: [DONE]\ndata: c\n")]);
    const given = await readReply(response).next();
    expect(given.value).toEqual(tokens("a", "b", "c"));
  });

  test("silence is an error, and closes the connection", async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      cancel() {
        isCancelled = true;
      },
    });
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
    await expect(readReply(response, { silenceMs: 1 }).next()).rejects.toThrow(SilenceError);
    expect(isCancelled).toBe(true);
  });

  test("R24: the return of the network ends a silent connection at once", async () => {
    const body = new ReadableStream<Uint8Array>({});
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
    const reading = readReply(response, { silenceMs: 600_000 }).next();
    window.dispatchEvent(new Event("online"));
    await expect(reading).rejects.toThrow(SilenceError);
  });
});

describe("chunk boundaries", () => {
  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("chunk boundaries anywhere, with lines ended by %s, change nothing", async (_name, end) => {
    const bytes = encoder.encode(OURS.join(end + end));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(await read(answer([bytes.subarray(0, cut), bytes.subarray(cut)]))).toEqual(OURS_READ);
    }
  });

  test("chunk boundaries after every byte change nothing", async () => {
    const bytes = encoder.encode(OURS.join("\r\n\r\n"));
    expect(await read(answer(Array.from(bytes, (byte) => Uint8Array.of(byte))))).toEqual(OURS_READ);
  });

  test("any text, cut anywhere, arrives as it was sent", async () => {
    const pieces = fc.array(fc.string({ unit: "binary", minLength: 1 }), { minLength: 1, maxLength: 8 });
    const cuts = fc.array(fc.nat(), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(pieces, cuts, fc.constantFrom("\n", "\r", "\r\n"), async (texts, at, end) => {
        const lines = texts.map((token) => `data: ${JSON.stringify({ token })}${end}${end}`);
        const bytes = encoder.encode(lines.join(""));
        const offsets = [0, ...at.map((offset) => offset % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
        const chunks = offsets.slice(1).map((offset, i) => bytes.subarray(offsets[i], offset));
        expect(await read(answer(chunks))).toEqual(tokens(...texts));
      }),
    );
  });
});
