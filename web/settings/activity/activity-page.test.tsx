import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { DAY } from "#contract/limits.ts";
import { problem } from "../../testing/fake-api.ts";
import { client, eachTestAlone, openSettings, press } from "../../testing/open-settings.tsx";

eachTestAlone();

describe("activity", () => {
  const event = (id: number) => ({ ...client, id: `e${id}`, kind: "signed-in", at: Date.now() - id * DAY });

  const page = (from: number, count: number) => Array.from({ length: count }, (_, place) => event(from + place));
  const comeBack = () => act(async () => window.dispatchEvent(new Event("online")));
  const shown = () => screen.getAllByText("Signed in").map((text) => text.closest("li")?.id);

  test("the log is shown by days and pages, without a gap or a duplicate", async () => {
    await openSettings("activity", {
      "GET /auth/security-log": { json: page(0, 50) },
      "GET /auth/security-log?before=e49": { json: page(50, 3) },
    });
    expect(screen.getByRole("heading", { name: "Today" })).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Yesterday" })).toBeTruthy();
    await press("Show more");
    await waitFor(() => expect(screen.getAllByText("Signed in")).toHaveLength(53));
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
    await waitFor(() => expect(document.activeElement?.id).toBe("e50"));
  });

  test("the log retains loaded events when newer ones push them off the newest page", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    await openSettings("activity", {
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
    await openSettings("activity", {
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

  test("the last entry keeps the focus if the log ends with a full page", async () => {
    await openSettings("activity", {
      "GET /auth/security-log": { json: page(0, 50) },
      "GET /auth/security-log?before=e49": { json: [] },
    });
    await press("Show more");
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
    await waitFor(() => expect(document.activeElement?.id).toBe("e49"));
  });

  test("loading more focuses the first new entry, even if a frame is painted before it is rendered", async () => {
    vi.stubGlobal("requestAnimationFrame", (paint: FrameRequestCallback) => {
      paint(performance.now());
      return 0;
    });
    await openSettings("activity", {
      "GET /auth/security-log": { json: page(0, 50) },
      "GET /auth/security-log?before=e49": { json: page(50, 3) },
    });
    await press("Show more");
    await waitFor(() => expect(document.activeElement?.id).toBe("e50"));
  });

  test("an empty log shows a message, and a failed load can be retried", async () => {
    await openSettings("activity", { "GET /auth/security-log": [problem(503, "unavailable"), { json: [] }] });
    expect((await screen.findByRole("alert")).textContent).toContain("The service is not available right now.");
    await press("Try again");
    expect(await screen.findByText("Nothing has happened yet.")).toBeTruthy();
  });
});
