import { getByRole } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ANTI_FORGERY_COOKIE, ANTI_FORGERY_HEADER } from "#contract/http.ts";
import type { SharedPageAnswer } from "#contract/shares/shared-page.ts";
import english from "../locales/en/sharedPage.json";
import { type FakeAnswer, fakeApi, problem, tokenFor } from "../testing/fakes/fake-api.ts";
import { catchLeaving } from "../testing/leaving.ts";
import { openLink } from "./open-link.ts";

const TOKEN = "5up3r-S3cret_Token0000";
const read = `GET /shared/${TOKEN}`;
const copy = `POST /shared/${TOKEN}/copy`;
const { screen } = english;

const answer: SharedPageAnswer = {
  product: "Tea",
  page: {
    title: "Fjords",
    createdAt: Date.UTC(2026, 4, 17),
    messages: [
      {
        role: "user",
        createdAt: Date.UTC(2026, 4, 17),
        body: [["p", {}, "Why?"]],
        files: [{ position: 3, name: "notes.txt", kind: "text", size: 1200 }],
      },
    ],
  },
};

let root: HTMLElement;

/** Opens a link whose server gives these answers. Returns its live list of calls. */
async function open(answers: Record<string, FakeAnswer | readonly FakeAnswer[]>, path = `/s/${TOKEN}`) {
  history.replaceState(null, "", path);
  const calls = fakeApi(answers);
  await openLink(root);
  return calls;
}

/** Clicks the button with this text. */
function click(text: string): void {
  const button = [...root.querySelectorAll("button")].find(({ textContent }) => textContent?.includes(text));
  if (button === undefined) throw new Error(`There is no button ${text} in: ${root.textContent}`);
  button.click();
}

const busy =
  (seconds: string): FakeAnswer =>
  () =>
    new Response('{"code":"too-many-requests"}', { status: 429, headers: { "retry-after": seconds } });
const offline: FakeAnswer = () => Promise.reject(new TypeError("Failed to fetch"));

beforeEach(() => {
  localStorage.clear();
  document.head.innerHTML = '<meta name="application-name" content="Tea">';
  document.body.innerHTML = '<main id="root" aria-busy="true"></main>';
  const main = document.querySelector("main");
  if (main === null) throw new Error("There is no root");
  root = main;
  document.title = "Tea";
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  history.replaceState(null, "", "/");
});

describe("a link that can be read", () => {
  it("a link shows its page and title, and asks without cookies and without a session", async () => {
    const send = vi.fn(async (_url: string, _init: RequestInit) => Response.json(answer));
    history.replaceState(null, "", `/s/${TOKEN}`);
    vi.stubGlobal("fetch", send);
    await openLink(root);
    expect(root.querySelector("h1")?.textContent).toBe("Fjords");
    expect(root.getAttribute("aria-busy")).toBe("false");
    expect(document.title).toBe("Fjords");
    expect(root.textContent).not.toContain(screen.continue);
    expect(send).toHaveBeenCalledOnce();
    const [url, init] = send.mock.calls[0] ?? [];
    expect(url).toBe(`/api/shared/${TOKEN}`);
    expect(init?.credentials).toBe("omit");
    expect(new Headers(init?.headers).has("authorization")).toBe(false);
  });

  it("a link sends the session of this browser, unless it has expired", async () => {
    const session = tokenFor("1");
    localStorage.setItem("access_token", session);
    const [call] = await open({ [read]: { json: answer } });
    expect(call?.headers.get("authorization")).toBe(`Bearer ${session}`);
    localStorage.setItem("access_token", tokenFor("1", -10));
    const [late] = await open({ [read]: { json: answer } });
    expect(late?.headers.has("authorization")).toBe(false);
  });

  it("a link is shown in the language that was chosen in this browser, else in one of the browser's", async () => {
    localStorage.setItem("parley.language", "ar");
    await open({ [read]: { json: answer } });
    expect([document.documentElement.lang, document.documentElement.dir]).toEqual(["ar", "rtl"]);
    localStorage.clear();
    vi.spyOn(navigator, "languages", "get").mockReturnValue(["tlh", "de-AT"]);
    await open({ [read]: { json: answer } });
    expect([document.documentElement.lang, document.documentElement.dir]).toEqual(["de", "ltr"]);
    expect(root.textContent).toContain("Frage");
  });

  it("a page that the back/forward cache restores is loaded again, and one that was just loaded is not", async () => {
    await open({ [read]: { json: answer } });
    const reload = vi.spyOn(window.location, "reload").mockImplementation(() => undefined);
    const show = (persisted: boolean) => window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
    show(false);
    expect(reload).not.toHaveBeenCalled();
    show(true);
    expect(reload).toHaveBeenCalledOnce();
  });

  it("a file of a link is saved under its name", async () => {
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: () => undefined }));
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    const calls = await open({
      [read]: { json: answer },
      [`GET /shared/${TOKEN}/files/3?snapshot=${answer.page.createdAt}`]: { text: "words" },
    });
    getByRole(root, "button", { name: /^notes\.txt 1\.2.kB Download$/ }).click();
    await vi.waitFor(() => expect(saved).toEqual(["notes.txt"]));
    expect(calls).toHaveLength(2);
  });

  it("a file that cannot be read is reported at its button", async () => {
    await open({
      [read]: { json: answer },
      [`GET /shared/${TOKEN}/files/3?snapshot=${answer.page.createdAt}`]: problem(404, "not-found"),
    });
    click("notes.txt");
    await vi.waitFor(() => expect(root.textContent).toContain(english.page.notLoaded));
  });
});

describe("a link that cannot be read", () => {
  it("a link without a page offers the sign-in, which leads back to it", async () => {
    await open({ [read]: problem(404, "not-found") });
    expect(root.textContent).toBe(`Tea${screen.gone}${screen.goneSignedOut}${screen.signIn}`);
    expect(document.title).toBe("Tea");
    const reload = vi.spyOn(window.location, "reload").mockImplementation(() => undefined);
    click(screen.signIn);
    expect(reload).toHaveBeenCalledOnce();
    expect(location.pathname).toBe("/login");
    expect(history.state).toEqual({ usr: { from: `/s/${TOKEN}` } });
  });

  it.each(["/s/", "/s/a/b", "/s/%20", "/s/a.b"])(
    "the address %s shows the same page, without a request",
    async (path) => {
      expect(await open({}, path)).toEqual([]);
      expect(root.textContent).toBe(`Tea${screen.gone}${screen.goneSignedOut}${screen.signIn}`);
    },
  );

  it("a signed-in reader of a link without a page is not asked to sign in, unless the session has ended", async () => {
    localStorage.setItem("access_token", tokenFor("1"));
    await open({ [read]: problem(404, "not-found"), "GET /auth/me": { json: {} } });
    expect(root.textContent).toBe(`Tea${screen.gone}${screen.goneSignedIn}`);
    await open({ [read]: problem(404, "not-found"), "GET /auth/me": problem(401, "not-signed-in") });
    expect(root.textContent).toContain(screen.signIn);
  });

  it("a link waits as long as the server asks, and then tries again", async () => {
    vi.useFakeTimers();
    const calls = await open({ [read]: [busy("12"), { json: answer }] });
    expect(root.textContent).toContain("12 seconds");
    await vi.advanceTimersByTimeAsync(11_900);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    vi.useRealTimers();
    await vi.waitFor(() => expect(root.querySelector("h1")?.textContent).toBe("Fjords"));
    expect(calls).toHaveLength(2);
  });

  it.each(["", "soon", "-5", "0"])(
    "a link tries again after ten seconds if the server asks for %j",
    async (seconds) => {
      vi.useFakeTimers();
      await open({ [read]: busy(seconds) });
      expect(root.textContent).toContain("10 seconds");
    },
  );

  it("a link without a connection can be tried again, and keeps the focus", async () => {
    await open({ [read]: [offline, { json: answer }] });
    expect(root.textContent).toBe(`Tea${screen.unreachable}${screen.unreachableText}${screen.retry}`);
    root.querySelector("button")?.focus();
    click(screen.retry);
    expect(document.activeElement?.tagName).toBe("H1");
    await vi.waitFor(() => expect(root.querySelector("h1")?.textContent).toBe("Fjords"));
  });

  it.each([
    ["an error of the server", problem(500, "internal")],
    ["no JSON", { text: "<html>" }],
    ["JSON of another form", { json: { product: "Tea", page: null } }],
  ] satisfies [string, FakeAnswer][])("a link that is answered with %s can be tried again", async (_, broken) => {
    await open({ [read]: broken });
    expect(root.textContent).toBe(`Tea${screen.unexpected}${screen.unexpectedText}${screen.retry}`);
  });
});

describe("a chat that is continued", () => {
  beforeEach(() => localStorage.setItem("access_token", tokenFor("1")));

  it("a signed-in reader copies the chat, and arrives in the copy", async () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie that the server sets
    document.cookie = `${ANTI_FORGERY_COOKIE}=proof`;
    const urls = catchLeaving();
    const calls = await open({ [read]: { json: answer }, [copy]: { json: { id: "c 1&x" } } });
    click(screen.continue);
    expect(root.textContent).toContain(screen.continuing);
    click(screen.continuing);
    await vi.waitFor(() => expect(urls).toEqual(["/chat?c=c+1%26x"]));
    expect(calls.map(({ method }) => method)).toEqual(["GET", "POST"]);
    expect(calls[1]?.headers.get("authorization")).toBe(`Bearer ${localStorage.getItem("access_token")}`);
    expect(calls[1]?.headers.get(ANTI_FORGERY_HEADER)).toBe("proof");
  });

  it("a copy renews the token against forged requests once", async () => {
    const urls = catchLeaving();
    const calls = await open({
      [read]: { json: answer },
      [copy]: [problem(403, "csrf"), { json: { id: "1" } }],
      "GET /auth/config": { json: {} },
    });
    click(screen.continue);
    await vi.waitFor(() => expect(urls).toEqual(["/chat?c=1"]));
    expect(calls.map(({ path }) => path)).toEqual([
      `/shared/${TOKEN}`,
      `/shared/${TOKEN}/copy`,
      "/auth/config",
      `/shared/${TOKEN}/copy`,
    ]);
  });

  it.each([
    ["quota-reached", problem(409, "quota-reached"), screen.noRoom],
    ["not-found", problem(404, "not-found"), screen.gone],
    ["not-signed-in", problem(401, "not-signed-in"), screen.signedOut],
    ["internal", problem(500, "internal"), screen.notCopied],
    ["too-many-requests", busy("120"), "Too many requests. Please try again in 2 minutes."],
    ["offline", offline, screen.unreachable],
  ])("a copy that fails with %s says so, and can be tried again", async (_, failure, sentence) => {
    const urls = catchLeaving();
    await open({ [read]: { json: answer }, [copy]: [failure, { json: { id: "1" } }] });
    click(screen.continue);
    await vi.waitFor(() => expect(root.querySelector('[role="alert"]')?.textContent).toContain(sentence));
    click(screen.continue);
    await vi.waitFor(() => expect(urls).toEqual(["/chat?c=1"]));
  });
});
