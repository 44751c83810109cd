import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { ada, fakeApi, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import { catchLeaving } from "../../testing/leaving.ts";

const me = "GET /auth/me";
const logout = "POST /auth/logout";
const grace = { ...ada, id: "2", username: "grace" };

let stop: (() => void) | undefined;
let warning: MockInstance;

/** Simulates a newly opened page: fresh modules with the browser's existing storage. */
async function openPage() {
  vi.resetModules();
  const session = await import("./session.ts");
  const { api } = await import("../../api/client.ts");
  return {
    ...session,
    api,
    start() {
      stop = session.startSession();
    },
  };
}

function store(user: typeof ada, token = tokenFor(user.id)): string {
  localStorage.setItem("access_token", token);
  localStorage.setItem("user", JSON.stringify(user));
  return token;
}

const stored = () => [localStorage.getItem("access_token"), localStorage.getItem("user")];
const anotherTabChanges = (key = "access_token") => window.dispatchEvent(new StorageEvent("storage", { key }));

beforeEach(() => {
  localStorage.clear();
  warning = vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => {
  stop?.();
  stop = undefined;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("the session on load", () => {
  test("without a token there is no session, and no request to the server", async () => {
    const calls = fakeApi({});
    const page = await openPage();
    page.start();
    expect(page.currentSession()).toEqual({ token: null, user: null, ended: null, isSignedIn: false });
    expect(calls).toEqual([]);
  });

  test("the stored user is available at once, and the server's response replaces it", async () => {
    const token = store(ada);
    const calls = fakeApi({ [me]: { json: { ...ada, firstname: "Augusta" } } });
    const page = await openPage();
    page.start();
    expect(page.currentSession()).toMatchObject({ token, user: ada, isSignedIn: true });
    await vi.waitFor(() => expect(page.currentSession().user?.firstname).toBe("Augusta"));
    expect(calls.map(({ headers }) => headers.get("authorization"))).toEqual([`Bearer ${token}`]);
    expect(JSON.parse(localStorage.getItem("user") ?? "")).toMatchObject({ firstname: "Augusta" });
    expect(warning).not.toHaveBeenCalled();
  });

  test("a stored user that does not match the token is replaced by the token's user", async () => {
    store(grace, tokenFor(ada.id));
    fakeApi({ [me]: { json: ada } });
    const page = await openPage();
    page.start();
    await vi.waitFor(() => expect(page.currentSession().user?.username).toBe("ada"));
    expect(JSON.parse(localStorage.getItem("user") ?? "")).toEqual(ada);
  });

  test("a refused token is only logged; the next request signs out", async () => {
    store(ada);
    fakeApi({ [me]: problem(401, "not-signed-in"), "GET /models": problem(401, "not-signed-in") });
    const page = await openPage();
    page.start();
    await vi.waitFor(() => expect(warning).toHaveBeenCalledOnce());
    expect(page.currentSession().isSignedIn).toBe(true);
    const { modelListSchema } = await import("#contract/models/models.ts");
    await expect(page.api.get("/models", modelListSchema)).rejects.toMatchObject({ status: 401 });
    expect(page.currentSession()).toEqual({ token: null, user: null, ended: "lost", isSignedIn: false });
    expect(stored()).toEqual([null, null]);
  });

  test("an expired token does not count as a session, an undecodable one does", async () => {
    store(ada, tokenFor("1", -10));
    expect((await openPage()).currentSession().isSignedIn).toBe(false);
    store(ada, "opaque");
    expect((await openPage()).currentSession().isSignedIn).toBe(true);
  });

  test("an invalid stored user is ignored", async () => {
    store(ada);
    localStorage.setItem("user", '{"username":');
    expect((await openPage()).currentSession()).toMatchObject({ user: null, isSignedIn: true });
  });
});

describe("signing in and out", () => {
  test("signing in stores token and user under their specified keys", async () => {
    const page = await openPage();
    const listener = vi.fn();
    page.subscribeSession(listener);
    page.signIn({ access_token: "abc", user: ada, emailVerified: true });
    expect(page.currentSession()).toMatchObject({ token: "abc", user: ada, isSignedIn: true });
    expect(stored()).toEqual(["abc", JSON.stringify(ada)]);
    expect(listener).toHaveBeenCalledOnce();
  });

  test("signing out notifies the server and clears token and user", async () => {
    const token = store(ada);
    const calls = fakeApi({ [logout]: () => new Response(null, { status: 204 }) });
    const page = await openPage();
    await page.signOut();
    expect(calls.map(({ headers, body }) => [headers.get("authorization"), body])).toEqual([
      [`Bearer ${token}`, undefined],
    ]);
    expect(page.currentSession()).toEqual({ token: null, user: null, ended: "signed-out", isSignedIn: false });
    expect(stored()).toEqual([null, null]);
    expect(warning).not.toHaveBeenCalled();
  });

  test("signing out renews an expired CSRF token with the access token that it ends", async () => {
    const token = store(ada);
    const calls = fakeApi({
      [logout]: [problem(403, "csrf"), () => new Response(null, { status: 204 })],
      "GET /auth/config": { json: {} },
    });
    const page = await openPage();
    await page.signOut();
    expect(calls.map(({ path, headers }) => [path, headers.get("authorization")])).toEqual([
      ["/auth/logout", `Bearer ${token}`],
      ["/auth/config", `Bearer ${token}`],
      ["/auth/logout", `Bearer ${token}`],
    ]);
    expect(warning).not.toHaveBeenCalled();
  });

  test("signing out clears the session, and then opens the sign-out page of the provider that began it", async () => {
    store(ada);
    const urls = catchLeaving();
    fakeApi({
      [logout]: () => {
        expect(stored()).toEqual([null, null]);
        return Response.json({ providerLogout: "https://id.example/logout" });
      },
    });
    const page = await openPage();
    await page.signOut();
    expect(urls).toEqual(["https://id.example/logout"]);
    expect(warning).not.toHaveBeenCalled();
  });

  test("signing out opens no address of a provider that could run a script", async () => {
    store(ada);
    const urls = catchLeaving();
    fakeApi({ [logout]: { json: { providerLogout: "javascript:alert(1)" } } });
    const page = await openPage();
    await page.signOut();
    expect([urls, page.currentSession().ended]).toEqual([[], "signed-out"]);
    expect(warning).toHaveBeenCalledOnce();
  });

  test("signing out does not wait for the server", async () => {
    const token = store(ada);
    const calls = fakeApi({ [logout]: () => new Promise<Response>(() => {}) });
    const page = await openPage();
    void page.signOut();
    expect(page.currentSession()).toMatchObject({ token: null, user: null, ended: "signed-out" });
    expect(stored()).toEqual([null, null]);
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    expect(calls[0]?.headers.get("authorization")).toBe(`Bearer ${token}`);
  });

  test.each([
    ["refuses", problem(401, "not-signed-in")],
    ["fails", { status: 500, text: "" }],
    ["is away", () => Promise.reject(new TypeError("Failed to fetch"))],
  ])("signing out clears the session with a warning when the server %s", async (_, answer) => {
    store(ada);
    fakeApi({ [logout]: answer });
    const page = await openPage();
    page.start();
    await page.signOut();
    expect(page.currentSession()).toMatchObject({ token: null, ended: "signed-out" });
    expect(stored()).toEqual([null, null]);
    expect(warning).toHaveBeenCalled();
  });
});

describe("sessions of other tabs", () => {
  test("a sign-out in another tab ends the session in this one", async () => {
    store(ada);
    fakeApi({ [me]: { json: ada } });
    const page = await openPage();
    page.start();
    localStorage.clear();
    anotherTabChanges();
    expect(page.currentSession()).toMatchObject({ token: null, user: null, isSignedIn: false, ended: "signed-out" });
  });

  test("a sign-in in another tab starts the session in this one", async () => {
    fakeApi({});
    const page = await openPage();
    page.start();
    store(ada);
    anotherTabChanges();
    expect(page.currentSession()).toMatchObject({ user: ada, isSignedIn: true });
  });

  test("a sign-in with another account in another tab reloads this page", async () => {
    store(ada);
    fakeApi({ [me]: { json: ada } });
    const reload = vi.spyOn(window.location, "reload").mockImplementation(() => {});
    const page = await openPage();
    page.start();
    store(grace);
    anotherTabChanges();
    expect(reload).toHaveBeenCalledOnce();
  });

  test("a user's new names in another tab are applied here, those of another account are not", async () => {
    const token = store(ada);
    fakeApi({ [me]: { json: ada } });
    const page = await openPage();
    store({ ...ada, firstname: "Augusta" }, token);
    page.start();
    anotherTabChanges("user");
    expect(page.currentSession()).toMatchObject({ token, user: { firstname: "Augusta" } });
    store(grace, token);
    anotherTabChanges("user");
    expect(page.currentSession().user?.username).toBe("ada");
  });
});

describe("changes of the user", () => {
  test("a change of the user is stored with the token, and only for the same user", async () => {
    const token = store(ada);
    fakeApi({});
    const page = await openPage();
    page.updateUser({ ...ada, username: "countess" });
    expect(page.currentSession()).toMatchObject({ token, user: { username: "countess" } });
    expect(stored()).toEqual([token, JSON.stringify({ ...ada, username: "countess" })]);
    page.updateUser(grace);
    expect(page.currentSession().user?.username).toBe("countess");
  });

  test("a change of the user by another page or device is loaded", async () => {
    store(ada);
    fakeApi({ [me]: { json: { ...ada, email: "new@example.com" } } });
    const page = await openPage();
    await page.refreshUser();
    expect(page.currentSession().user?.email).toBe("new@example.com");
  });

  test("a change of the user is not overwritten by the stale response to an earlier request", async () => {
    store(ada);
    const before = Promise.withResolvers<Response>();
    fakeApi({ [me]: [() => before.promise, { json: { ...ada, username: "again" } }] });
    const page = await openPage();
    const refreshing = page.refreshUser();
    page.updateUser({ ...ada, username: "countess" });
    before.resolve(Response.json(ada));
    await refreshing;
    expect(page.currentSession().user?.username).toBe("countess");
    await page.refreshUser();
    expect(page.currentSession().user?.username).toBe("again");
  });

  test.each([
    { who: "another person", next: () => [store(grace), JSON.stringify(grace)] },
    {
      who: "nobody",
      next: () => {
        localStorage.clear();
        return [null, null];
      },
    },
  ])(
    "a change of the user does not overwrite another tab's session of $who, which this tab has not noticed yet",
    async ({ next }) => {
      store(ada);
      const answer = Promise.withResolvers<Response>();
      fakeApi({ [me]: () => answer.promise });
      const page = await openPage();
      const refreshing = page.refreshUser();
      const left = next();
      answer.resolve(Response.json(ada));
      await refreshing;
      expect(stored()).toEqual(left);
    },
  );

  test("a deleted account ends the session in this browser only", async () => {
    store(ada);
    const calls = fakeApi({});
    const page = await openPage();
    page.forgetSession();
    expect(page.currentSession()).toMatchObject({ token: null, user: null, ended: "signed-out" });
    expect(stored()).toEqual([null, null]);
    page.updateUser(ada);
    expect(stored()).toEqual([null, null]);
    expect(calls).toEqual([]);
  });
});
