import { fromHtml } from "hast-util-from-html";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { SECOND } from "#contract/limits.ts";
import { MATHS_TAGS } from "#contract/text/html/maths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { loopIterations } from "../../../testing/app/loop-iterations.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { documentOf, exported, message } from "../../../testing/chats/exported-chats.ts";
import { vectors } from "../../../testing/rendering/all.ts";
import { costlyMarkup } from "../../../testing/rendering/costly-markup.ts";
import { HtmlRenderer, plainHtml } from "./html-renderer.ts";
import { renderMarkdown } from "./render-markdown.ts";

let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
  ada = await signUp(app);
});
afterAll(() => app[Symbol.asyncDispose]());

/** Imports a chat of a question and these answers; an empty one if there are none. @returns the path of its HTML file */
async function importedHtml(texts: string[], title = "Fjords"): Promise<string> {
  const { token } = ada;
  const question = message();
  const answers: ReturnType<typeof message>[] = [];
  for (const content of texts) {
    answers.push(message({ role: "assistant", content, parent: answers.at(-1)?.id ?? question.id }));
  }
  const leaf = answers.at(-1)?.id ?? null;
  const chat = exported({ title, messages: leaf ? [question, ...answers] : [], leaf, updatedAt: Date.now() });
  await app.call("POST", transferPaths.import, { token, body: documentOf({ chats: [chat] }) });
  const [newest] = (await (await app.call("GET", conversationPaths.chatHistory, { token })).json()) as { id: string }[];
  return `${transferPaths.chatExport(newest?.id ?? "")}?format=html`;
}

async function begunHtmlOf(texts: string[], title?: string) {
  const response = await app.call("GET", await importedHtml(texts, title), { token: ada.token });
  return { response, readAll: () => response.text() };
}

async function htmlOf(texts: string[], title?: string) {
  const { response, readAll } = await begunHtmlOf(texts, title);
  return { response, html: await readAll() };
}

type Node = { type: string; tagName?: string; properties?: Record<string, unknown>; children?: Node[] };

/** Returns every element of HTML, parsed like in a browser. */
function elementsOf(html: string, fragment = false): Node[] {
  const elements: Node[] = [];
  const walk = (node: Node): void => {
    if (node.type === "element") elements.push(node);
    for (const child of node.children ?? []) walk(child);
  };
  walk(fromHtml(html, { fragment }) as Node);
  return elements;
}

const harmless = new Set(
  (
    "h1 h2 h3 h4 h5 h6 p div section blockquote pre hr br figure figcaption details summary ul ol li dl dt dd table " +
    "caption colgroup col thead tbody tfoot tr th td a span strong b em i u s del ins mark small sub sup code kbd samp " +
    "var q cite abbr dfn time bdi bdo wbr ruby rt rp input"
  ).split(" "),
);
const attributes = new Set(
  (
    "className open href rel type disabled checked start align dir lang title value reversed colSpan rowSpan scope span " +
    "dateTime"
  ).split(" "),
);
const mathsTags = new Set(MATHS_TAGS);
/** Attributes that act, load, link or style, in HTML or in MathML. */
const ACTIVE = /^(?:on.*|style|class(?:name)?|id|href|.*:href|src|.*:src|actiontype|data.*|definitionurl|xml.*:.*)$/i;

function expectHarmless(html: string, text: string): void {
  for (const { tagName = "", properties = {} } of elementsOf(html, true)) {
    if (mathsTags.has(tagName)) {
      expect([text, Object.keys(properties).filter((name) => ACTIVE.test(name))]).toEqual([text, []]);
      continue;
    }
    expect([text, tagName, harmless.has(tagName)]).toEqual([text, tagName, true]);
    for (const [name, value] of Object.entries(properties)) {
      expect([text, name, attributes.has(name)]).toEqual([text, name, true]);
      if (name === "href") expect(String(value)).toMatch(/^(https?|mailto):/);
      if (name === "className") expect([tagName, value]).toEqual(["blockquote", ["alert"]]);
      if (name === "type") expect(value).toBe("checkbox");
    }
  }
}

it("an HTML file is self-contained, and its Content Security Policy forbids everything else", async () => {
  const { html, response } = await htmlOf(["**bold** and `code`\nnext line\n\n- [x] done\n\n| a |\n|---|\n| 1 |"]);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-security-policy")).toBe(
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
  );
  expect(html).toContain(
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">`,
  );
  expect(html).toContain("<strong>bold</strong> and <code>code</code><br />\nnext line");
  expect(html).toContain("<td>1</td>");
  expect(html).toContain('<input type="checkbox" checked disabled />');
  const tags = new Set(elementsOf(html).map(({ tagName }) => tagName));
  for (const tag of ["script", "link", "img", "iframe", "object", "form", "base", "svg"])
    expect(tags).not.toContain(tag);
});

it("a title is escaped in an HTML file", async () => {
  // Without messages, no process has to start: on a busy machine that may exceed its time limit, a 503.
  const { html, response } = await htmlOf([], "</title><script>alert(1)</script>\"'&");
  expect(response.status).toBe(200);
  expect(html).toContain("&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;");
  expect(html).not.toContain("<script");
});

describe("I1 messages in an HTML file", () => {
  it("a message in an HTML file contains only harmless elements and attributes, whatever its text", () => {
    expect(vectors.length).toBeGreaterThan(500);
    for (const { text } of vectors) expectHarmless(renderMarkdown(text), text);
  });

  it("a message in an HTML file contains links instead of images, and elements without their attributes", () => {
    expect(renderMarkdown("![A *cat*](https://a.example/x.png)")).toBe(
      '<p><a href="https://a.example/x.png" rel="noopener noreferrer">A cat</a></p>',
    );
    expect(renderMarkdown("# One\n\nTwo\n---\nThree\n=====\nEnd")).toBe(
      "<h1>One</h1>\n<p>Two</p>\n<hr />\n<p>Three</p>\n<hr />\n<p>End</p>",
    );
    expect(renderMarkdown("> [!tip]\n> One\n> **two**\n\n> [!TIP]")).toBe(
      '<blockquote class="alert">\n<p><strong>Tip</strong></p>\n<p>One<br />\n<strong>two</strong></p>\n</blockquote>\n' +
        "<blockquote>\n<p>[!TIP]</p>\n</blockquote>",
    );
    const body = "**bold**\n\n> [!NOTE]\n> x\n\n```\n</details>\n```";
    expect(renderMarkdown(`<details onclick=x>\n<summary>A *b*</summary>\n\n${body}\n</details>\n\nEnd`)).toBe(
      "<details open><summary>A <em>b</em></summary><p><strong>bold</strong></p>" +
        '<blockquote class="alert">\n<p><strong>Note</strong></p>\n<p>x</p>\n</blockquote>' +
        "<pre><code>&#x3C;/details>\n</code></pre></details>\n<p>End</p>",
    );
    expect(renderMarkdown("<details>one *two*</details>")).toBe(
      "<details open><summary>Details</summary><p>one <em>two</em></p></details>",
    );
    expect(renderMarkdown("a <b onclick=x>b</b>")).toBe("<p>a <b>b</b></p>");
    expect(renderMarkdown("<script>x</script>")).toBe("&#x3C;script>x&#x3C;/script>");
    expect(renderMarkdown("[a](/here) [b](javascript:x) [c](//x.example) [d](mailto:a@b.c)")).toBe(
      '<p><a>a</a> <a>b</a> <a>c</a> <a href="mailto:a@b.c" rel="noopener noreferrer">d</a></p>',
    );
  });
});

const mathsOf = (source: string, display = "") =>
  `<math xmlns="http://www.w3.org/1998/Math/MathML"${display}><semantics><mrow>${source}</mrow>`;

describe("formulas in an HTML file", () => {
  it.each([
    ["a $x$ b", `<p>a ${mathsOf("<mi>x</mi>")}`],
    ["a \\(x\\) b", `<p>a ${mathsOf("<mi>x</mi>")}`],
    ["\\[x\\]", mathsOf("<mi>x</mi>", ' display="block"')],
    ["$$x$$", mathsOf("<mi>x</mi>", ' display="block"')],
    ["| a |\n|---|\n| $x$ |", `<td>${mathsOf("<mi>x</mi>")}`],
  ])("a formula in an HTML file is MathML: %s", (markdown, html) => {
    expect(renderMarkdown(markdown)).toContain(html);
  });

  it.each([
    ["`$x$` and $5 or $6", "<p><code>$x$</code> and $5 or $6</p>"],
    ["a link $\\href{https://a.example}{b}$", "<p>a link <code>$\\href{https://a.example}{b}$</code></p>"],
    ["an invalid $\\frac$", "<p>an invalid <code>$\\frac$</code></p>"],
    ["$$\n\\begin{pmatrix}\n$$", "<pre><code>\\begin{pmatrix}</code></pre>"],
    ["$$\n<img src=x onerror=alert(1)>\\frac\n$$", "<pre><code>&#x3C;img src=x onerror=alert(1)>\\frac</code></pre>"],
  ])("a text that is no formula, or an invalid one, stays as written: %s", (markdown, html) => {
    expect(renderMarkdown(markdown)).toBe(html);
  });

  it("I1 formulas contain only harmless elements and attributes, also in a table, a link and a disclosure", () => {
    const formulas = [
      "\\href{javascript:alert(1)}{x}",
      "\\url{javascript:alert(1)}",
      "\\includegraphics{https://evil.example/x.png}",
      "\\htmlClass{a}{x}\\htmlId{b}{x}\\htmlStyle{color:red}{x}\\htmlData{c=d}{x}",
      "\\text{</annotation></semantics></math><img src=x onerror=alert(1)>}",
      "\\text{<style><img src=x onerror=alert(1)></style>}",
      "\\color{red;background:url(//evil.example)}x",
      "\\class{x}{y}\\unicode{x3C}\\char`<",
      "\\begin{CD} A @>a>> B \\\\ @VbVV @AAcA \\\\ C @= D \\end{CD}",
      "\\boxed{\\cancel{x}}\\overbrace{a}^{b}\\xrightarrow[c]{d}\\sqrt[3]{e}\\rule{1em}{1em}\\tag{1}",
    ];
    for (const formula of formulas) {
      for (const text of [`$$\n${formula}\n$$`, `$$x ${formula}$$ b`, `a $$${formula}$$ b`, `[$${formula}$](/x)`]) {
        const html = renderMarkdown(text);
        expectHarmless(html, text);
        expect(html).not.toMatch(/<(?:img|style|svg|script|span|mglyph|annotation-xml)/);
      }
    }
  });

  it("I9 formulas stay as written beyond the limits of their length, depth, expansion and number", () => {
    const written = (formula: string) => [formula, renderMarkdown(`$$\n${formula}\n$$`)] as const;
    const growing = "\\def\\a{xxxx}\\def\\b{\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b}";
    for (const [formula, html] of [
      written("x".repeat(4001)),
      written(`${"\\sqrt{".repeat(300)}x${"}".repeat(300)}`),
      written(growing + "\\c".repeat(600)),
      written("\\def\\a{\\a\\a}\\a"),
    ])
      expect(html).toBe(`<pre><code>${formula}</code></pre>`);
    const many = renderMarkdown(`$$\n${"\\frac{a}{b}".repeat(360)}\n$$\n\n`.repeat(200));
    expect(many.length).toBeLessThan(2_500_000);
    expect(many).toContain("<mfrac><mi>a</mi>");
    expect(many.endsWith("</code></pre>")).toBe(true);
  });
});

it("a diagram in an HTML file is its source with a caption; other code has none", async () => {
  const { html } = await htmlOf([
    "```mermaid\ngraph TD; A[<b>] --> B\n```",
    "```ts\nlet a;\n```",
    "Euler: $e^{i\\pi}$",
  ]);
  expect(html).toContain(
    "<figure><figcaption>Diagram (Mermaid source)</figcaption><pre><code>graph TD; A[&#x3C;b>] --> B\n</code></pre></figure>",
  );
  expect(html).toContain("<pre><code>let a;\n</code></pre>");
  expect(html.match(/<figure/g)).toHaveLength(1);
  expect(html).toContain(`<p>Euler: ${mathsOf("<msup><mi>e</mi><mrow><mi>i</mi><mi>π</mi></mrow></msup>")}`);
});

it("I9 a text that is expensive to parse as Markdown is plain text, and does not block the event loop", async () => {
  const texts = ["quotes", "a word of 1 MB"].map((name) => costlyMarkup[name] ?? "");
  const path = await importedHtml([...texts, "**the end**"]);
  const { result: html, iterations } = await loopIterations(async () =>
    (await app.call("GET", path, { token: ada.token })).text(),
  );
  expect(html).toContain("<strong>the end</strong>");
  // Rendered in this process, there would be some for each of the pieces that are sent. In another one: millions.
  expect(iterations).toBeGreaterThan(10_000);
});

it("I9 the next text is rendered after texts that are expensive to parse as Markdown", async () => {
  await using renderer = new HtmlRenderer(new AbortController().signal, { messageMs: SECOND });
  for (const name of ["brackets", "stars in words", "deep lists", "half links"]) {
    // Plain text, or rendered on a fast machine.
    expect((await renderer.render(costlyMarkup[name] ?? "")).join("")).not.toBe("");
    expect(await renderer.render("**next**")).toEqual(["<p><strong>next</strong></p>"]);
  }
});

it("a render process ends before a slow client has received the file", async () => {
  // More than the buffers up to the client can hold.
  const { response, readAll } = await begunHtmlOf(["**first**", ...Array<string>(16).fill("&".repeat(200_000))]);
  expect(response.status).toBe(200);
  await expect.poll(childProcesses).toEqual(0);
  const html = await readAll();
  expect(html).toContain("<strong>first</strong>");
  expect(html.endsWith("</html>\n")).toBe(true);
});

/** Number of child processes that this process refers to. */
const childProcesses = () => process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;

it("K1 a plain text is escaped completely, in steps of 64 kB", async () => {
  const { result: html, iterations } = await loopIterations(() => plainHtml(`"👍`.repeat(300_000)));
  expect(html).toBe(`<pre class="plain">${"&quot;👍".repeat(2000)}</pre>`.repeat(150));
  expect(iterations).toBeGreaterThanOrEqual(13);
});

describe("parts of an answer", () => {
  const content = "One **bold**.\n\n```\ncode\n\nmore\n```\n\nTwo.[^1]\n\n[^1]: A note.";
  const at = (words: string) => content.indexOf(words);
  const parts = [
    { seq: 0, at: 0, kind: "notice", code: "cut", params: { messages: 12 } },
    { seq: 1, at: 0, kind: "reasoning", text: "I **see** <b>.", durationMs: 65_000 },
    { seq: 2, at: at("\n\n```"), kind: "notice", code: "effort", params: { asked: "max", used: "high" } },
    { seq: 3, at: at("Two"), kind: "reasoning", text: "More thought" },
    { seq: 4, at: at("[^1]"), kind: "notice", code: "model", params: { model: "GPT:b", instead: "<X>:a" } },
    { seq: 5, at: at("\n\n[^1]: A"), kind: "hologram", code: "secret" },
  ];
  const CUT = "The model did not receive the first 12 messages: this chat is longer than its context window.";
  const EFFORT = "This model has no effort “Maximum”; “High” was used.";
  const MODEL = "&lt;X&gt;:a did not finish its answer; b continued it.";

  async function answerOf(query: string, words = content, given: object[] = parts) {
    const question = message();
    const answer = { ...message({ role: "assistant", content: words, parent: question.id }), parts: given };
    const chat = { ...exported({ leaf: answer.id, updatedAt: Date.now() }), messages: [question, answer] };
    const { token } = ada;
    await app.call("POST", transferPaths.import, { token, body: documentOf({ chats: [chat] }) });
    const [newest] = (await (await app.call("GET", conversationPaths.chatHistory, { token })).json()) as {
      id: string;
    }[];
    const response = await app.call("GET", `${transferPaths.chatExport(newest?.id ?? "")}?format=html${query}`, {
      token,
    });
    const html = await response.text();
    return html.slice(html.indexOf('class="answer"')).replaceAll(/\s+/g, " ");
  }

  it("an HTML file has notices between the blocks of an answer, and reasoning only on request", async () => {
    const html = await answerOf("");
    const note = (words: string) => `<p class="details notice">${words}</p>`;
    expect(html).toContain(
      `${note(CUT)} <p>One <strong>bold</strong>.</p> ${note(EFFORT)} <pre><code>code more </code></pre> ${note(MODEL)} <p>Two.`,
    );
    expect(html).not.toContain("thought");
    expect(html).not.toContain("secret");
    expect(await answerOf("&reasoning=false")).not.toContain("thought");
  });

  it("notices in an HTML file name the files that the model did not receive whole, in harmless words", async () => {
    const file = (seq: number, received: string, name: string) => {
      return { seq, at: 0, kind: "notice", code: "file", params: { file: "1", name, received } };
    };
    const html = await answerOf("", "Done.", [
      file(0, "none", "<b>.png"),
      file(1, "text", "a.pdf"),
      file(2, "part", "b.txt"),
      file(3, "new", "c.txt"),
      { seq: 4, at: 0, kind: "notice", code: "file", params: { name: "a.png", received: "none", reason: "refused" } },
      { seq: 5, at: 0, kind: "notice", code: "file", params: { name: "a.gif", received: "none", reason: "animated" } },
      { seq: 6, at: 0, kind: "notice", code: "files", params: { files: 21, names: "<i>.png, b.pdf" } },
    ]);
    const notices = [...html.matchAll(/<p class="details notice">(.*?)<\/p>/g)].map(([, words]) => words);
    expect(notices).toEqual([
      "The model did not receive the file “&lt;b&gt;.png”.",
      "The model received only the text of the file “a.pdf”.",
      "The model received only a part of the file “b.txt”.",
      "The model did not receive the file “a.png”: its provider did not accept it.",
      "The model did not receive the file “a.gif”: its provider accepts only still pictures.",
      "Files of earlier messages that the model did not receive whole: …, &lt;i&gt;.png, b.pdf.",
    ]);
  });

  it("reasoning in an HTML file is rendered as Markdown and harmless", async () => {
    const html = await answerOf("&reasoning=true");
    expect(html).toContain(
      '<details class="reasoning" open><summary class="details">Thought for 1m 5s</summary> <p>I <strong>see</strong> &#x3C;b>.</p> </details> <p>One',
    );
    expect(html).toMatch(/code more <\/code><\/pre> <details class="reasoning" open>.*>Reasoning<\/summary>/);
    expect(html.indexOf("More thought")).toBeLessThan(html.indexOf("<p>Two."));
  });

  it("notices and reasoning are within the text of an answer that is too long to be rendered", async () => {
    const long = `${"x".repeat(150_000)}\n\nEnd.`;
    const html = await answerOf("", long, [{ ...parts[2], seq: 0, at: 150_000 }]);
    expect(html).toContain(`x</pre> <p class="details notice">${EFFORT}</p> <pre class="plain"> End.</pre>`);
  });
});
