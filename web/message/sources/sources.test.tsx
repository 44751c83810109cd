import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { MessagePart } from "#contract/conversation/parts.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { Store } from "../../store/store.ts";
import "../../testing/english-texts.ts";
import { loadReplyModules } from "../../testing/render-growing-reply.tsx";
import { AnswerWords } from "../answer-words.tsx";
import { MessageContext } from "../message-context.ts";
import { useShownParts } from "../parts/parts-module.tsx";
import { richReplyModule } from "../reply-body.tsx";

loadReplyModules();
beforeEach(async () => {
  await richReplyModule.load();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SNAPSHOT = "The Sognefjord is long. It is “205 kilometres long”, and 1,303 metres deep. Ships call at Flåm.";
const OWN = "2026-01-02, the person: I want to see a fjord.";

/** A call with two sources: a page, and an own chat. */
const call: MessagePart = {
  ...{ seq: 0, at: 0, kind: "tool", server: "web", name: "read_page", call: "c", step: 0, state: "succeeded" },
  ...{ arguments: "{}", digest: "d", durationMs: 1000, result: `${SNAPSHOT}\n${OWN}` },
  sources: [
    ...[{ number: 1, url: "https://www.fjords.example/long", title: "Long fjords", from: 0, to: SNAPSHOT.length }].map(
      (source) => ({ ...source, fetchedAt: Date.UTC(2026, 4, 3, 12) }),
    ),
    { number: 2, url: "/chat?c=abc&m=def", title: "Travel", from: SNAPSHOT.length + 1, to: SNAPSHOT.length + 50 },
  ],
};

const TITLES: Record<string, [title: string, url: string]> = {
  1: ["Long fjords", "https://www.fjords.example/long"],
  2: ["Travel", "/chat?c=abc&m=def"],
};

/** A citation whose mark is the `nth` occurrence of `mark` in a text. */
function cites(text: string, mark: string, { source = "1", nth = 0, ...more }: Record<string, unknown> = {}) {
  const at = text.split(mark, Number(nth) + 1).join(mark).length + mark.length;
  const [title, url] = TITLES[String(source)] ?? ["", ""];
  return { seq: at + Number(source), at, kind: "source", source, url, title, tool: 0, checked: "unchecked", ...more };
}

function Answer({ message }: { message: ClientMessage }) {
  return <AnswerWords message={message} parts={useShownParts(message)} />;
}

async function show(content: string, parts: MessagePart[], more: Partial<ClientMessage> = {}) {
  const message: ClientMessage = {
    ...{ key: "m", id: "r1", role: "assistant", content, state: "complete", loading: false, parts },
    ...more,
  };
  const element = (shown: ClientMessage) => (
    <MemoryRouter>
      <MessageContext
        value={{ chat: "a", models: { state: new Store({ groups: [] }) }, memory: { get: () => new Map() as never } }}
      >
        <Answer message={shown} />
      </MessageContext>
    </MemoryRouter>
  );
  const page = render(element(message));
  await act(async () => {});
  const update = (next: Partial<ClientMessage>) => act(async () => page.rerender(element({ ...message, ...next })));
  return { page, update };
}

const marks = () => screen.findAllByRole("button", { name: /^Source \d/ });
const openCard = async (name: string | RegExp) => {
  fireEvent.click(await screen.findByRole("button", { name }));
  return screen.findByRole("dialog");
};

describe("marks of citations in the text", () => {
  test.each([
    ["a paragraph", "A fjord is long [1] and **deep**.", "p"],
    ["a list item", "- one\n- a fjord [1], deep\n- three", "li"],
    ["a table cell", "| a | b |\n| - | - |\n| long [1] | deep |", "td"],
    ["emphasis", "It is **very long [1]** there.", "strong"],
    ["a quote", "> It is long [1]\n> and deep.", "blockquote"],
    ["a heading", "## Long [1]\n\nWords.", "h2"],
    ["an answer that is HTML", "<p>It is long [1] and deep.</p>", "p"],
    ["a disclosure", "<details><summary>More [7]</summary>\n\nIt is long [1].\n\n</details>", "details p"],
    ["the paragraph of a mail address", "Ask a@b.example about it [1], or c@d.example.", "p"],
    ["a paragraph after formulas", "Costs $x$ and $y$.\n\nIt is $z$ long [1].", "p"],
    ["a paragraph behind nested fences", "```md\n```js\nx\n```\n```\n\nIt is long [1].", "p"],
    ["a line that an escape precedes", "2 \\* 3 &amp; it is\n   long [1].", "p"],
  ])("the mark of a citation stands in %s, which stays whole", async (_name, text, element) => {
    const without = await show(text, []);
    const words = without.page.container.textContent;
    const count = without.page.container.querySelectorAll(`.reply ${element}`).length;
    cleanup();
    const { page } = await show(text, [call, cites(text, "[1]")]);
    const [mark, ...others] = await marks();
    expect(others).toEqual([]);
    expect(mark?.textContent).toBe("[1]");
    expect(mark?.closest("sup")?.closest(element)).not.toBeNull();
    expect(page.container.querySelectorAll(`.reply ${element}`)).toHaveLength(count);
    expect(page.container.querySelector(".reply")?.parentElement?.textContent).toBe(words);
  });

  test("a mark at the end of an answer, and two marks of one source, have the same number", async () => {
    const text = "One [1]. Two [2].\n\nThree [1]";
    await show(text, [call, cites(text, "[1]"), cites(text, "[2]", { source: "2" }), cites(text, "[1]", { nth: 1 })]);
    expect((await marks()).map((mark) => [mark.textContent, mark.getAttribute("aria-label")])).toEqual([
      ["[1]", "Source 1: Long fjords"],
      ["[2]", "Source 2: Travel"],
      ["[1]", "Source 1: Long fjords"],
    ]);
  });

  test("a copied selection has the numbers of citations", async () => {
    await import("../../markdown/copying/copying.ts");
    const text = "A fjord is long [1], and **deep** [1, 9].";
    const { page } = await show(text, [call, cites(text, "[1]"), cites(text, "[1, 9]")]);
    await marks();
    const range = document.createRange();
    range.selectNodeContents(page.container.querySelector(".reply p") ?? page.container);
    document.getSelection()?.removeAllRanges();
    document.getSelection()?.addRange(range);
    const data = new Map<string, string>();
    const event = new Event("copy", { bubbles: true, cancelable: true });
    const clipboardData = { setData: (type: string, value: string) => data.set(type, value) };
    page.container.dispatchEvent(Object.assign(event, { clipboardData }));
    document.getSelection()?.removeAllRanges();
    expect(data.get("text/plain")).toBe(text);
    expect(data.get("text/html")).not.toContain("button");
  });

  test("a mark of several numbers has a button for each that has a source", async () => {
    const text = "It is long [1, 2, 9].";
    const { page } = await show(text, [call, cites(text, "[1, 2, 9]"), cites(text, "[1, 2, 9]", { source: "2" })]);
    expect((await marks()).map((mark) => mark.textContent)).toEqual(["1", "2"]);
    expect(page.container.querySelector(".reply")?.textContent).toBe(text);
  });

  test("a number without a source, in code or in a link, is no button, and no text is lost", async () => {
    const text = "Rows [3], `a[1]`, [b [1]](https://b.example/) and here [1].\n\n```js\nx[1]\n```";
    const { page } = await show(text, [call, ...[0, 1, 2, 3].map((nth) => cites(text, "[1]", { nth, seq: nth + 1 }))]);
    const [mark, ...others] = await marks();
    expect(others).toEqual([]);
    expect(mark?.previousSibling ?? mark?.closest("sup")?.previousSibling?.textContent).toBe(" and here ");
    expect(page.container.textContent).toContain("Rows [3], a[1], b [1] and here [1].");
    expect(page.container.querySelector("pre")?.textContent).toContain("x[1]");
  });

  test("an answer without citations has neither marks nor a list of sources", async () => {
    await show("Rows [1].", [call]);
    await screen.findByText(/Worked in/);
    expect(screen.queryByText(/source/i)).toBeNull();
    expect(screen.queryByRole("button", { name: /^Source/ })).toBeNull();
  });

  test("a growing answer has its mark once the citation is known, and further text keeps its element", async () => {
    const writing = { state: "writing" as const };
    const first = "- one\n- long [1]";
    const { page, update } = await show(`${first} a`, [call], writing);
    expect(screen.queryByRole("button", { name: /^Source/ })).toBeNull();
    expect(page.container.querySelector(".reply")?.textContent).toContain("long [1] a");
    const parts = [call, cites(first, "[1]")];
    await update({ ...writing, parts, content: `${first} and` });
    const [mark] = await marks();
    expect(mark?.closest("li")?.textContent).toBe("long [1] and");
    await update({ ...writing, parts, content: `${first} and deep\n- three\n\nA paragraph` });
    expect(await marks()).toEqual([mark]);
    await update({ parts, content: `${first} and deep\n- three\n\nA paragraph.` });
    expect(await marks()).toEqual([mark]);
    expect(page.container.querySelectorAll(".reply ul, .reply ol")).toHaveLength(1);
  });
});

describe("the card of a citation", () => {
  const QUOTED = "It says “205 kilometres long, and 1,303 metres deep” [1].";
  const quote = "205 kilometres long, and 1,303 metres deep";

  test("the card shows title, site, date and the quote marked in its passage, and returns the focus", async () => {
    const text = "It says so [1].";
    const found = cites(text, "[1]", { quote: 'IT IS "205 kilometres long", … deep', checked: "found" });
    await show(text, [call, found]);
    const card = await openCard("Source 1: Long fjords");
    expect(screen.getByRole("dialog", { name: "Source 1 Long fjords" })).toBe(card);
    await vi.waitFor(() => expect(document.activeElement).toBe(card));
    expect(card.textContent).toContain("fjords.example");
    expect(card.textContent).toContain("Read on May 3, 2026");
    expect(card.querySelector("mark")?.textContent).toBe("It is “205 kilometres long”, and 1,303 metres deep");
    expect(card.querySelector("mark")?.parentElement?.textContent).toBe(SNAPSHOT);
    const link = within(card).getByRole("link", { name: "Open the page" });
    expect(link.getAttribute("href")).toBe("https://www.fjords.example/long");
    expect([link.getAttribute("target"), link.getAttribute("rel")]).toEqual(["_blank", "noopener noreferrer nofollow"]);
    const [mark] = await marks();
    expect(mark?.getAttribute("aria-expanded")).toBe("true");
    fireEvent.keyDown(card, { key: "Escape" });
    await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await vi.waitFor(() => expect(document.activeElement).toBe(mark));
  });

  test("a quote that its source lacks is named so, in the card, the mark and the list", async () => {
    await show(QUOTED, [call, cites(QUOTED, "[1]", { quote: "1 metre long", checked: "missing" })]);
    const card = await openCard("Source 1: Long fjords. Its text does not have the quote");
    expect(card.textContent).toContain("This quote is not in the source.");
    expect(card.querySelector("blockquote")?.textContent).toBe("1 metre long");
    expect(card.querySelector("mark")).toBeNull();
    expect(screen.getByRole("list").textContent).toContain("quote not found");
  });

  test("a quote that is called found but is not in the snapshot is named as missing", async () => {
    await show(QUOTED, [call, cites(QUOTED, "[1]", { quote: "1 metre long", checked: "found" })]);
    expect((await openCard(/^Source 1/)).textContent).toContain("This quote is not in the source.");
  });

  test("a citation without a quote shows the beginning of its source, and says that nothing was checked", async () => {
    await show(QUOTED, [call, cites(QUOTED, "[1]")]);
    const card = await openCard("Source 1: Long fjords");
    expect(card.textContent).toContain("Not checked");
    expect(card.querySelector("blockquote")?.textContent).toBe(SNAPSHOT);
  });

  test("a source whose call is not here has its quote without a passage", async () => {
    await show(QUOTED, [cites(QUOTED, "[1]", { quote, checked: "found", tool: 7 })]);
    const card = await openCard("Source 1: Long fjords");
    expect(card.textContent).toContain("whose text is not here");
    expect(card.querySelector("blockquote")?.textContent).toBe(quote);
  });

  test("a source of an own chat opens its message in this page", async () => {
    const text = "You wrote it [2].";
    await show(text, [call, cites(text, "[2]", { source: "2" })]);
    const card = await openCard("Source 2: Travel");
    expect(card.textContent).toContain("Your chats");
    const link = within(card).getByRole("link", { name: "Open the message" });
    expect([link.getAttribute("href"), link.getAttribute("target")]).toEqual(["/chat?c=abc&m=def", null]);
  });

  test("an address that is no page and no chat is no link", async () => {
    await show(QUOTED, [cites(QUOTED, "[1]", { url: "javascript:alert(1)", title: "Bad" })]);
    const card = await openCard("Source 1: Bad");
    expect(within(card).queryByRole("link")).toBeNull();
    expect(screen.queryByRole("link")).toBeNull();
  });
});

test("the sources of an answer are listed once each, folded below it", async () => {
  const text = "One [1]. Two [2]. Again [1].";
  const { page } = await show(text, [
    ...[call, cites(text, "[1]"), cites(text, "[2]", { source: "2" }), cites(text, "[1]", { nth: 1 })],
  ]);
  const list = await screen.findByText("2 sources");
  const details = list.closest("details");
  expect(details?.open).toBe(false);
  expect(page.container.querySelector("[data-words]")?.contains(list)).toBe(false);
  const links = [...(details?.querySelectorAll("a") ?? [])].map((link) => [
    link.textContent,
    link.getAttribute("href"),
  ]);
  expect(links).toEqual([
    ["Long fjords", "https://www.fjords.example/long"],
    ["Travel", "/chat?c=abc&m=def"],
  ]);
});
