import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { xhrTransport } from "./upload-transport.ts";

class FakeXhr extends EventTarget {
  static latest = new FakeXhr();
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  opened = "";
  sent: unknown;
  isAborted = false;
  status = 0;
  responseText = "";
  constructor() {
    super();
    FakeXhr.latest = this;
  }
  open(method: string, url: string) {
    this.opened = `${method} ${url}`;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  getAllResponseHeaders = () => "retry-after: 3\r\nupload-offset: 5\r\n";
  send(body: unknown) {
    this.sent = body;
  }
  abort() {
    this.isAborted = true;
  }
  answer(status: number, text: string) {
    Object.assign(this, { status, responseText: text });
    this.dispatchEvent(new Event("load"));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("XMLHttpRequest", FakeXhr);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const body = new Blob(["Hello"]);
/** Sends a request. */
function send(signal?: AbortSignal) {
  const sent: number[] = [];
  const transport = xhrTransport((bytes) => sent.push(bytes));
  const request: RequestInit = { method: "PUT", headers: { "x-file-name": "a" }, body, ...(signal && { signal }) };
  const answer = transport("/api/files/1", request);
  return { answer, sent, xhr: FakeXhr.latest };
}
const progress = (loaded: number) => Object.assign(new Event("progress"), { loaded });

test("the transport sends the body with its headers, reports progress, and returns the response", async () => {
  const { answer, sent, xhr } = send();
  expect([xhr.opened, xhr.headers, xhr.sent]).toEqual(["PUT /api/files/1", { "x-file-name": "a" }, body]);
  xhr.upload.dispatchEvent(progress(2));
  xhr.upload.dispatchEvent(progress(5));
  xhr.answer(409, '{"code":"upload-moved"}');
  const response = await answer;
  expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
    ...[409, "3", { code: "upload-moved" }],
  ]);
  expect(sent).toEqual([2, 5]);
});

test("the transport returns a response without a body", async () => {
  const { answer, xhr } = send();
  xhr.answer(204, "");
  expect((await answer).status).toBe(204);
});

test("the transport rejects as fetch does if the network is lost", async () => {
  const { answer, xhr } = send();
  xhr.dispatchEvent(new Event("error"));
  await expect(answer).rejects.toBeInstanceOf(TypeError);
});

test("the transport ends with its signal", async () => {
  const leave = new AbortController();
  const { answer, xhr } = send(leave.signal);
  leave.abort(new Error("Removed"));
  await expect(answer).rejects.toThrow("Removed");
  expect(xhr.isAborted).toBe(true);
});

test("the transport gives up after 30 s without a sent byte, and waits longer for the answer", async () => {
  const silent = send();
  const failing = expect(silent.answer).rejects.toBeInstanceOf(TypeError);
  await vi.advanceTimersByTimeAsync(30_000);
  await failing;
  const { answer, xhr } = send();
  await vi.advanceTimersByTimeAsync(29_000);
  xhr.upload.dispatchEvent(progress(1));
  await vi.advanceTimersByTimeAsync(29_000);
  xhr.upload.dispatchEvent(progress(5));
  xhr.upload.dispatchEvent(new Event("load"));
  await vi.advanceTimersByTimeAsync(100_000);
  xhr.answer(200, "{}");
  expect((await answer).status).toBe(200);
});
