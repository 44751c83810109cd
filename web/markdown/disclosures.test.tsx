// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import "../testing/english-texts.ts";
import { isHtmlAnswer } from "#contract/text/html/html-answer.ts";
import { MarkdownReply } from "./markdown-reply.tsx";

afterEach(cleanup);

const show = (text: string, { isGrowing = false, seams = [] as readonly number[] } = {}) =>
  render(<MarkdownReply text={text} seams={seams} isGrowing={isGrowing} prefix="m1" />).container;
const words = (element: Element | null | undefined) => element?.textContent?.replaceAll(/\s+/g, " ").trim();

/** Returns the details elements with their summaries and the words of their bodies. */
const disclosures = (page: Element) =>
  [...page.querySelectorAll("details")].map((details) => {
    const [summary, ...body] = details.children;
    return [summary?.localName, words(summary), body.map(words).join(" ").trim()];
  });

describe("complete disclosures", () => {
  test.each([
    ["<details>\n<summary>Why</summary>\n\nBecause **so**.\n\n</details>\n\nAfter.", "Why", "Because so."],
    ["<details><summary>Why</summary>\nBecause **so**.\n</details>\nAfter.", "Why", "Because so."],
    ["<details><summary>Why</summary>Because **so**.</details>\n\nAfter.", "Why", "Because so."],
    ["Before\n<details>\n<summary>Why</summary>\nBecause **so**.</details>\n\nAfter.", "Why", "Because so."],
    [
      '<DETAILS class="x">\n\n<summary id="y">Why</summary>\n\nBecause **so**.\n</DETAILS>\nAfter.',
      "Why",
      "Because so.",
    ],
    ["<details>\n\nBecause **so**.\n\n</details>\n\nAfter.", "Details", "Because so."],
  ])("a disclosure is rendered natively with Markdown inside: %j", (text, summary, body) => {
    const page = show(text);
    expect(disclosures(page)).toEqual([["summary", summary, body]]);
    expect(words(page.querySelector("details strong"))).toBe("so");
    expect(words(page)).toContain("After.");
    expect(page.textContent).not.toContain("<");
    for (const element of page.querySelectorAll("details, summary"))
      expect(element.getAttributeNames().filter((name) => name !== "dir")).toEqual([]);
  });

  test("a disclosure is open only with the attribute open", () => {
    const isOpen = (text: string) => show(text).querySelector("details")?.open;
    expect(isOpen("<details open>\n<summary>a</summary>\n\nb\n</details>")).toBe(true);
    cleanup();
    expect(isOpen("<details data-open class='open'>\n<summary>a</summary>\n\nb\n</details>")).toBe(false);
  });

  test("a disclosure contains lists, tables, alerts, code with its own end tag, and disclosures", () => {
    const inner = "<details>\n<summary>Inner</summary>\n\nDeep.\n\n</details>";
    const body = `- one\n\n| a |\n|---|\n| 1 |\n\n> [!TIP]\n> x\n\n\`<details>\`\n\n${inner}\n\n\`\`\`html\n<b>code</b>\n\`\`\``;
    const page = show(`<details>\n<summary>Outer \`code\`</summary>\n\n${body}\n\n</details>\n\nAfter.`);
    const outer = page.querySelector("details");
    for (const name of ["li", "td", "[role=note]", "p code", "details", "figure pre"])
      expect([name, outer?.querySelector(name) !== null]).toEqual([name, true]);
    expect(words(outer?.querySelector("summary code"))).toBe("code");
    expect(disclosures(page)[1]).toEqual(["summary", "Inner", "Deep."]);
    expect(outer?.textContent).not.toContain("After.");
  });

  test("a disclosure is rendered in a list and in a quote", () => {
    for (const text of [
      "- one\n\n  <details><summary>Why</summary>\n\n  Because **so**.\n\n  </details>\n- two",
      "> <details>\n> <summary>Why</summary>\n> Because **so**.</details>\n>\n> two",
    ]) {
      const page = show(text);
      expect(disclosures(page)).toEqual([["summary", "Why", "Because so."]]);
      expect(words(page.querySelector("details strong"))).toBe("so");
      cleanup();
    }
  });

  test("a disclosure keeps seams and footnotes at their positions", () => {
    const text = "<details>\n<summary>Why[^1]</summary>\n\nOne two[^1].\n\n</details>\n\nEnd[^1].\n\n[^1]: Note.";
    const page = show(text, { seams: [text.indexOf("two"), text.indexOf("End")] });
    const seams = [...page.querySelectorAll(".reply-seam")];
    expect(seams.map((seam) => [words(seam.nextSibling?.parentElement), seam.closest("details") !== null])).toEqual([
      ["One two1.", true],
      ["End1.", false],
    ]);
    const ids = [...page.querySelectorAll("[id^=m1-fnref]")].map(({ id }) => id);
    expect(ids).toEqual(["m1-fnref-1", "m1-fnref-1-2", "m1-fnref-1-3"]);
  });
});

describe("growing disclosures", () => {
  test("an unclosed disclosure contains the received text, and its beginning shows no tags", () => {
    const text = "Words.\n\n<details>\n<summary>Why **so**</summary>\n\nBecause.\n\nMore.\n\n</details>\n\nAfter.";
    const { container, rerender } = render(<MarkdownReply text="" isGrowing prefix="m1" />);
    for (let end = 1; end <= text.length; end += 1) {
      rerender(<MarkdownReply text={text.slice(0, end)} isGrowing prefix="m1" />);
      expect(container.textContent).not.toMatch(/[<>*]|Details/);
    }
    rerender(<MarkdownReply text={text.slice(0, text.indexOf("re."))} isGrowing prefix="m1" />);
    expect(disclosures(container)).toEqual([["summary", "Why so", "Because.Mo"]]);
  });

  test("a disclosure that a person opened stays open", () => {
    const text = "<details>\n<summary>Why</summary>\n\nBecause";
    const { container, rerender } = render(<MarkdownReply text={text} isGrowing prefix="m1" />);
    const details = container.querySelector("details");
    if (details) details.open = true;
    rerender(<MarkdownReply text={`${text} so.\n\nMore.\n\n</details>\n\nAfter.`} isGrowing={false} prefix="m1" />);
    expect(container.querySelector("details")).toBe(details);
    expect(details?.open).toBe(true);
  });

  test("a long growing disclosure is not cut", () => {
    const body = Array.from({ length: 300 }, (_, at) => `Paragraph ${at} of a long text in a disclosure.\n\n`).join("");
    const page = show(`<details>\n<summary>Why</summary>\n\n${body}</details>\n\nAfter.`, { isGrowing: true });
    expect(page.querySelectorAll("details").length).toBe(1);
    expect(page.querySelectorAll("details p").length).toBe(300);
  });
});

test.each(["</details>", "<summary>x</summary>", "a <details> b", "`<details>`", "```\n<details>\n```"])(
  "a tag outside a disclosure is shown as text: %j",
  (text) => {
    const page = show(text);
    expect(page.querySelector("details")).toBeNull();
    expect(page.textContent).toContain(text.replaceAll("`", "").trim());
  },
);

test("a reply that begins with a disclosure is Markdown, with the elements of HTML in it", () => {
  const text = "<details>\n<summary>a</summary>\n<p>b</p>\n\n**c**\n</details>";
  expect(isHtmlAnswer(text)).toBe(false);
  const page = show(text);
  expect([words(page.querySelector("details p")), words(page.querySelector("details strong"))]).toEqual(["b", "c"]);
});
