import { BorderStyle, type IBaseParagraphStyleOptions, type IStylesOptions, LineRuleType, ShadingType } from "docx";

/** Widest and highest picture in pixels: the text of a page of A4, and a part of its height. */
export const MAX_PICTURE_PX = { width: 601, height: 480 };

/** Indent of each level of quotes and lists, in pixels. */
export const INDENT_PX = { blockquote: 19, list: 48 };

const MONOSPACE = "Courier New";
const TEXT = "2B2926";
const MUTED = "5F5C57";
const SUNKEN = { type: ShadingType.CLEAR, color: "auto", fill: "F5F3EF" };
/** Colour of the lines of tables and of rules. */
export const LINE = "BDB7AD";

/** Half points, and twentieths of a point. */
const SMALL = 18;
const GAP = 120;

const bar = (color: string) => ({ style: BorderStyle.SINGLE, size: 18, space: 8, color });
const quotation = (color: string) => ({ border: { left: bar(color) } });
const QUOTED = "CFC9BF";

/** A border in the colour of the box is its padding. */
const padding = { style: BorderStyle.SINGLE, size: 4, space: 4, color: SUNKEN.fill };

/** `level`: from 1. `size`: half points. */
const heading = (level: number, size: number): IBaseParagraphStyleOptions => ({
  run: { size, bold: true, color: TEXT },
  paragraph: { keepNext: true, keepLines: true, outlineLevel: level - 1, spacing: { before: 240, after: 80 } },
});

/** Styles of the document, which its readers can change: headings and lists have those of Word. */
export const docxStyles: IStylesOptions = {
  default: {
    document: {
      // Word chooses a font for Chinese, Japanese and Korean by the language of its user.
      run: { font: { ascii: "Calibri", hAnsi: "Calibri", cs: "Arial" }, size: 22 },
      // Without the rule, LibreOffice reads an exact height, which cuts pictures and equations off.
      paragraph: { spacing: { after: GAP, line: 264, lineRule: LineRuleType.AUTO } },
    },
    title: { run: { size: 40 }, paragraph: { spacing: { after: 60 } } },
    heading1: heading(1, 30),
    heading2: heading(2, 26),
    heading3: heading(3, 24),
    heading4: heading(4, 22),
    heading5: heading(5, 22),
    heading6: heading(6, 22),
    listParagraph: { paragraph: { spacing: { after: 40 } } },
  },
  paragraphStyles: [
    {
      id: "Author",
      name: "Author",
      basedOn: "Normal",
      next: "Normal",
      quickFormat: true,
      run: { bold: true, color: "1D6B6B" },
      paragraph: { keepNext: true, spacing: { before: 360, after: 60 } },
    },
    {
      id: "Details",
      name: "Details",
      basedOn: "Normal",
      quickFormat: true,
      run: { size: SMALL, color: MUTED },
    },
    {
      id: "Label",
      name: "Label",
      basedOn: "Details",
      next: "Normal",
      quickFormat: true,
      paragraph: { keepNext: true, spacing: { after: 60 } },
    },
    {
      id: "Code",
      name: "Code",
      basedOn: "Normal",
      quickFormat: true,
      run: { font: MONOSPACE, size: SMALL, noProof: true },
      paragraph: {
        shading: SUNKEN,
        border: { top: padding, right: padding, bottom: padding, left: padding },
        spacing: { line: 240, lineRule: LineRuleType.AUTO, before: 80, after: 160 },
        indent: { start: 100, end: 100 },
      },
    },
    {
      id: "Quotation",
      name: "Quotation",
      basedOn: "Normal",
      quickFormat: true,
      paragraph: quotation(QUOTED),
    },
    {
      id: "RightToLeftQuotation",
      name: "Right-to-left quotation",
      basedOn: "Quotation",
      quickFormat: true,
      paragraph: {
        border: { left: { style: BorderStyle.NONE, size: 0, space: 0, color: "auto" }, right: bar(QUOTED) },
      },
    },
    {
      id: "Alert",
      name: "Alert",
      basedOn: "Quotation",
      quickFormat: true,
      paragraph: quotation(TEXT),
    },
    {
      id: "Reasoning",
      name: "Reasoning",
      basedOn: "Quotation",
      quickFormat: true,
    },
    {
      id: "Cell",
      name: "Cell",
      basedOn: "Normal",
      quickFormat: true,
      paragraph: { spacing: { before: 40, after: 40 } },
    },
    {
      id: "Gap",
      name: "Gap",
      basedOn: "Normal",
      paragraph: { spacing: { after: 0, line: 80, lineRule: LineRuleType.EXACT } },
    },
  ],
  characterStyles: [
    { id: "DetailWords", name: "Detail words", run: { size: SMALL, color: MUTED, bold: false } },
    { id: "CodeWords", name: "Code words", run: { font: MONOSPACE, noProof: true, shading: SUNKEN } },
  ],
};

/** Styles of the elements of the HTML. Blocks of code are boxes of their own, within quotes too. */
export const STYLE_MAP = {
  "h1.title": "Title",
  "article > h2": "Author",
  "p.details, .details p, li.details, .details li": "Details",
  "small.details": "DetailWords",
  "summary.details, figcaption": "Label",
  "blockquote > p": "Quotation",
  "blockquote.alert > p": "Alert",
  "blockquote > p[dir=rtl]": "RightToLeftQuotation",
  ".reasoning > p": "Reasoning",
  ".gap": "Gap",
  "td, th": "Cell",
  pre: "Code",
  ":not(pre) > code, kbd, samp": "CodeWords",
};

/** What the styles of Word cannot say. */
export const STYLE_SHEET = `
pre code { font-size: inherit; }
blockquote, .reasoning { margin: 0 0 0 ${INDENT_PX.blockquote}px; }
.reasoning { color: #${MUTED}; }
summary { font-weight: bold; }
small { font-size: inherit; font-weight: normal; }
.plain { white-space: pre-wrap; }
pre, code, kbd, samp { direction: ltr; }
img { display: block; max-height: ${MAX_PICTURE_PX.height}px; }
li > p { margin-bottom: 4pt; }
ul, ol { margin-bottom: 4pt; }
li ul, li ol { margin-bottom: 0; }
th { background-color: #${SUNKEN.fill}; }
th:not([align]) { text-align: start; }
hr { border-top: 0.75pt solid #${LINE}; }
mark { background-color: #fdf3c4; }
`;
