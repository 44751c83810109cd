// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from "vitest";
import "../../testing/english-texts.ts";
import { loadReplyModules, mountReply } from "../../testing/render-growing-reply.tsx";
import { writeMessages } from "./copying.ts";

loadReplyModules();

const ANSWER = [
  "## Title",
  "Some **bold** and `code` with $x^2$, [a link](https://a.example/).",
  "- one\n- two",
  "| a | b |\n| --- | --: |\n| 1 | 2 |",
  "```js\nlet a < 1;\n```",
  "$$\ny\n$$",
  "> [!NOTE]\n> Noted.",
].join("\n\n");

/** Simulates the clipboard of the copy event, which a page over plain http has too. */
function copiedByEvent(): Map<string, string> {
  const data = new Map<string, string>();
  vi.stubGlobal("ClipboardItem", undefined);
  document.execCommand = () => !dispatchCopy(document.activeElement ?? document.body, data);
  return data;
}

function dispatchCopy(target: Element, data: Map<string, string>): boolean {
  const event = new Event("copy", { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { setData: (type: string, value: string) => data.set(type, value) } });
  return target.dispatchEvent(event);
}

describe("copied messages", () => {
  afterEach(() => vi.restoreAllMocks());

  test("an answer is Markdown as text, and HTML with inline styles", async () => {
    const data = copiedByEvent();
    expect(await writeMessages([{ author: null, text: ANSWER }])).toBe(true);
    expect(data.get("text/plain")).toBe(ANSWER);
    const page = document.createElement("div");
    page.innerHTML = data.get("text/html") ?? "";
    const styleOf = (selector: string) => page.querySelector(selector)?.getAttribute("style") ?? "";
    expect(page.querySelector("h2")?.textContent).toBe("Title");
    expect(styleOf("h2")).toContain("font-size");
    expect(styleOf("td")).toContain("border:1px solid");
    expect(styleOf('td[align="right"]')).toContain("text-align:right");
    expect(styleOf("pre")).toContain("Consolas");
    expect(page.querySelector("pre")?.textContent).toBe("let a < 1;\n");
    expect(page.querySelector("a")?.href).toBe("https://a.example/");
    expect(page.querySelector("blockquote b")?.textContent).toBe("Note");
    expect(page.textContent).toContain("code with $x^2$,");
    expect(page.textContent?.match(/y/g)).toHaveLength(1);
    expect(page.querySelector("[class], script, button")).toBeNull();
  });

  test("an answer that cites is followed by its sources, with those that lack their quote named", async () => {
    const data = copiedByEvent();
    const source = { seq: 0, at: 12, kind: "source", url: "https://a.example/x", checked: "missing", quote: "words" };
    const parts = [
      { ...source, source: "2", title: "Two *stars*" },
      { ...source, seq: 1, source: "1", title: "Own", url: "/chat?c=a", checked: "unchecked" },
    ];
    const list = "**Sources**\n\n- [1] Own\n- [2] Two \\*stars\\* <https://a.example/x> (quote not found)";
    expect(await writeMessages([{ author: null, text: "Words [1, 2].", parts }])).toBe(true);
    expect(data.get("text/plain")).toBe(`Words [1, 2].\n\n${list}`);
    const page = document.createElement("div");
    page.innerHTML = data.get("text/html") ?? "";
    expect(page.querySelector("p")?.textContent).toBe("Words [1, 2].");
    expect([...page.querySelectorAll("li")].map((item) => item.textContent)).toEqual([
      "[1] Own",
      "[2] Two *stars* https://a.example/x (quote not found)",
    ]);
    expect(page.querySelector("a")?.href).toBe("https://a.example/x");
    await writeMessages([{ author: "Server", text: "<p>So [2]</p>", parts: parts.slice(0, 1) }]);
    page.innerHTML = data.get("text/html") ?? "";
    expect(page.querySelector("li")?.textContent).toContain("[2] Two");
  });

  test("a chat has the names of its authors, and its questions are as they were written", async () => {
    const data = copiedByEvent();
    const question = { author: "You", text: "**Why** <b>?\nNow", isQuestion: true };
    await writeMessages([question, { author: "Server", text: "**So**" }]);
    expect(data.get("text/plain")).toBe("**You:**\n\n**Why** <b>?\nNow\n\n**Server:**\n\n**So**");
    const page = document.createElement("div");
    page.innerHTML = data.get("text/html") ?? "";
    expect([...page.querySelectorAll("p")].map((line) => line.innerHTML)).toEqual([
      "<b>You:</b>",
      "**Why** &lt;b&gt;?<br>Now",
      "<b>Server:</b>",
      "<strong>So</strong>",
    ]);
  });

  test("where a script may not copy by the event, both forms are written in one item", async () => {
    document.execCommand = () => false;
    const written: Record<string, Blob>[] = [];
    vi.stubGlobal(
      "ClipboardItem",
      class {
        constructor(item: Record<string, Blob>) {
          written.push(item);
        }
      },
    );
    const write = vi.fn(() => Promise.resolve());
    vi.spyOn(navigator, "clipboard", "get").mockReturnValue({ write } as never);
    expect(await writeMessages([{ author: null, text: "**a**" }])).toBe(true);
    expect(write).toHaveBeenCalledOnce();
    expect(await written[0]?.["text/plain"]?.text()).toBe("**a**");
    expect(await written[0]?.["text/html"]?.text()).toBe('<p style="margin:0 0 12px"><strong>a</strong></p>');
  });

  test("an answer that is HTML keeps its elements, and loses what runs", async () => {
    const data = copiedByEvent();
    await writeMessages([{ author: null, text: "<p onclick=alert(1)>a <b>b</b><script>c</script></p>" }]);
    expect(data.get("text/html")).toBe('<p style="margin:0 0 12px">a <b>b</b></p>');
  });
});

describe("a copied selection", () => {
  let page: HTMLElement;
  let close: (() => Promise<void>) | undefined;

  afterEach(() => close?.());

  async function select(from: (page: Element) => Node | null, to: (page: Element) => Node | null) {
    const mounted = mountReply();
    ({ page, close } = mounted);
    page.setAttribute("data-words", "");
    await mounted.show(ANSWER, false);
    const [start, end] = [from(page), to(page)];
    if (!start || !end) throw new Error("Nothing to select");
    const range = document.createRange();
    range.setStartBefore(start);
    range.setEndAfter(end);
    document.getSelection()?.removeAllRanges();
    document.getSelection()?.addRange(range);
    const data = new Map<string, string>();
    dispatchCopy(page, data);
    return data;
  }

  test("a whole answer is its Markdown again, each formula once", async () => {
    const data = await select(
      (answer) => answer.querySelector("h2"),
      (answer) => answer.querySelector("[role=note]"),
    );
    expect(data.get("text/plain")).toBe(ANSWER);
    expect(data.get("text/html")).toContain("<h2 style=");
    expect(data.get("text/html")).not.toContain("katex");
  });

  test("words of several messages have the names of their authors, and HTML its elements without line breaks", async () => {
    document.body.insertAdjacentHTML(
      "beforeend",
      `<ol id="all"><li><h2>You</h2><div data-words=""><span>Why\nso</span></div></li>
      <li><h2>Server</h2><div data-words=""><div class="reply"><ul>\n<li>a</li>\n</ul></div></div></li></ol>`,
    );
    const all = document.getElementById("all");
    const range = document.createRange();
    if (all) range.selectNodeContents(all);
    document.getSelection()?.removeAllRanges();
    document.getSelection()?.addRange(range);
    const data = new Map<string, string>();
    dispatchCopy(document.body, data);
    all?.remove();
    expect(data.get("text/plain")).toBe("**You:**\n\nWhy\nso\n\n**Server:**\n\n- a");
    expect(data.get("text/html")).toContain("Why<br>so");
    expect(data.get("text/html")).toMatch(/<ul>\s*<li>a<\/li>\s*<\/ul>/);
  });

  test("items of a list stay items, and rows of a table rows", async () => {
    const item = (answer: Element) => answer.querySelectorAll("li")[1] ?? null;
    expect((await select(item, item)).get("text/plain")).toBe("- two");
    const row = (answer: Element) => answer.querySelector("tbody tr");
    expect((await select(row, row)).get("text/html")).toContain("<table style=");
  });

  test("a selection within code, or outside of messages, is left to the browser", async () => {
    const code = (answer: Element) => answer.querySelector("pre code")?.firstChild ?? null;
    expect((await select(code, code)).size).toBe(0);
  });
});
