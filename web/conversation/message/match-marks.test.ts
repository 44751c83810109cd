import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queryWords } from "../../search/match-words.ts";
import { clearMatches, markMatches } from "./match-marks.ts";
import { findInElement } from "./match-text.ts";

class FakeHighlight extends Set<StaticRange> {
  constructor(...ranges: StaticRange[]) {
    super(ranges);
  }
}
const registry = new Map<string, FakeHighlight>();

class FakeStaticRange {
  constructor(init: StaticRangeInit) {
    Object.assign(this, init);
  }
}

beforeEach(() => {
  registry.clear();
  vi.stubGlobal("Highlight", FakeHighlight);
  vi.stubGlobal("StaticRange", FakeStaticRange);
  vi.stubGlobal("CSS", { highlights: registry });
  // The clock stands still, so that a search ends within its first time slice on a busy machine too.
  vi.spyOn(performance, "now").mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
  clearMatches();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

function messageOf(html: string): HTMLElement {
  const message = document.createElement("li");
  message.innerHTML = `<h2>Server needle</h2><div data-words="">${html}</div><button>Copy needle</button>`;
  document.body.append(message);
  return message;
}

const textOf = ({ startContainer, startOffset, endContainer, endOffset }: StaticRange) => {
  const [start, end] = [startContainer.textContent ?? "", endContainer.textContent ?? ""];
  if (startContainer === endContainer) return start.slice(startOffset, endOffset);
  return `${start.slice(startOffset)}…${end.slice(0, endOffset)}`;
};
const marked = () => [...(registry.get("search") ?? [])].map(textOf);
const press = (key: string, more: KeyboardEventInit = {}) =>
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more }));

test.each([
  ["all of several words", "<p>A needle, two NEEDLES</p><p>in hay</p>", "hay needle", ["needle", "NEEDLE", "hay"]],
  [
    "code and tables",
    "<pre><code><span>x</span><span> = needle</span></code></pre><td>needle</td>",
    "needle",
    ["needle", "needle"],
  ],
  ["words across elements", "<p>nee<b>d</b>le</p>", "needle", ["nee…le"]],
  ["no words across blocks", "<p>nee</p><p>dle</p>nee<br>dle", "needle", []],
  ["words next to a block", "<div>hay<p>needle</p>needle</div>", "needle", ["needle", "needle"]],
  [
    "no text for screen readers only",
    '<h2 class="sr-only">needle</h2><math>needle</math><button>needle</button>',
    "needle",
    [],
  ],
  ["scripts without spaces", "<p>東京都と東京</p>", "東京", ["東京", "東京"]],
  [
    "words beside full-width punctuation and within emphasis",
    "<p>これは<strong>「重要なこと」</strong>です。重<em>要</em></p>",
    "重要",
    ["重要", "重…要"],
  ],
  [
    "words of two scripts beside full-width brackets",
    "<p><b>（注意：GPT）</b>注意</p>",
    "注意 gpt",
    ["注意", "GPT", "注意"],
  ],
  ["no letter of another voice", "<p>かき、がき、カキ</p>", "がき", ["がき"]],
  ["accents within a letter", "<p>cre\u0300me</p>", "creme", ["cre\u0300me"]],
])("a hit marks %s", (_, html, query, expected) => {
  markMatches(messageOf(html), query, () => {});
  expect(marked()).toEqual(expected);
});

test("a hit marks the text that replaces another, and reports it", async () => {
  const message = messageOf("<p>**needle**</p>");
  const onFound = vi.fn();
  markMatches(message, "needle", onFound);
  const words = message.querySelector("[data-words]");
  if (words) words.innerHTML = "<p><b>needle</b> and needle</p>";
  await vi.waitFor(() => expect(marked()).toEqual(["needle", "needle"]));
  expect(onFound).toHaveBeenCalledTimes(2);
});

test("the marks of a hit go with the next key, but not with a held key or a modifier", () => {
  const listener = vi.fn((event: KeyboardEvent) => event.stopPropagation());
  document.body.addEventListener("keydown", listener);
  markMatches(messageOf("needle"), "needle", () => {});
  press("Enter", { repeat: true });
  press("Shift");
  expect(marked()).toEqual(["needle"]);
  press("Escape");
  expect(registry.size).toBe(0);
  expect(listener.mock.calls.every(([event]) => !event.defaultPrevented)).toBe(true);
  document.body.removeEventListener("keydown", listener);
});

test("the marks of another hit replace those of the one before", () => {
  markMatches(messageOf("needle"), "needle", () => {});
  markMatches(messageOf("hay"), "hay", () => {});
  expect(marked()).toEqual(["hay"]);
});

test("a hit paints nothing in a browser without highlights, and does not fail", () => {
  vi.stubGlobal("Highlight", undefined);
  const onFound = vi.fn();
  markMatches(messageOf("needle"), "needle", onFound);
  expect([registry.size, onFound.mock.calls.length]).toEqual([0, 1]);
});

test("a long text is searched in steps, and no word is cut", () => {
  const root = document.createElement("div");
  root.textContent = "hay needle ".repeat(10_000);
  const steps = [...findInElement(root, queryWords("needle"))];
  expect(steps.length).toBeGreaterThan(10);
  expect(
    steps
      .flat()
      .map(textOf)
      .filter((text) => text === "needle"),
  ).toHaveLength(10_000);
});
