import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { fakeApi, problem } from "../testing/fakes/fake-api.ts";
import { readAntiForgeryToken } from "./anti-forgery.ts";
import { ApiError, api, onSessionLost } from "./client.ts";

const anything = z.object({ ok: z.boolean() });
const ok = { json: { ok: true } };
const config = "GET /auth/config";

function dropCookies() {
  for (const pair of document.cookie.split(";")) {
    // biome-ignore lint/suspicious/noDocumentCookie: sets the cookie like a server
    document.cookie = `${pair.split("=")[0]}=; max-age=0; path=/`;
  }
}

function setCookie(value: string) {
  // biome-ignore lint/suspicious/noDocumentCookie: sets the cookie like a server
  document.cookie = `XSRF-TOKEN=${value}; path=/`;
}

const failureOf = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => Promise.reject(new Error("The call succeeded")),
    (error: unknown) => (error instanceof ApiError ? error : Promise.reject(error)),
  );

beforeEach(() => localStorage.clear());
afterEach(() => {
  dropCookies();
  vi.unstubAllGlobals();
});

describe("headers of requests", () => {
  test("a request has the bearer token if one is stored, and none otherwise", async () => {
    const calls = fakeApi({ "GET /chat-history": ok });
    await api.get("/chat-history", anything);
    localStorage.setItem("access_token", "abc");
    await api.get("/chat-history", anything);
    expect(calls.map(({ headers }) => headers.get("authorization"))).toEqual([null, "Bearer abc"]);
  });

  test("a request has the CSRF header if it changes something, and none if it only reads", async () => {
    setCookie("proof");
    const calls = fakeApi({ "GET /chat/1": ok, "POST /chat": ok, "PATCH /chat/1": ok, "DELETE /chat/1": ok });
    await api.get("/chat/1", anything);
    await api.post("/chat", undefined, anything);
    await api.patch("/chat/1", { title: "x" }, null);
    await api.delete("/chat/1");
    expect(calls.map(({ headers }) => headers.get("x-xsrf-token"))).toEqual([null, "proof", "proof", "proof"]);
  });

  test("a request has a JSON body with its content type, or neither", async () => {
    const calls = fakeApi({ "POST /chat": ok, "POST /auth/login": ok });
    await api.post("/chat", undefined, anything);
    await api.post("/auth/login", { username: "ada" }, anything, { headers: { "idempotency-key": "k" } });
    expect(calls.map(({ headers, body }) => [headers.get("content-type"), body])).toEqual([
      [null, undefined],
      ["application/json", { username: "ada" }],
    ]);
    expect(calls[1]?.headers.get("idempotency-key")).toBe("k");
  });

  test("a request uses the CSRF cookie of an https server rather than that of a plain one", () => {
    expect(readAntiForgeryToken("a=1; XSRF-TOKEN=plain; __Host-XSRF-TOKEN=host")).toBe("host");
    expect(readAntiForgeryToken("a=1; XSRF-TOKEN=a%3Db=c")).toBe("a=b=c");
    expect(readAntiForgeryToken("MY-XSRF-TOKEN=other")).toBeNull();
  });
});

describe("refused CSRF headers", () => {
  test("a refused CSRF token is renewed, and the request retried once with the same body", async () => {
    setCookie("old");
    const renew = () => {
      setCookie("new");
      return new Response("{}");
    };
    const calls = fakeApi({ "POST /auth/login": [problem(403, "csrf"), ok], [config]: renew });
    expect(await api.post("/auth/login", { username: "ada" }, anything)).toEqual({ ok: true });
    expect(calls.map(({ path, headers }) => [path, headers.get("x-xsrf-token")])).toEqual([
      ["/auth/login", "old"],
      ["/auth/config", null],
      ["/auth/login", "new"],
    ]);
    expect(calls[2]?.body).toEqual({ username: "ada" });
  });

  test("a request fails if the new CSRF token is refused too", async () => {
    const calls = fakeApi({ "POST /auth/login": problem(403, "csrf"), [config]: ok });
    expect((await failureOf(api.post("/auth/login", {}, null))).code).toBe("csrf");
    expect(calls).toHaveLength(3);
  });

  test("another refusal renews no CSRF token", async () => {
    const calls = fakeApi({ "POST /auth/login": problem(403, "email-unverified") });
    expect((await failureOf(api.post("/auth/login", {}, null))).code).toBe("email-unverified");
    expect(calls).toHaveLength(1);
  });
});

describe("responses with status 401", () => {
  const refused = problem(401, "not-signed-in");

  async function losses(act: () => Promise<unknown>): Promise<number> {
    const lost = vi.fn();
    const stop = onSessionLost(lost);
    await failureOf(act());
    stop();
    return lost.mock.calls.length;
  }

  test("a 401 ends the session whose token was sent", async () => {
    localStorage.setItem("access_token", "abc");
    fakeApi({ "GET /chat-history": refused });
    expect(await losses(() => api.get("/chat-history", anything))).toBe(1);
  });

  test("a 401 ends nothing without a token, with quiet401, or after another sign-in", async () => {
    fakeApi({ "GET /auth/me": refused });
    expect(await losses(() => api.get("/auth/me", anything))).toBe(0);
    localStorage.setItem("access_token", "abc");
    expect(await losses(() => api.get("/auth/me", anything, { quiet401: true }))).toBe(0);
    const late = () => {
      localStorage.setItem("access_token", "newer");
      return new Response("", { status: 401 });
    };
    fakeApi({ "GET /auth/me": late });
    expect(await losses(() => api.get("/auth/me", anything))).toBe(0);
  });

  test("a 401 of an opened stream also ends the session", async () => {
    localStorage.setItem("access_token", "abc");
    fakeApi({ "POST /chat/1/send?stream=1": refused });
    const lost = vi.fn();
    const stop = onSessionLost(lost);
    const response = await api.open("/chat/1/send?stream=1", { method: "POST", body: "{}" });
    stop();
    expect(response.status).toBe(401);
    expect(lost).toHaveBeenCalledOnce();
  });
});

describe("failed requests", () => {
  test("a failed request reports the code and the content of a problem document", async () => {
    fakeApi({ "GET /chat/1": problem(404, "not-found") });
    const error = await failureOf(api.get("/chat/1", anything));
    expect(error).toMatchObject({ status: 404, code: "not-found", message: "The server's sentence for not-found" });
    expect(error.problem?.code).toBe("not-found");
  });

  test("a failed request reports the text of any other body, or the status if there is no text", async () => {
    fakeApi({
      "GET /chat/1": [
        { status: 502, text: "<h1>Bad gateway</h1>" },
        { status: 502, text: "" },
      ],
    });
    const error = await failureOf(api.get("/chat/1", anything));
    expect(error).toMatchObject({ status: 502, body: "<h1>Bad gateway</h1>", message: "<h1>Bad gateway</h1>" });
    expect(error.code).toBeUndefined();
    expect((await failureOf(api.get("/chat/1", anything))).message).toBe("HTTP 502");
  });

  test("a failed request reports status 0 if there is no response", async () => {
    fakeApi({ "GET /chat/1": () => Promise.reject(new TypeError("Failed to fetch")) });
    expect(await failureOf(api.get("/chat/1", anything))).toMatchObject({ status: 0, code: "unreachable" });
  });

  test("a response that the contract does not define is reported as a failure", async () => {
    fakeApi({ "GET /chat/1": [{ json: { ok: "yes" } }, { text: "not JSON" }] });
    expect((await failureOf(api.get("/chat/1", anything))).code).toBe("unexpected-answer");
    expect((await failureOf(api.get("/chat/1", anything))).code).toBe("unexpected-answer");
  });

  test("an aborted request reports the caller's reason", async () => {
    const controller = new AbortController();
    const given = () => {
      controller.abort();
      return Promise.reject(controller.signal.reason);
    };
    fakeApi({ "GET /chat/1": given });
    const call = api.get("/chat/1", anything, { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
  });
});

test("an opened response is left unread, for any status", async () => {
  fakeApi({ "POST /chat/1/send?stream=1": [{ text: "data: x\n\n" }, { status: 400, text: "No" }] });
  const send = () => api.open("/chat/1/send?stream=1", { method: "POST", body: "{}" });
  expect(await (await send()).text()).toBe("data: x\n\n");
  expect(await (await send()).text()).toBe("No");
});
