import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { API_BASE } from "#contract/http.ts";
import type { TestApp } from "../app/start-test-app.ts";

export type HeldCall = { method: string; path: string; token: string; body: unknown };
export type HeldAnswer = { status: number; text: string };

/**
 * Sends the head of a request and waits for `100 Continue`.
 * @returns a function that sends the body and reads the response
 */
export async function holdBody(
  app: TestApp,
  { method, path, token, body }: HeldCall,
): Promise<() => Promise<HeldAnswer>> {
  const bytes = Buffer.from(JSON.stringify(body));
  const call = request(app.url + API_BASE + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": bytes.length,
      expect: "100-continue",
    },
  });
  const answered = once(call, "response");
  call.flushHeaders();
  await once(call, "continue");
  return async () => {
    call.end(bytes);
    const [response] = await answered;
    return { status: response.statusCode, text: await text(response) };
  };
}
