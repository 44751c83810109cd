import { cleanup, render } from "@testing-library/react";
import { MemoryRouter, Navigate, Route, Routes } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { pathAfterSignIn } from "../accounts/sign-in/path-after-sign-in.ts";
import LinkPage from "./link-page.tsx";

const PATH = "/s/5up3r-S3cret_Token0000";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** Opens the page of the application at a link, in a document that the server has sent for a path. */
function openAt(sentFor: string): string[] {
  const opened: string[] = [];
  vi.spyOn(window.location, "replace").mockImplementation((url) => void opened.push(String(url)));
  const entry: object = { name: `https://chat.example.org${sentFor}` };
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([entry as PerformanceEntry]);
  render(
    <MemoryRouter initialEntries={["/login"]}>
      <Routes>
        <Route path="/login" element={<Navigate to={PATH} replace />} />
        <Route path="/s/:token" element={<LinkPage />} />
      </Routes>
    </MemoryRouter>,
  );
  return opened;
}

test("a link that the sign-in leads back to is opened as a document of its own", () => {
  expect(openAt("/login")).toEqual([PATH]);
});

test("a server without the document of links shows a page that is not found, and does not reload for ever", () => {
  expect(openAt(PATH)).toEqual([]);
  expect(document.body.textContent).toContain(PATH);
});

test.each([
  [PATH, PATH],
  ["/s/", "/chat"],
  ["/s/a/../../login", "/chat"],
  ["/s//evil.example", "/chat"],
  ["/s/a?x=1", "/chat"],
  ["//s/a", "/chat"],
  ["https://evil.example/s/a", "/chat"],
])("after a sign-in that began at %s, %s is opened", (from, path) => {
  expect(pathAfterSignIn({ from })).toBe(path);
});
