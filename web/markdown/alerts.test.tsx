// @vitest-environment happy-dom
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import "../testing/english-texts.ts";
import { i18n } from "../locales/i18n.ts";
import { MarkdownReply } from "./markdown-reply.tsx";

afterEach(async () => {
  cleanup();
  await i18n.changeLanguage("en");
});

const show = (text: string, seams: readonly number[] = [], isGrowing = false) =>
  render(<MarkdownReply text={text} seams={seams} isGrowing={isGrowing} prefix="m1" />).container;
const words = (element: Element | null) => element?.textContent?.replaceAll(/\s+/g, " ").trim();

describe("quotes that are alerts", () => {
  test.each([
    ["> [!NOTE]\n> Words.", "Note", "Words."],
    ["> [!tip]\n> Words.", "Tip", "Words."],
    ["> [!Important]  \n> Words.", "Important", "Words."],
    [">[!WARNING]\nlazy words.", "Warning", "lazy words."],
    ["> [!CAUTION]\n>\n> - a **list**", "Caution", "a list"],
    ["> [!NOTE]\n> **Bold** first", "Note", "Bold first"],
  ])("a quote with a marker alone on its first line is an alert: %j", (text, title, content) => {
    const page = show(text);
    const alert = screen.getByRole("note");
    expect(words(alert.firstElementChild)).toBe(title);
    expect(alert.querySelector("svg")?.getAttribute("aria-hidden")).toBe("true");
    expect(words(page)).toBe(`${title} ${content}`);
    expect(page.querySelector("blockquote, br")).toBeNull();
  });

  test("an alert breaks its lines as the text does, and contains emphasis, code and quotes", () => {
    show("> [!NOTE]\n> one\n> `two`\n> > quoted");
    const alert = screen.getByRole("note");
    expect(alert.querySelectorAll("br").length).toBe(1);
    expect(alert.querySelector("code")?.textContent).toBe("two");
    expect(words(alert.querySelector("blockquote"))).toBe("quoted");
  });
});

test.each([
  ...["> [!NOTE]", "> [!NOTE]\n\nWords", "> [!NOTE] Words", "> [!NOPE]\n> Words", "> Words\n> [!NOTE]\n> Words"],
  ...["> \\[!NOTE]\n> Words", "> **[!NOTE]**\n> Words", "> > [!NOTE]\n> > Words", "- > [!NOTE]\n  > Words"],
  ...["> [!NOTE]: x\n> Words", "> `[!NOTE]`\n> Words"],
])("a quote without a valid marker stays a quote: %j", (text) => {
  expect(show(text).querySelector("blockquote")).not.toBeNull();
  expect(screen.queryByRole("note")).toBeNull();
});

test("an alert's title is in the language of the interface, its direction that of the alert's own text", async () => {
  i18n.addResourceBundle("de", "replies", { alerts: { note: "Hinweis" } }, true);
  await i18n.changeLanguage("de");
  show("> [!NOTE]\n> كلمات");
  const alert = screen.getByRole("note");
  expect(within(alert).getByText("Hinweis").localName).toBe("bdi");
  expect(alert.getAttribute("dir")).toBe("rtl");
});

test("a long alert that is cut while it grows has one visible title", () => {
  const lines = Array.from({ length: 80 }, (_, at) => `> A sentence that fills the alert until it is cut, ${at}.\n`);
  const page = show(`> [!NOTE]\n${lines.join("")}`, [], true);
  const alerts = screen.getAllByRole("note");
  expect(alerts.length).toBeGreaterThan(1);
  expect(page.querySelectorAll(".reply-continued [role=note]").length).toBe(alerts.length - 1);
  expect(page.textContent.match(/A sentence/g)?.length).toBe(80);
});

test("a seam and a footnote within an alert stand where they are written", () => {
  const text = "> [!NOTE]\n> Before after[^1].\n\n[^1]: The note.";
  const page = show(text, [text.indexOf("after")]);
  const alert = screen.getByRole("note");
  const seam = alert.querySelector(".reply-seam");
  expect(seam?.previousSibling?.textContent).toBe("Before ");
  expect(seam?.nextSibling?.textContent).toBe("after");
  expect(alert.querySelector("sup a")?.getAttribute("href")).toBe("#m1-fn-1");
  expect(page.querySelector("section")?.textContent).toContain("The note.");
});
