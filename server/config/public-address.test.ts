import { expect, it } from "vitest";
import { problemsOf } from "../../testing/config/problems-of.ts";

it.each([
  "https://example.org/chat",
  "https://example.org/?tenant=1",
  "https://example.org/?",
  "https://example.org/#chat",
  "https://ada:hidden-word@example.org",
])("refuses %s as the public address, because browsers need an origin of its own", (PUBLIC_URL) => {
  const [problem = "", ...others] = problemsOf({ PUBLIC_URL });
  expect(others).toEqual([]);
  expect(problem).toMatch(/^PUBLIC_URL must be the address of a host alone.*__Host-.*local storage.*service worker/);
  expect(problem).toMatch(/Use a host name or a port of its own for Parley$/);
  expect(problem).not.toContain("hidden-word");
});

it.each(["https://chat.example.org:8443", "http://192.0.2.7//"])("accepts %s as the public address", (PUBLIC_URL) => {
  expect(problemsOf({ PUBLIC_URL })).toEqual([]);
});
