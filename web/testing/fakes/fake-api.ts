/** For tests: a fake server that replaces `fetch`. */

import { vi } from "vitest";
import { API_BASE } from "#contract/http.ts";

export type FakeCall = { method: string; path: string; headers: Headers; body: unknown; signal: AbortSignal | null };
/** Response to a call: JSON, plain text, or the result of a function. */
export type FakeAnswer =
  | { status?: number; json: unknown }
  | { status?: number; text: string }
  | ((call: FakeCall) => Response | Promise<Response>);

/**
 * Answers calls such as `"POST /auth/login"`; several answers are used in order, and the last one repeats. A call
 * without an answer fails its test. Returns the live list of calls.
 */
export function fakeApi(answers: Record<string, FakeAnswer | readonly FakeAnswer[]>): FakeCall[] {
  const calls: FakeCall[] = [];
  const asked = new Map<string, number>();
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    const path = url.slice(API_BASE.length);
    const method = init.method ?? "GET";
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : (init.body ?? undefined);
    const call = { method, path, headers: new Headers(init.headers), body, signal: init.signal ?? null };
    calls.push(call);
    const name = `${method} ${path}`;
    const all = [answers[name] ?? []].flat();
    const count = asked.get(name) ?? 0;
    asked.set(name, count + 1);
    const answer = all[Math.min(count, all.length - 1)];
    if (!answer) throw new Error(`No answer for ${name}`);
    return typeof answer === "function" ? answer(call) : respond(answer);
  });
  return calls;
}

function respond(answer: { status?: number; json: unknown } | { status?: number; text: string }): Response {
  const text = "text" in answer ? answer.text : JSON.stringify(answer.json);
  return new Response(text, { status: answer.status ?? 200 });
}

/** Returns a problem document in the server's format. */
export function problem(status: number, code: string, extra: Record<string, unknown> = {}): FakeAnswer {
  const sentence = `The server's sentence for ${code}`;
  return { status, json: { detail: sentence, error: sentence, code, ...extra } };
}

/** Returns a bearer token whose `exp` is `secondsLeft` from now. */
export function tokenFor(id: string, secondsLeft = 3600): string {
  const claims = { sub: id, exp: Math.floor(Date.now() / 1000) + secondsLeft };
  return `e30.${btoa(JSON.stringify(claims)).replaceAll("=", "")}.signature-${id}`;
}

export const ada = {
  id: "1",
  username: "ada",
  email: "ada@example.com",
  firstname: "Ada",
  lastname: "Byron",
  emailVerified: true,
};
