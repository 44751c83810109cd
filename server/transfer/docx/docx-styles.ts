import { BorderStyle, type IStylesOptions, ShadingType } from "docx";

/** Widest and highest picture in pixels: the text of a page of A4, and a part of its height. */
export const MAX_PICTURE_PX = { width: 601, height: 480 };

const MONOSPACE = "Courier New";
const MUTED = "5F5C57";
const SUNKEN = { type: ShadingType.CLEAR, color: "auto", fill: "F5F3EF" };
const QUOTED = { left: { style: BorderStyle.SINGLE, size: 18, space: 10, color: "DEDAD3" } };

/** Half points, and twentieths of a point. */
const SMALL = 18;
const GAP = 120;

/** Styles of the document, which its readers can change: headings and lists have those of Word. */
export const docxStyles: IStylesOptions = {
  default: {
    document: { run: { font: "Calibri", size: 22 }, paragraph: { spacing: { after: GAP, line: 264 } } },
    title: { run: { size: 40 }, paragraph: { spacing: { after: 60 } } },
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
      id: "Code",
      name: "Code",
      basedOn: "Normal",
      quickFormat: true,
      run: { font: MONOSPACE, size: SMALL, noProof: true },
      paragraph: { shading: SUNKEN, spacing: { line: 240, after: GAP } },
    },
    {
      id: "Quotation",
      name: "Quotation",
      basedOn: "Normal",
      quickFormat: true,
      paragraph: { border: QUOTED, indent: { start: 284 } },
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
  "blockquote p": "Quotation",
  "pre, blockquote pre": "Code",
  ":not(pre) > code, kbd, samp": "CodeWords",
};

/** What the styles of Word cannot say. */
export const STYLE_SHEET = `
pre code { font-size: inherit; }
blockquote { margin: 0; }
summary { font-weight: bold; }
small { font-size: inherit; font-weight: normal; }
.plain { white-space: pre-wrap; }
pre, code, kbd, samp { direction: ltr; }
img { display: block; max-height: ${MAX_PICTURE_PX.height}px; }
.files, .sources { list-style-type: none; }
mark { background-color: #fdf3c4; }
`;
