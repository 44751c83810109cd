import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { filePaths } from "#contract/files/paths.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import {
  docxOf,
  openDocumentOf,
  pptxOf,
  relationships,
  runOf,
  stylesOf,
  withFiles,
  workbookOf,
} from "../../testing/files/documents.ts";
import { uploadFile } from "../../testing/files/upload.ts";

let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  ada = await signUp(app);
});

/** Uploads a file. @returns the text that a model receives */
async function textOf(name: string, bytes: Uint8Array | string): Promise<string> {
  const { id } = await uploadFile(app, { ...ada, name, bytes });
  const response = await app.call("GET", filePaths.fileText(id), ada);
  const { text, remark } = (await response.json()) as { text: string; remark?: string };
  expect(remark).toBeUndefined();
  return text;
}

const chart = `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales by region</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Revenue</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>4711</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:plotArea></c:chart></c:chartSpace>`;
const CHART = "[Chart: Sales by region]\n\tRevenue\nNorth\t4711";
const hyperlink =
  '<Relationship Id="link" Type="x/hyperlink" Target="https://example.org/target" TargetMode="External"/>';
const withLink = (rels: string) => rels.replace("</Relationships>", `${hyperlink}</Relationships>`);

it("the text of an uploaded Word document has all that its reader sees, and nothing hidden", async () => {
  const paragraph = (runs: string, properties = "") => `<w:p><w:pPr>${properties}</w:pPr>${runs}</w:p>`;
  const clause = (text: string) => paragraph(runOf(text), '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
  const cell = (content: string) => `<w:tc>${content}</w:tc>`;
  const inner = `<w:tbl><w:tr>${cell(paragraph(runOf("innera")))}${cell(paragraph(runOf("innerb")))}</w:tr></w:tbl>`;
  const drawing = (content: string) => `<w:r><w:drawing>${content}</w:drawing></w:r>`;
  const body = [
    paragraph(runOf("Big title"), '<w:pStyle w:val="Heading1"/>'),
    clause("First clause") + clause("Second clause"),
    paragraph(`<w:hyperlink r:id="link">${runOf("Ourlink")}</w:hyperlink>`),
    paragraph(`<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>${runOf(" ticked")}`),
    paragraph(`${runOf("commented")}<w:r><w:commentReference w:id="0"/></w:r>`),
    paragraph(drawing('<wp:docPr id="1" name="x" descr="Altdescription"/>') + drawing('<c:chart r:id="chart"/>')),
    paragraph(`<w:r><w:rPr><w:vanish/></w:rPr><w:t>Hiddenrun</w:t></w:r>${runOf("shown")}`),
    `<w:tbl><w:tr>${cell(paragraph(runOf("a")))}${cell(paragraph(runOf("b")) + inner + paragraph(""))}</w:tr></w:tbl>`,
  ];
  const rels = relationships(
    { id: "chart", type: "chart", target: "charts/chart1.xml" },
    { id: "header", type: "header", target: "header1.xml" },
    { id: "footer", type: "footer", target: "footer1.xml" },
  );
  const numbering = `<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
  const file = docxOf(body.join(""), {
    "word/_rels/document.xml.rels": withLink(rels),
    "word/charts/chart1.xml": chart,
    "word/header1.xml": `<w:hdr>${paragraph(runOf("Invoice 2026-17"))}</w:hdr>`,
    "word/footer1.xml": `<w:ftr>${paragraph(runOf("IBAN NO93"))}</w:ftr>`,
    "word/numbering.xml": numbering,
    "word/comments.xml": `<w:comments><w:comment w:id="0" w:author="Ann">${paragraph(runOf("Commenttext"))}</w:comment></w:comments>`,
  });
  expect(await textOf("word.docx", file)).toBe(
    `[Header]\nInvoice 2026-17\n\n# Big title\n1. First clause\n2. Second clause\nOurlink (https://example.org/target)\n☑ ticked\ncommented [Comment: Ann: Commenttext]\n[Picture: Altdescription]\n${CHART}\nshown\na\tb [innera | innerb]\n[Footer]\nIBAN NO93`,
  );
});

it("the text of an uploaded presentation has charts, diagrams, pictures, comments and marks of hidden slides", async () => {
  const link = '<a:p><a:r><a:rPr><a:hlinkClick r:id="link"/></a:rPr><a:t>Ourlink</a:t></a:r></a:p>';
  const picture = '<p:pic><p:nvPicPr><p:cNvPr id="9" name="p" descr="Alttext of picture"/></p:nvPicPr></p:pic>';
  const frames = '<c:chart r:id="chart"/><dgm:relIds r:dm="diagram"/>';
  const first = { paragraphs: ["Title one"], shapes: link + picture + frames };
  const file = withFiles(pptxOf(first, { paragraphs: ["Secret"], isHidden: true }), {
    "ppt/slides/_rels/slide2.xml.rels": withLink(
      relationships(
        { id: "chart", type: "chart", target: "../charts/chart1.xml" },
        { id: "diagram", type: "diagramData", target: "../diagrams/data1.xml" },
        { id: "comments", type: "comments", target: "../comments/comment1.xml" },
      ),
    ),
    "ppt/charts/chart1.xml": chart,
    "ppt/diagrams/data1.xml":
      "<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Smartart step</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>",
    "ppt/comments/comment1.xml": '<p:cmLst><p:cm authorId="0"><p:text>Remark</p:text></p:cm></p:cmLst>',
  });
  expect(await textOf("slides.pptx", file)).toBe(
    `[Slide 1]\nTitle one\nOurlink (https://example.org/target)\n[Picture: Alttext of picture]\n${CHART}\n[Diagram]\nSmartart step\n[Comments]\nRemark\n\n[Slide 2]\n[Hidden slide]\nSecret`,
  );
});

/** Formats of numbers, by code or id, with numbers and how they are shown. */
const cases: readonly (readonly [format: string | number, value: number, shown: string])[] = [
  ["m/d", 44_105, "2020-10-01"],
  ["yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;", 44_105, "2020-10-01"],
  ["h:mm", 0.5, "12:00"],
  ["[h]:mm", 1.5, "36:00"],
  ["mm:ss", 0.01, "14:24"],
  [18, 0.75, "6:00 PM"],
  [20, 0.75, "18:00"],
  [22, 44_105.5, "2020-10-01T12:00:00"],
  [46, 1.5, "36:00:00"],
  ["dddd", 44_105, "Thursday"],
  ["mmm-yy", 44_105, "Oct-20"],
  ["0.0%", 0.256, "25.6%"],
  ["&quot;$&quot;#,##0.00", 1234.5, '"$1,234.50"'],
  ["#,##0 &quot;kg&quot;", 1500, '"1,500 kg"'],
  ["00000", 123, "00123"],
  ["# ?/?", 0.5, "1/2"],
  ["[$€-407] #,##0.00", 99.5, "€ 99.50"],
  [0, 0.300_000_000_000_000_04, "0.3"],
];

it("the text of an uploaded workbook has its numbers as the spreadsheet shows them, errors, formulas, comments and marks of hidden sheets", async () => {
  const rows = cases.map(([, value], at) => `<row r="${at + 1}"><c r="A${at + 1}" s="${at}"><v>${value}</v></c></row>`);
  const last = `<row r="${cases.length + 1}"><c t="e"><f>1/0</f><v>#DIV/0!</v></c><c><f>SUM(1,2)</f></c></row>`;
  const sheet = (name: string, at: number, more = "") => `<sheet name="${name}" ${more} r:id="rId${at}"/>`;
  const file = workbookOf(
    { Formats: rows.join("") + last, Secret: `<row r="1"><c s="${cases.length - 1}"><v>7</v></c></row>` },
    {
      "xl/styles.xml": stylesOf(...cases.map(([format]) => format)),
      "xl/workbook.xml": `<workbook><sheets>${sheet("Formats", 1)}${sheet("Secret", 2, 'state="hidden"')}</sheets></workbook>`,
      "xl/worksheets/_rels/sheet1.xml.rels": relationships({ id: "1", type: "comments", target: "../comments1.xml" }),
      "xl/comments1.xml": '<comments><comment ref="A1"><text><t>Cellremark</t></text></comment></comments>',
    },
  );
  const shown = cases.map(([, , words]) => words).join("\n");
  expect(await textOf("formats.xlsx", file)).toBe(
    `# Formats\n${shown}\n#DIV/0!,"=SUM(1,2)"\n[Comments]\nA1: Cellremark\n\n# Secret (hidden)\n7`,
  );
});

it("the text of an uploaded OpenDocument text has headers, comments, repeated cells, lists and links", async () => {
  const body = [
    "<text:p>Body<office:annotation><dc:creator>Ann</dc:creator><text:p>Odtcomment</text:p></office:annotation> text</text:p>",
    '<text:list text:style-name="L"><text:list-item><text:p>item</text:p></text:list-item></text:list>',
    '<text:p><text:a xlink:href="https://example.org/target">Ourlink</text:a></text:p>',
    '<table:table><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>rep</text:p></table:table-cell></table:table-row></table:table>',
  ];
  const styles = `<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style>`;
  const header = "<style:master-page><style:header><text:p>Odtheader</text:p></style:header></style:master-page>";
  const file = openDocumentOf("text", `<office:text>${body.join("")}</office:text>`, { styles });
  expect(await textOf("text.odt", withFiles(file, { "styles.xml": `<office:styles>${header}</office:styles>` }))).toBe(
    "[Header]\nOdtheader\n\nBody [Comment: Ann: Odtcomment] text\n1. item\nOurlink (https://example.org/target)\nrep\trep",
  );
});

it("uploaded OpenDocument spreadsheets and presentations, and files in the Rich Text Format, are read", async () => {
  const cell = "<table:table-cell><text:p>cell</text:p></table:table-cell>";
  const sheet = `<office:spreadsheet><table:table table:name="S"><table:table-row>${cell}</table:table-row></table:table></office:spreadsheet>`;
  expect(await textOf("sheet.ods", openDocumentOf("spreadsheet", sheet))).toBe("# S\ncell");
  const slides = "<office:presentation><draw:page><text:p>slide</text:p></draw:page></office:presentation>";
  expect(await textOf("slides.odp", openDocumentOf("presentation", slides))).toBe("[Slide 1]\nslide");
  const rtf = String.raw`{\rtf1\ansi{\fonttbl\f0 Arial;}\f0 Hello \b bold\b0  caf\'e9\par}`;
  expect(await textOf("text.rtf", rtf)).toBe("Hello bold café");
});
