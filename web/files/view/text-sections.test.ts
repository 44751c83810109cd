import { expect, test } from "vitest";
import { PDF_TYPE } from "#contract/files/files.ts";
import { textSections } from "./text-sections.ts";

const pdf = { name: "a.pdf", type: PDF_TYPE };
const workbook = { name: "a.xlsx", type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" };
const slides = { name: "a.pptx", type: "application/vnd.openxmlformats-officedocument.presentationml.presentation" };

test("the text of a PDF is split into its pages, of which some have no text", () => {
  expect(textSections(pdf, "[Page 1]\nOne\n\nstill one\n\n[Page 2]\n\n[Page 3: damaged]\n\n[Page 4]\nFour")).toEqual([
    { number: 1, text: "One\n\nstill one" },
    { number: 2, text: "" },
    { number: 3, text: "", isDamaged: true },
    { number: 4, text: "Four" },
  ]);
});

test("a PDF is split at pages that are pictures or unreadable", () => {
  expect(textSections(pdf, "[Page 1: picture]\n[Note] Typed\n\n[Page 2: unreadable]\n\n[Page 3: picture]")).toEqual([
    { number: 1, text: "[Note] Typed" },
    { number: 2, text: "" },
    { number: 3, text: "" },
  ]);
});

test("a mark of a page that is out of order is text of the document", () => {
  expect(textSections(pdf, "[Page 1]\nSee\n\n[Page 9]\nabove\n\n[Page 2]\nTwo")).toEqual([
    { number: 1, text: "See\n\n[Page 9]\nabove" },
    { number: 2, text: "Two" },
  ]);
});

test("a text without marks is one section, and so is one with too many pages", () => {
  expect(textSections(pdf, "One page only\n\n[Page 1]\nquoted")).toEqual([
    { text: "One page only\n\n[Page 1]\nquoted" },
  ]);
  const many = Array.from({ length: 1001 }, (_, at) => `[Page ${at + 1}]`).join("\n\n");
  expect(textSections(pdf, many)).toEqual([{ text: many }]);
  expect(textSections({ name: "a.md", type: "text/markdown" }, "# Title\n\n# Other")).toEqual([
    { text: "# Title\n\n# Other" },
  ]);
});

test("the text of a workbook is split into its sheets, that of a presentation into its slides", () => {
  expect(textSections(workbook, "# Sales\na,b\n1,2\n\n# Empty\n\n# Costs\n3")).toEqual([
    { title: "Sales", text: "a,b\n1,2" },
    { title: "Empty", text: "" },
    { title: "Costs", text: "3" },
  ]);
  expect(textSections(slides, "[Slide 1]\nHello\n[Notes]\nSmile\n\n[Slide 2]\nBye")).toEqual([
    { number: 1, text: "Hello\n[Notes]\nSmile" },
    { number: 2, text: "Bye" },
  ]);
});
