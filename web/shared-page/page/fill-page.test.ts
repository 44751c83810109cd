import { beforeEach, describe, expect, it, test, vi } from "vitest";
import { type PageNode, pagePhrases, pageRemarks, type SharedPage } from "#contract/shares/shared-page.ts";
import { languages } from "../../locales/supported-languages.ts";
import { fillPage, type PageView } from "./fill-page.ts";
import { loadSharedPageTexts } from "./page-texts.ts";

const AT = Date.UTC(2026, 4, 17, 9, 30);
const texts = await loadSharedPageTexts("en");

const pageWith = (change: Partial<SharedPage> = {}): SharedPage => ({
  title: "Fjords",
  createdAt: AT,
  messages: [],
  ...change,
});

/** Shows a page in the document. */
function show(page: SharedPage, change: Partial<PageView> = {}): HTMLElement {
  const readFile = async () => new Blob(["x"]);
  fillPage(document.body, { answer: { product: "Tea", page }, texts, language: "en", readFile, ...change });
  return document.body;
}

/** Shows an answer of these nodes, and returns the element that contains its text. */
function showAnswer(...body: PageNode[]): Element {
  show(pageWith({ messages: [{ role: "assistant", model: "GPT", createdAt: AT, body }] }));
  const words = document.querySelector(".answer > .words");
  if (words === null) throw new Error("There is no answer");
  return words;
}

beforeEach(() => document.body.replaceChildren());

describe("the page of a link", () => {
  it("the page shows the product, the title, the author, the date and that an assistant helped", () => {
    const { textContent } = show(pageWith({ author: "Ada Lovelace" }));
    for (const text of ["Tea", "Fjords", "Shared by Ada Lovelace", "May 17, 2026", texts.page.written])
      expect(textContent).toContain(text);
    expect(document.querySelectorAll("h1")).toHaveLength(1);
  });

  it("the page shows questions and answers in order, with their models, times and remarks", () => {
    show(
      pageWith({
        messages: [
          { role: "user", createdAt: AT, body: [["p", {}, "Why?"]] },
          { role: "assistant", model: "GPT", createdAt: AT, body: [["p", {}, "Because."]], remark: "stopped" },
          { role: "assistant", createdAt: AT, body: ["Costly"], isSimple: true },
        ],
      }),
    );
    const messages = [...document.querySelectorAll("section")];
    expect(messages.map(({ className }) => className)).toEqual([
      "message question",
      "message answer",
      "message answer",
    ]);
    expect(messages.map((message) => message.querySelector("h2")?.textContent)).toEqual(["Question", "GPT", "Answer"]);
    expect(messages[1]?.querySelector("time")?.dateTime).toBe("2026-05-17T09:30:00.000Z");
    expect(messages[1]?.textContent).toContain("Because.This answer was stopped.");
    expect(messages[2]?.querySelector(".words")?.className).toBe("words simple-shaping");
  });

  it("the page says that a chat without messages has none", () => {
    expect(show(pageWith()).textContent).toContain(texts.page.empty);
  });

  it("the page ignores a time that is none, and a remark of a newer server", () => {
    const message: object = { role: "user", createdAt: Number.NaN, body: ["A"], remark: "constructor" };
    const page: object = { ...pageWith(), createdAt: 1e99, messages: [message] };
    const { textContent } = show(page as SharedPage);
    expect(textContent).not.toMatch(/invalid|undefined|function/i);
  });

  it("the page can be shown in a shadow root, and shows a given control in its bar", () => {
    const host = document.createElement("div");
    document.body.append(host);
    const root = host.attachShadow({ mode: "open" });
    const action = document.createElement("button");
    const readFile = async () => new Blob();
    fillPage(root, { answer: { product: "Tea", page: pageWith() }, texts, language: "en", readFile, action });
    expect(root.querySelector(".bar > button")).toBe(action);
    expect(root.querySelector("h1")?.textContent).toBe("Fjords");
  });
});

describe("the allow-list of the page", () => {
  it("the page creates allowed elements with their allowed attributes", () => {
    const words = showAnswer(
      ["h2", { align: "center", dir: "rtl" }, "Title"],
      ["ol", { start: "3" }, ["li", { value: "4" }, "one"]],
      ["table", {}, ["tr", {}, ["td", { colSpan: "2", className: "own-way" }, "cell"]]],
      ["blockquote", { class: "alert" }, "Watch"],
      ["details", { open: "" }, ["summary", {}, "More"]],
    );
    expect(words.querySelector("h2")?.getAttributeNames()).toEqual(["align", "dir"]);
    expect(words.querySelector("ol")?.getAttribute("start")).toBe("3");
    expect(words.querySelector("td")?.colSpan).toBe(2);
    expect(words.querySelector("td")?.className).toBe("own-way");
    expect(words.querySelector("blockquote")?.className).toBe("alert");
    expect(words.querySelector("details")?.open).toBe(true);
  });

  it.each([
    "script",
    "style",
    "iframe",
    "object",
    "embed",
    "img",
    "svg",
    "form",
    "button",
    "link",
    "meta",
    "base",
    "template",
    "slot",
    "video",
    "my-element",
    "SCRIPT",
    "a onclick=x",
    "constructor",
    "__proto__",
    "",
  ])("the page shows an element named %s as its text", (name) => {
    const words = showAnswer([name, { src: "https://evil.example/x", onload: "alert(1)" }, "in", ["b", {}, "side"]]);
    expect(words.innerHTML).toBe("inside");
  });

  it("the page drops attributes that run scripts, load, style or name elements", () => {
    const words = showAnswer([
      "p",
      {
        onclick: "alert(1)",
        style: "position:fixed",
        id: "root",
        name: "x",
        class: "bar alert message",
        srcdoc: "x",
        href: "https://evil.example",
        slot: "x",
        is: "x",
        "data-x": "1",
        title: "A title",
      },
      "text",
    ]);
    const paragraph = words.querySelector("p");
    expect(paragraph?.getAttributeNames().toSorted()).toEqual(["class", "title"]);
    expect(paragraph?.className).toBe("alert");
  });

  it.each([
    "javascript:alert(1)",
    " JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "blob:https://chat.example/1",
    "file:///etc/passwd",
    "//evil.example",
    "/chat?c=1",
    "#top",
    "",
  ])("a link to %j leads nowhere", (href) => {
    const link = showAnswer(["a", { href, target: "_self", ping: "https://evil.example" }, "here"]).querySelector("a");
    expect(link?.getAttributeNames()).toEqual([]);
    expect(link?.textContent).toBe("here");
  });

  it("links lead to the web and to mail addresses, in a new tab that knows nothing of this page", () => {
    const words = showAnswer(
      ["a", { href: "https://example.org/a" }, "web"],
      ["a", { href: "mailto:a@b.org" }, "mail"],
    );
    for (const link of words.querySelectorAll("a")) {
      expect(link.rel).toBe("noopener noreferrer nofollow");
      expect(link.target).toBe("_blank");
    }
    expect([...words.querySelectorAll("a")].map(({ href }) => href)).toEqual([
      "https://example.org/a",
      "mailto:a@b.org",
    ]);
  });

  it("an input is a disabled checkbox with a name, and nothing else", () => {
    const words = showAnswer(
      ["li", {}, ["input", { type: "checkbox", checked: "" }], "a"],
      ["li", {}, ["input", { type: "checkbox", name: "x" }], "b"],
      ["li", {}, ["input", { type: "password" }], "c"],
    );
    const boxes = [...words.querySelectorAll("input")];
    expect(boxes.map(({ type, disabled, checked }) => [type, disabled, checked])).toEqual([
      ["checkbox", true, true],
      ["checkbox", true, false],
    ]);
    expect(boxes.map((box) => box.getAttribute("aria-label"))).toEqual(["Done", "Not done"]);
  });

  it("formulas have the namespace and the elements of MathML only", () => {
    const words = showAnswer([
      "math",
      { xmlns: "http://www.w3.org/1999/xhtml", display: "block", onclick: "x", href: "javascript:x" },
      ["mfrac", { linethickness: "0" }, ["mi", { mathvariant: "bold" }, "x"], ["mn", {}, "2"]],
      ["mtext", {}, ["a", { href: "https://evil.example" }, "no link"], ["script", {}, "no script"]],
    ]);
    const formula = words.querySelector("math");
    expect(formula?.namespaceURI).toBe("http://www.w3.org/1998/Math/MathML");
    expect(formula?.getAttributeNames()).toEqual(["display"]);
    expect(words.querySelector("mi")?.getAttribute("mathvariant")).toBe("bold");
    expect(words.querySelector("mtext")?.innerHTML).toBe("no linkno script");
    expect(showAnswer(["mrow", {}, "outside"]).innerHTML).toBe("outside");
  });

  it("markup in texts stays text", () => {
    const written = "<img src=x onerror=alert(1)> &amp; </div>";
    expect(showAnswer(["p", {}, written]).querySelector("p")?.textContent).toBe(written);
    show(pageWith({ title: written, author: written }));
    expect(document.querySelector("h1")?.textContent).toBe(written);
    expect(document.querySelector("img")).toBeNull();
  });

  it("elements deeper than a browser can nest become text", () => {
    let node: PageNode = "deep";
    for (let depth = 0; depth < 50_000; depth++) node = ["div", {}, node];
    const words = showAnswer(node);
    expect(words.textContent).toBe("deep");
    expect(words.querySelectorAll("div").length).toBeLessThan(300);
  });
});

describe("words of the product", () => {
  test.each(languages.map(({ tag }) => tag))(
    "phrases and remarks are in the language of the reader: %s",
    async (tag) => {
      const own = await loadSharedPageTexts(tag);
      const body: PageNode[] = [
        ["details", {}, ["summary", {}, ["phrase", { key: "reasoning" }]]],
        ["phrase", { key: "tool", name: "search" }],
      ];
      const page = pageWith({ messages: [{ role: "assistant", createdAt: AT, body, remark: "failed" }] });
      const { textContent } = show(page, { texts: own, language: tag });
      expect(document.querySelector("summary")?.textContent).toBe(own.phrases.reasoning);
      expect(textContent).toContain(own.remarks.failed);
      expect(textContent).toMatch(/search/);
      expect(textContent).not.toContain("{{");
      expect(document.querySelector(".shared-page")?.getAttribute("lang")).toBe(tag);
      expect(document.querySelector(".shared-page")?.getAttribute("dir")).toBe(tag === "ar" ? "rtl" : "ltr");
    },
  );

  it("words of the product do not turn the text around them, and their own disclosures are in their direction", async () => {
    const arabic = await loadSharedPageTexts("ar");
    const body: PageNode[] = [
      ["details", { class: "reasoning" }, ["summary", {}, ["phrase", { key: "reasoning" }]]],
      ["details", {}, ["summary", {}, ["phrase", { key: "details" }]]],
    ];
    const page = pageWith({ messages: [{ role: "assistant", createdAt: AT, body }] });
    show(page, { texts: arabic, language: "ar" });
    const [ofProduct, ofText] = document.querySelectorAll("details");
    expect([ofProduct?.dir, ofText?.dir]).toEqual(["rtl", ""]);
    expect(ofText?.querySelector("summary > bdi")?.textContent).toBe(arabic.phrases.details);
  });

  it("each phrase and each remark has words", () => {
    expect(Object.keys(texts.phrases).sort()).toEqual([...pagePhrases].sort());
    expect(Object.keys(texts.remarks).sort()).toEqual([...pageRemarks].sort());
  });

  it("the page isolates a Latin name within an Arabic sentence", async () => {
    const arabic = await loadSharedPageTexts("ar");
    show(pageWith({ author: "Ada" }), { texts: arabic, language: "ar" });
    expect(document.body.textContent).toContain("\u2068Ada\u2069");
  });

  it("the page shows nothing for a phrase of a newer server", () => {
    expect(showAnswer(["phrase", { key: "constructor" }], ["phrase", {}], "end").textContent).toBe("end");
  });
});

test("a table scrolls from the start of its own direction", () => {
  const words = showAnswer(["table", { dir: "rtl" }, ["tr", {}, ["td", {}, "مد"]]], ["table", {}, ["tr", {}]]);
  const frames = [...words.querySelectorAll<HTMLElement>(".table-frame")];
  expect(frames.map(({ dir }) => dir)).toEqual(["rtl", ""]);
});

describe("code of the page", () => {
  it("code has its language and a button that copies it", async () => {
    const writeText = vi.fn(async () => undefined);
    vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
    const words = showAnswer(["pre", {}, ["code", { className: "language-ts" }, "let a = 1;\n"]]);
    const button = words.querySelector("button");
    expect(words.querySelector(".code-bar")?.textContent).toBe("tsCopy");
    button?.click();
    await vi.waitFor(() => expect(button?.textContent).toBe("Copied"));
    expect(writeText).toHaveBeenCalledWith("let a = 1;");
    vi.unstubAllGlobals();
  });

  it("code without a language is named", () => {
    expect(showAnswer(["pre", {}, ["code", {}, "a"]]).querySelector(".code-bar")?.textContent).toBe("CodeCopy");
  });

  it("plain text that is preformatted has no button", () => {
    expect(showAnswer(["pre", { className: "plain" }, "text"]).querySelector("button")).toBeNull();
  });
});
