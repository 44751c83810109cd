import { expect, test } from "vitest";
import { wayOf } from "./cached-files.ts";

const ORIGIN = "https://chat.example.org";

const BESIDE = ["/look.js", "/favicon.svg"];

/** Returns the source of the response to a navigation request for a path. */
function navigate(path: string, more: Partial<Request> = {}): string {
  return wayOf(
    { method: "GET", mode: "navigate", destination: "document", url: ORIGIN + path, ...more } as Request,
    ORIGIN,
    BESIDE,
  );
}

test.each(["/", "/chat", "/chat?c=1", "/login", "/settings/account", "/verify-email?key=a.b&email=a@b.org", "/apish"])(
  "the path %s is a page",
  (path) => expect(navigate(path)).toBe("page"),
);

test.each([
  "/api",
  "/api/chat/1/export",
  "/api/docs/",
  "/healthz",
  "/readyz",
  "/sandbox/diagram.html",
  "/sandbox",
  "/s/5up3rS3cretToken000000",
  "/s/5up3rS3cretToken000000?x#y",
  "/s/",
  "/shared-page/assets/page-abc123.js",
  "/sw.js",
])("the path %s is left to the network", (path) => expect(navigate(path)).toBe("network"));

test("only a window's GET navigation is a page: no frame, no API call, no form", () => {
  expect(navigate("/chat", { destination: "iframe" })).toBe("network");
  expect(navigate("/chat", { mode: "cors", destination: "" })).toBe("network");
  expect(navigate("/chat", { method: "POST" })).toBe("network");
  expect(navigate("/chat", { url: "https://elsewhere.example.org/chat" })).toBe("network");
});

test("nothing of the page of a link is answered or cached, and pages with similar names are", () => {
  const script: Partial<Request> = { mode: "cors", destination: "script" };
  expect(navigate("/shared-page/assets/page-abc123.js", script)).toBe("network");
  expect(navigate("/s/5up3rS3cretToken000000", { mode: "cors", destination: "" })).toBe("network");
  expect(navigate("/settings")).toBe("page");
  expect(navigate("/sss/x")).toBe("page");
});

test("only files of a build are assets", () => {
  const script: Partial<Request> = { mode: "cors", destination: "script" };
  expect(navigate("/assets/chat-abc.js", script)).toBe("asset");
  expect(navigate("/assets/chat-abc.js", { ...script, url: "https://elsewhere.example.org/assets/a.js" })).toBe(
    "network",
  );
  expect(navigate("/assets/", script)).toBe("network");
  expect(navigate("/favicon.svg", script)).toBe("beside");
  expect(navigate("/other.svg", script)).toBe("network");
  expect(navigate("/api/assets/a.js", script)).toBe("network");
});
