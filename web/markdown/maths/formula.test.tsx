// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import "../../testing/english-texts.ts";
import { MarkdownReply } from "../markdown-reply.tsx";

/** Renders a reply and waits until its formula is rendered, or until it is shown as text. */
async function show(text: string, isSet = true): Promise<HTMLElement> {
  const { container } = render(<MarkdownReply text={text} isGrowing={false} prefix="m1" />);
  const sign = isSet ? ".katex" : 'span:is([class=""], .block)';
  // The maths module is loaded when the first formula occurs.
  await vi.waitFor(() => expect(container.querySelector(sign)).not.toBeNull());
  return container;
}

beforeAll(async () => {
  await import("./maths.ts");
});

afterEach(() => vi.restoreAllMocks());

describe("I5 formulas", () => {
  test.each([
    ["\\href{javascript:alert(1)}{x}"],
    ["\\url{https://evil.example}"],
    ["\\includegraphics{https://evil.example/x.png}"],
    ["\\htmlData{x=1}{x} \\htmlId{root}{x} \\htmlClass{fixed}{x} \\htmlStyle{position:fixed}{x}"],
  ])("formulas link, load and name nothing: %s", async (formula) => {
    const page = await show(`$$${formula}$$`, false);
    expect(page.textContent).toContain(formula);
    expect(page.querySelectorAll("a, img, [id], [data-x], .fixed")).toHaveLength(0);
    for (const element of page.querySelectorAll("[style]"))
      expect(element.getAttribute("style")).not.toContain("fixed");
  });

  test("formulas that LaTeX would reject log nothing to the console", async () => {
    const warn = vi.spyOn(console, "warn");
    const page = await show("$$é\\text{é}\\\\ x$$");
    expect(page.textContent).toContain("é");
    expect(warn).not.toHaveBeenCalled();
  });

  test("formulas have elements of bounded size", async () => {
    const page = await show("$$\\rule{5000em}{5000em}$$");
    expect(page.innerHTML).toContain("20em");
    expect(page.innerHTML).not.toContain("5000em;");
  });

  test.each([
    ["$$\\begin{aligned}\na &= b\n\\end{aligned}$$\n\nafter", "\\begin{aligned}\na &= b\n\\end{aligned}"],
    ["$$ a = 1\n+ b $$\n\nafter", "a = 1\n+ b"],
    ["$$a = 1$$\n\nafter", "a = 1"],
  ])("formulas do not remove words beside their dollars: %j", async (text, formula) => {
    const page = await show(text);
    expect(page.querySelector(".katex-display annotation")?.textContent).toBe(formula);
    expect(page.querySelector("p:last-child")?.textContent).toBe("after");
  });

  test("formulas without an end, and the text beside their dollars, are shown as written", async () => {
    expect((await show("Before\n\n$$\\frac{a", false)).textContent).toContain("\\frac{a");
  });

  test("formulas that are too long or expand without end stay as written", async () => {
    const long = "x + ".repeat(2000);
    expect((await show(`$$${long}$$`, false)).textContent).toContain(long.trim());
    expect((await show("$$\\def\\a{\\a\\a}\\a$$", false)).textContent).toContain("\\def");
    const grown = `\\def\\a{${"x".repeat(100)}}${"\\a".repeat(100)}`;
    expect((await show(`$$${grown}$$`, false)).textContent).toContain("\\def");
  });

  test("queued formulas do not show their source", async () => {
    // Each formula takes longer than a time slice.
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 50));
    const held = new Set<string>();
    const seen = new Set<string>();
    const { container } = render(
      <MarkdownReply text="$$x_1$$ and $$y_2$$ and $$z_3$$" isGrowing={false} prefix="m1" />,
    );
    const check = () => {
      for (const element of container.querySelectorAll("span.block, span[class='']"))
        if (
          element.closest(".katex, .reply-held") === null &&
          element.querySelector(".katex") === null &&
          element.textContent !== ""
        )
          seen.add(element.textContent ?? "");
      for (const element of container.querySelectorAll(".reply-held")) held.add(element.textContent ?? "");
    };
    const changes = new MutationObserver(check);
    changes.observe(container, { subtree: true, childList: true, characterData: true, attributes: true });
    await vi.waitFor(() => expect(container.querySelectorAll(".katex")).toHaveLength(3));
    check();
    changes.disconnect();
    expect([...held]).toContain("z_3");
    expect([...seen]).toEqual([]);
    expect(container.querySelector(".reply-held")).toBeNull();
  });

  test("formulas may define a few macros", async () => {
    const page = await show("$$\\newcommand{\\norm}[1]{\\lVert #1 \\rVert} \\norm{x} + \\norm{y}$$");
    expect(page.querySelector(".katex-html")?.textContent).toContain("∥x∥");
  });
});
