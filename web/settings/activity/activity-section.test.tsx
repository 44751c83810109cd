import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { DAY } from "#contract/limits.ts";
import { type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { client, eachTestAlone, openSettings, press } from "../../testing/open-settings.tsx";

eachTestAlone();

describe("the log of an account", () => {
  const event = (id: number) => ({ ...client, id: `e${id}`, kind: "signed-in", at: Date.now() - id * DAY });

  const page = (from: number, count: number) => Array.from({ length: count }, (_, index) => event(from + index));
  const comeBack = () => act(async () => window.dispatchEvent(new Event("online")));
  const shown = () => screen.getAllByText("Signed in").map((text) => text.closest("li")?.id);

  test("the log is shown by days and pages, without a gap or a duplicate", async () => {
    await openSettings("security", {
      "GET /auth/security-log": { json: page(0, 50) },
      "GET /auth/security-log?before=e49": { json: page(50, 3) },
    });
    expect(await screen.findByRole("heading", { name: "Today" })).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Yesterday" })).toBeTruthy();
    await press("Show more");
    await waitFor(() => expect(screen.getAllByText("Signed in")).toHaveLength(53));
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
    await waitFor(() => expect(document.activeElement?.id).toBe("e50"));
  });

  test("the log retains loaded events when newer ones push them off the newest page", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    await openSettings("security", {
      "GET /auth/security-log": [{ json: page(10, 50) }, () => promise, { json: page(0, 50) }],
      "GET /auth/security-log?before=e59": { json: page(60, 3) },
    });
    await press("Show more");
    await waitFor(() => expect(shown()).toHaveLength(53));
    await comeBack();
    await act(async () => resolve(Response.json(page(5, 50))));
    expect(shown()).toEqual(page(5, 58).map(({ id }) => id));
    await comeBack();
    expect(shown()).toEqual(page(0, 63).map(({ id }) => id));
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  });

  test("the log restarts from the newest page if more events happened than it holds, so that no gap is hidden", async () => {
    await openSettings("security", {
      "GET /auth/security-log": [{ json: page(100, 50) }, { json: page(0, 50) }],
      "GET /auth/security-log?before=e149": { json: page(150, 3) },
      "GET /auth/security-log?before=e49": { json: page(50, 50) },
    });
    await press("Show more");
    await waitFor(() => expect(shown()).toHaveLength(53));
    await comeBack();
    expect(shown()).toEqual(page(0, 50).map(({ id }) => id));
    await press("Show more");
    expect(shown()).toEqual(page(0, 100).map(({ id }) => id));
  });

  test("the last entry of the log keeps the focus if the log ends with a full page", async () => {
    await openSettings("security", {
      "GET /auth/security-log": { json: page(0, 50) },
      "GET /auth/security-log?before=e49": { json: [] },
    });
    await press("Show more");
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
    await waitFor(() => expect(document.activeElement?.id).toBe("e49"));
  });

  test("loading more of the log focuses the first new entry, even if a frame is painted before it", async () => {
    vi.stubGlobal("requestAnimationFrame", (paint: FrameRequestCallback) => {
      paint(performance.now());
      return 0;
    });
    await openSettings("security", {
      "GET /auth/security-log": { json: page(0, 50) },
      "GET /auth/security-log?before=e49": { json: page(50, 3) },
    });
    await press("Show more");
    await waitFor(() => expect(document.activeElement?.id).toBe("e50"));
  });

  test("an empty log shows a message, and a failed load can be retried", async () => {
    await openSettings("security", { "GET /auth/security-log": [problem(503, "unavailable"), { json: [] }] });
    expect((await screen.findByRole("alert")).textContent).toContain("The service is not available right now.");
    await press("Try again");
    expect(await screen.findByText("Nothing has happened yet.")).toBeTruthy();
  });
});

describe("changes by administrators", () => {
  const record = (seq: number, more: object = {}) => ({ seq, at: 1, kind: "account-enabled", actor: null, ...more });
  const lines = () => screen.getAllByRole("listitem").filter(({ id }) => id.startsWith("own-record-"));
  async function open(answers: Record<string, FakeAnswer | FakeAnswer[]>) {
    await openSettings("security", { "GET /auth/security-log": { json: [] }, ...answers });
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "By administrators" })));
  }

  test("a change by an administrator is listed with the role of the actor and the values before and after", async () => {
    const role = { before: { role: "person" }, after: { role: "manager" } };
    const entries = [
      record(7, { kind: "role-changed", ...role, actor: { isOwn: false, role: "owner" } }),
      record(6, {
        kind: "quota-changed",
        before: { quotaMb: null },
        after: { quotaMb: 5 },
        actor: { isOwn: true, role: "owner" },
      }),
      record(5, { actor: { isOwn: false, role: "administrator" } }),
      record(4, { actor: { isOwn: false } }),
      record(3, { actor: { isOwn: false, role: "person" } }),
      record(2),
      record(1, { kind: "flown-to-the-moon" }),
    ];
    await open({ "GET /auth/audit": { json: { entries } } });
    await waitFor(() => expect(lines()).toHaveLength(7));
    const texts = lines().map(({ textContent }) => textContent);
    expect(texts[0]).toMatch(/^Role changedRole: Person → ManagerBy an owner/);
    expect(texts[1]).toMatch(/^Quota changedQuota in MB: none → 5By you/);
    expect(texts[2]).toMatch(/^Account enabledBy an administrator/);
    expect(texts[3]).toMatch(/By a deleted account/);
    expect(texts[4]).toMatch(/By a former administrator/);
    expect(texts[5]).toMatch(/By the server/);
    expect(texts[6]).toMatch(/^Other action/);
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  });

  test("changes by administrators are read by pages", async () => {
    const entries = Array.from({ length: 50 }, (_, at) => record(100 - at));
    await open({
      "GET /auth/audit": { json: { entries } },
      "GET /auth/audit?before=51": { json: { entries: [record(50)] } },
    });
    await waitFor(() => expect(lines()).toHaveLength(50));
    await press("Show more");
    await waitFor(() => expect(lines()).toHaveLength(51));
    await waitFor(() => expect(document.activeElement?.id).toBe("own-record-50"));
  });

  test("an empty or failed list of changes by administrators shows a message, and can be read again", async () => {
    await open({ "GET /auth/audit": [problem(503, "unavailable"), { json: { entries: [] } }] });
    await press("Try again");
    expect(await screen.findByText("No administrator has changed your account")).toBeTruthy();
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Security log" })));
    expect(screen.getByText("Nothing has happened yet.")).toBeTruthy();
  });
});
