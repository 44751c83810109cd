import { request as httpRequest } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { TITLE_MARKER } from "../../server/models/title-prompt.ts";
import type { ProviderRequest } from "./provider-request.ts";
import { type AnswerFunction, type ProviderServer, startProvider } from "./provider-server.ts";

async function start(answer: AnswerFunction): Promise<ProviderServer> {
  const provider = await startProvider(answer);
  onTestFinished(() => provider[Symbol.asyncDispose]());
  return provider;
}

const post = (url: string, body: object, signal?: AbortSignal) =>
  fetch(url, { method: "POST", body: JSON.stringify(body), ...(signal && { signal }) });

test("the provider parses the prompt of each wire format into the same request", async () => {
  const requests: ProviderRequest[] = [];
  const provider = await start((request, answer) => {
    requests.push(request);
    answer.respond(200);
  });
  const question = { role: "user", content: "Hi" };
  const system = { role: "system", content: "Be kind." };
  await post(`${provider.baseUrl}/chat/completions`, { model: "m", messages: [system, question] });
  await post(`${provider.baseUrl}/messages`, { model: "m", system: "Be kind.", messages: [question] });
  for (const request of requests) {
    expect(request).toMatchObject({ kind: "chat", model: "m", system: "Be kind.", messages: [question] });
  }
  expect(requests.map(({ wire }) => wire?.endpoint)).toEqual(["/chat/completions", "/messages"]);
});

test("the provider distinguishes the kinds of requests", async () => {
  const kinds: string[] = [];
  const provider = await start((request, answer) => {
    kinds.push(request.kind);
    answer.respond(200);
  });
  await post(`${provider.baseUrl}/messages`, { system: `${TITLE_MARKER} Go.`, messages: [] });
  await post(`${provider.baseUrl}/messages`, { system: "Go.", messages: [{ role: "user", content: TITLE_MARKER }] });
  await post(provider.url, {});
  await fetch(`${provider.baseUrl}/models`);
  await fetch(`${provider.url}/page.html`);
  expect(kinds).toEqual(["title", "chat", "chat", "models", "other"]);
});

test("a write of the provider waits while its client does not read, and resolves when it disconnects", async () => {
  let [written, hasEnded] = [0, Promise.withResolvers<void>()];
  const provider = await start(async (request, answer) => {
    answer.begin();
    for (; written < 1000 && !request.signal.aborted; written++) await answer.write(Buffer.alloc(1 << 20));
    hasEnded.resolve();
  });
  const sent = httpRequest(`${provider.baseUrl}/messages`, { method: "POST" }, (response) => response.pause()).end(
    "{}",
  );
  await expect.poll(() => written).toBeGreaterThan(0);
  sent.on("error", () => {}).destroy();
  await hasEnded.promise;
  expect(written).toBeLessThan(1000);
});

test("a pause of the provider ends when its client disconnects, and the request is marked as aborted", async () => {
  const received = Promise.withResolvers<ProviderRequest>();
  const provider = await start(async (request, answer) => {
    received.resolve(request);
    await answer.pause(1_000_000);
  });
  const leaving = new AbortController();
  const response = post(`${provider.baseUrl}/messages`, {}, leaving.signal);
  const request = await received.promise;
  leaving.abort();
  await expect(response).rejects.toThrow();
  await request.closed;
  expect(request.isAborted).toBe(true);
});

test("an error of the provider's script closes the connection and is thrown again at the end", async () => {
  const fault = new Error("a fault of the script");
  const provider = await startProvider(() => {
    throw fault;
  });
  await expect(post(`${provider.baseUrl}/messages`, {})).rejects.toThrow();
  await expect(provider[Symbol.asyncDispose]()).rejects.toMatchObject({ errors: [fault] });
});

test("a script that ends because its client disconnected has not failed", async () => {
  const hasEnded = Promise.withResolvers<void>();
  const provider = await startProvider(async (request, answer) => {
    answer.begin();
    await answer.flush("data: {}\n\n");
    await request.closed;
    await answer.write("more").finally(hasEnded.resolve);
  });
  const leaving = new AbortController();
  await post(`${provider.baseUrl}/messages`, {}, leaving.signal);
  leaving.abort();
  await hasEnded.promise;
  await provider[Symbol.asyncDispose]();
});
