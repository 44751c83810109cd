// @vitest-environment happy-dom
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import "../testing/english-texts.ts";
import { isHtmlAnswer } from "#contract/text/html/html-answer.ts";
import { problemsOf } from "../testing/harmless-page.ts";
import { hostileTexts } from "../testing/hostile-texts.ts";
import { htmlToReact } from "./html/html-reply.tsx";
import { MarkdownReply } from "./markdown-reply.tsx";

/** Renders a reply as Markdown or HTML, depending on its text. */
function show(text: string, isGrowing = false): HTMLElement {
  const page = document.createElement("div");
  const isHtml = isHtmlAnswer(text);
  const markup = renderToStaticMarkup(
    isHtml ? htmlToReact(text) : <MarkdownReply text={text} isGrowing={isGrowing} prefix="m1" />,
  );
  page.innerHTML = markup;
  return page;
}

const expectHarmless = (page: HTMLElement) => expect(problemsOf(page, "m1")).toEqual([]);

describe("I1 I2 I3 I5 no part of a reply runs, loads or misleads", () => {
  test.each(hostileTexts)("a complete reply is harmless: %s", (text) => {
    expectHarmless(show(text));
  });

  test.each(hostileTexts)("a streaming reply is harmless at each point: %s", (text) => {
    for (let end = 1; end < text.length; end += 3) expectHarmless(show(text.slice(0, end), true));
  });
});

describe("rendered Markdown", () => {
  test("Markdown renders line breaks, tables and task lists", () => {
    const page = show("one\ntwo\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done");
    expect(page.querySelector("p br")).not.toBeNull();
    expect([...page.querySelectorAll("td")].map((cell) => cell.textContent)).toEqual(["1", "2"]);
    expect(page.querySelector("li input[checked]")).not.toBeNull();
  });

  test.each([
    "| a | 2024 |\n|---|---:|\n| 3 apples | **1,200** |\n| v2 | -4 % |",
    "<table><tr><th>a</th><th>2024</th></tr><tr><td>3 apples</td><td><b>1,200</b></td></tr><tr><td>v2</td><td>-4 %</td></tr></table>",
  ])("Markdown gives tabular figures only to cells that are numbers: %j", (text) => {
    const numbers = [...show(text).querySelectorAll(".reply-number")].map((cell) => cell.textContent);
    expect(numbers).toEqual(["2024", "1,200", "-4 %"]);
  });

  test("Markdown shows unknown tags as text, and renders harmless ones", () => {
    const page = show("a <spam>b</spam> H<sub>2</sub>O<br>x <b>bold</b> <kbd>K</kbd> <!-- no -->");
    expect(page.textContent).toContain("a <spam>b</spam> H2O");
    expect(page.textContent).not.toContain("no");
    for (const tag of ["sub", "br", "b", "kbd"]) expect(page.querySelector(tag)).not.toBeNull();
  });

  test("Markdown opens links in a new tab, and renders images as links that show their address", () => {
    const page = show("[a](https://example.com/a) https://example.com/b ![cat](https://example.com/cat.png)");
    const links = [...page.querySelectorAll("a")];
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "https://example.com/a",
      "https://example.com/b",
      "https://example.com/cat.png",
    ]);
    expect(links[2]?.textContent).toContain("Image: cat (https://example.com/cat.png)");
  });

  test("a picture within a link is its alternative text, without a link of its own", () => {
    for (const text of [
      "[![cat](https://example.com/cat.png)](https://example.com/a)",
      'x <a href="https://example.com/a"><img src="https://example.com/cat.png" alt=cat></a>',
      "<p><a href=https://example.com/a><img src=https://example.com/cat.png alt=cat></a>",
    ]) {
      const links = [...show(text).querySelectorAll("a")];
      expect(links.map((link) => [link.getAttribute("href"), link.textContent])).toEqual([
        ["https://example.com/a", "Image: cat"],
      ]);
    }
  });

  test("Markdown shows code with its language, in a list too", () => {
    const page = show("```js\nlet a;\n```\n\n1. x\n   ```py\n   b\n   ```");
    const figures = [...page.querySelectorAll("figure")];
    expect(figures.map((figure) => figure.querySelector("figcaption span")?.textContent)).toEqual([
      "JavaScript",
      "Python",
    ]);
    expect(figures.map((figure) => figure.querySelector("pre")?.textContent)).toEqual(["let a;", "b"]);
  });

  test("Markdown decodes entities", () => {
    expect(show("a &amp; b &lt;p&gt; &copy;").textContent).toBe("a & b <p> ©");
  });

  test("only footnote links lead into the page", () => {
    const page = show("[x](#main) [y](#m1-main) [z](#m2-fn-1)\n\n<b>w</b>");
    expect(page.querySelector("a")).toBeNull();
    expect(page.textContent).toContain("x y z");
    expect(show("<p><a href=#m1-fn-1>x</a></p>").querySelector("a")).toBeNull();
  });

  test("Markdown links footnotes to their positions in the page", () => {
    const page = show("x[^1]\n\n[^1]: note");
    const href = page.querySelector("sup a")?.getAttribute("href");
    expect(href).toBe("#m1-fn-1");
    expect(page.querySelector(`li[id="m1-fn-1"]`)).not.toBeNull();
  });
});

test("an HTML reply is rendered without Markdown", () => {
  const page = show(
    "<h2>Title</h2><p>**not bold**</p><ol start=3><li>x</li></ol><pre><code class=language-js>a</code></pre>",
  );
  expect(page.querySelector("h2")?.textContent).toBe("Title");
  expect(page.querySelector("p")?.textContent).toBe("**not bold**");
  expect(page.querySelector("ol")?.getAttribute("start")).toBe("3");
  expect(page.querySelector("figure pre")?.textContent).toBe("a");
});
