import { expect, it } from "vitest";
import { citedSources, sourcesMarkdown, webAddressOf, SOURCE_WORDS as words } from "./cited-sources.ts";

const source = (number: string, more: object = {}) => ({
  ...{ seq: 0, at: 3, kind: "source", source: number, url: `https://a.example/${number}`, title: `T${number}` },
  ...{ checked: "found", ...more },
});

it("lists each source that is cited once, by number, and names a quote that is missing anywhere", () => {
  const parts = [source("10"), source("2", { checked: "missing" }), source("2"), { seq: 9, at: 0, kind: "tool" }];
  expect(citedSources(parts).map(({ number, isMissing }) => [number, isMissing])).toEqual([
    ["2", true],
    ["10", false],
  ]);
  expect(sourcesMarkdown(citedSources(parts), words)).toBe(
    "**Sources**\n\n- [2] T2 <https://a.example/2> (quote not found)\n- [10] T10 <https://a.example/10>",
  );
});

it("lists each of two addresses that have one number", () => {
  const parts = [source("1"), source("1", { url: "https://b.example/", title: "B" }), source("1")];
  expect(citedSources(parts).map(({ number, url, title }) => [number, url, title])).toEqual([
    ["1", "https://a.example/1", "T1"],
    ["1", "https://b.example/", "B"],
  ]);
});

it("escapes the title of a source, and writes no address that is not of the web", () => {
  const hostile = source("1", { title: "![x](javascript:1)\n<b>", url: "javascript:alert(1)" });
  expect(sourcesMarkdown(citedSources([hostile]), words)).toBe("**Sources**\n\n- [1] !\\[x\\](javascript:1) \\<b\\>");
  const own = source("1", { title: "", url: "/chat?c=a" });
  expect(sourcesMarkdown(citedSources([own]), words)).toBe("**Sources**\n\n- [1] /chat?c=a");
  const numbered = source("1](javascript:1)");
  expect(sourcesMarkdown(citedSources([numbered]), words)).toContain("[1\\](javascript:1)] T1");
  expect(sourcesMarkdown([], words)).toBe("");
  for (const other of ["javascript:alert(1)//https://a", " https://a.example", "https:///a", "//a.example", "data:x"])
    expect(webAddressOf(other)).toBeNull();
  expect(webAddressOf("https://a.example/(x)<y>")).toBe("https://a.example/(x)%3Cy%3E");
});

it("removes characters from titles and addresses that would show another page than they open", () => {
  const hostile = source("1", {
    title: "Safe \u202Emoc.live\u2066\u0000\u0007 page",
    url: "https://bank.example@evil.example/\u202E\0a",
  });
  expect(sourcesMarkdown(citedSources([hostile]), words)).toBe(
    "**Sources**\n\n- [1] Safe moc.live page <https://evil.example/%E2%80%AE%00a>",
  );
  const nameless = source("1\u202E", { title: "\u202E", url: "https://a.example/\u202E1" });
  expect(citedSources([nameless])).toMatchObject([{ number: "1", title: "https://a.example/1" }]);
  for (const broken of ["https://a b/", "https://[1", "https://a.example:99999/", "https://a\u0000.example/"])
    expect(webAddressOf(broken)).toBeNull();
});
