import { expect, it } from "vitest";
import { namesOfClient } from "./client-names.ts";

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1";

it.each([
  [CHROME, { browser: "Chrome", system: "Linux" }],
  [SAFARI, { browser: "Safari", system: "iOS" }],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
    { browser: "Firefox", system: "Windows" },
  ],
  ["curl/8.5.0", { browser: "curl", system: "" }],
  ["", { browser: "", system: "" }],
])("names browser and system of the user agent %j", async (userAgent, names) => {
  expect(await namesOfClient(userAgent)).toEqual(names);
});

it.each([
  "Call 0900-123, it is urgent/1.0 x",
  "evil.example/1.0 now",
  "https://evil.example/ 1.0",
  "<b>Evil</b>/1.0",
  `${"a".repeat(31)}/1`,
  "\r\nBcc: eve@example.org/1",
])("does not repeat untrusted text of the user agent %j", async (userAgent) => {
  expect(await namesOfClient(userAgent)).toEqual({ browser: "", system: "" });
});
