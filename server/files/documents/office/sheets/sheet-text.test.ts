import { describe, expect, it } from "vitest";
import {
  type Cell,
  relationships,
  stylesOf,
  workbookOf,
  xlsxOf,
  zipOf,
} from "../../../../../testing/files/documents.ts";
import { officeTypes } from "../../../media-type.ts";
import { readOfficeText } from "../office-text.ts";

const [, XLSX] = officeTypes;

describe("workbooks", () => {
  const textOf = (sheets: Record<string, readonly (readonly Cell[])[]>) => readOfficeText(xlsxOf(sheets), XLSX);

  it("a workbook is CSV below the names of its sheets", async () => {
    const fjords: Cell[][] = [
      ["name", "depth"],
      ["Sogne, N", 1308],
      [`a "b"\nc`, true],
    ];
    expect(await textOf({ Fjords: fjords, "R &amp; D": [["x"]] })).toBe(
      '# Fjords\nname,depth\n"Sogne, N",1308\n"a ""b""\nc",true\n\n# R & D\nx',
    );
  });

  it("a workbook has dates in ISO 8601", async () => {
    // Days since 1899-12-30; the second is 13:30.
    expect(await textOf({ S: [[{ days: 45_322 }, { days: 45_322.5625 }]] })).toBe(
      "# S\n2024-01-31,2024-01-31T13:30:00",
    );
  });

  it("a workbook has no empty cells at the end of a row, and one empty row for several", async () => {
    const row = (at: number, value: number) => `<row r="${at}"><c r="B${at}"><v>${value}</v></c><c r="C${at}"/></row>`;
    expect(await readOfficeText(workbookOf({ S: row(2, 1) + row(9, 2) }), XLSX)).toBe("# S\n,1\n\n,2");
  });

  it("refuses a workbook file without a workbook", async () => {
    await expect(readOfficeText(zipOf({ "xl/styles.xml": "<a/>" }), XLSX)).rejects.toThrow();
  });

  it("a workbook has the texts of its cells as they are shared, in one piece and without their pronunciation", async () => {
    const more = {
      "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="2" Type="x/sharedStrings" Target="strings.xml"/></Relationships>`,
      "xl/strings.xml": `<x:sst><x:si><x:t>a</x:t></x:si><x:si><x:r><x:t>東</x:t></x:r><x:r><x:t>京_x000A_!</x:t></x:r><x:rPh><x:t>トウ</x:t></x:rPh></x:si></x:sst>`,
      "xl/worksheets/sheet1.xml": `<x:worksheet><x:sheetData><x:row><x:c t="s"><x:v>1</x:v></x:c><x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>9</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
    };
    expect(await readOfficeText(workbookOf({ S: "" }, more), XLSX)).toBe('# S\n"東京\n!",a');
  });

  it("a workbook may be in any folder of its archive", async () => {
    const target = (type: string, path: string) =>
      `<Relationships><Relationship Id="r1" Type="x/${type}" Target="${path}"/></Relationships>`;
    const files = {
      "_rels/.rels": target("officeDocument", "a/b.xml"),
      "a/b.xml": '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
      "a/_rels/b.xml.rels": target("worksheet", "/other/c.xml"),
      "other/c.xml": "<worksheet><row><c><v>7</v></c></row></worksheet>",
    };
    expect(await readOfficeText(zipOf(files), XLSX)).toBe("# S\n7");
  });

  it("a workbook shows errors, and formulas that have no stored result", async () => {
    const cells = [
      '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      '<c t="e"><v>#N/A</v></c>',
      "<c><f>SUM(1,2)</f></c>",
      '<c><f t="shared" si="0"/><v></v></c>',
      '<c t="str"><f>A1&amp;"x"</f></c>',
      '<c t="str"><f>""</f><v></v></c>',
      "<c><f>1+1</f><v>2</v></c>",
    ];
    const text = await readOfficeText(workbookOf({ S: `<row r="1">${cells.join("")}</row>` }), XLSX);
    expect(text).toBe('# S\n#DIV/0!,#N/A,"=SUM(1,2)",=…,"=A1&""x""",,2');
  });
});

describe("sheets", () => {
  it.each(["hidden", "veryHidden"])("a workbook marks a sheet whose state is %s", async (state) => {
    const workbook = `<workbook><sheets><sheet name="A" r:id="rId1"/><sheet name="B" state="${state}" r:id="rId2"/></sheets></workbook>`;
    const row = "<row><c><v>7</v></c></row>";
    const file = workbookOf({ A: row, B: row }, { "xl/workbook.xml": workbook });
    expect(await readOfficeText(file, XLSX)).toBe("# A\n7\n\n# B (hidden)\n7");
  });

  const comments = `<comments><commentList><comment ref="A1"><text><r><t>Cell</t></r><r><t xml:space="preserve"> remark</t></r></text></comment></commentList></comments>`;
  const legacy = { id: "1", type: "comments", target: "../comments1.xml" };

  it("a workbook has the comments of a sheet below its cells", async () => {
    const more = {
      "xl/worksheets/_rels/sheet1.xml.rels": relationships(legacy),
      "xl/comments1.xml": comments,
    };
    const file = workbookOf({ A: "<row><c><v>7</v></c></row>", B: "" }, more);
    expect(await readOfficeText(file, XLSX)).toBe("# A\n7\n[Comments]\nA1: Cell remark\n\n# B");
  });

  it("a workbook has the targets of links behind the texts of their cells, also those of formulas", async () => {
    const link = (id: string, target: string) =>
      `<Relationship Id="${id}" Type="x/hyperlink" Target="${target}" TargetMode="External"/>`;
    const row = `<row r="1"><c r="A1" t="inlineStr"><is><t>our hyperlinks&gt;</t></is></c><c r="B1"><v>7</v></c><c r="C1" t="str"><f>HYPERLINK("https://c.example","see")</f><v>see</v></c></row>`;
    const links = `<hyperlinks><hyperlink ref="A1:A2" r:id="r1"/><hyperlink ref="B1" location="S!A1"/><hyperlink ref="C9" r:id="r2"/></hyperlinks>`;
    const more = {
      "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${row}</sheetData>${links}</worksheet>`,
      "xl/worksheets/_rels/sheet1.xml.rels": `<Relationships>${link("r1", "https://a.example")}${link("r2", "https://b.example")}</Relationships>`,
    };
    expect(await readOfficeText(workbookOf({ S: "" }, more), XLSX)).toBe(
      "# S\nour hyperlinks> (https://a.example),7,see (https://c.example)",
    );
  });

  it("a workbook has conversations once, and the notes of other cells", async () => {
    const thread = { id: "2", type: "threadedComment", target: "../threadedComments/a.xml" };
    const more = {
      "xl/worksheets/_rels/sheet1.xml.rels": relationships(legacy, thread),
      "xl/comments1.xml": comments.replace(
        "</commentList>",
        '<comment ref="B2"><text><t>Check</t></text></comment></commentList>',
      ),
      "xl/threadedComments/a.xml": `<ThreadedComments><threadedComment ref="A1"><text>Why?</text></threadedComment><threadedComment ref="A1"><text>Because</text></threadedComment></ThreadedComments>`,
    };
    expect(await readOfficeText(workbookOf({ A: "" }, more), XLSX)).toBe(
      "# A\n[Comments]\nA1: Why?\nA1: Because\nB2: Check",
    );
  });
});

describe("numbers of workbooks", () => {
  const shownAs = (format: number | string, value: number | string, more = "") => {
    const row = `<row r="1"><c r="A1" s="1"><v>${value}</v></c></row>`;
    const styles = { "xl/styles.xml": stylesOf(0, format) };
    const workbook = `<workbook>${more}<sheets><sheet name="S" r:id="rId1"/></sheets></workbook>`;
    const file = workbookOf({ S: row }, { ...styles, "xl/workbook.xml": workbook });
    return readOfficeText(file, XLSX).then((text) => text.replace("# S\n", ""));
  };

  it.each([
    ["h:mm", 0.5, "12:00"],
    ["[h]:mm", 1.5, "36:00"],
    [46, 1.5, "36:00:00"],
    ["mm:ss", 0.01, "14:24"],
    [18, 0.75, "6:00 PM"],
    ["yyyy", 44_105, "2020"],
    ["mmm-yy", 44_105, "Oct-20"],
    ["0.0%", 0.256, "25.6%"],
    [10, 0.2512, "25.12%"],
    ["&quot;$&quot;#,##0.00", 1234.5, '"$1,234.50"'],
    ["[$€-407] #,##0.00", 99.5, "€ 99.50"],
    ["#,##0 &quot;kg&quot;", 1500, '"1,500 kg"'],
    ["_($* #,##0.00_);_($* (#,##0.00)", -12, "$(12.00)"],
    ["00000", 123, "00123"],
    ["# ?/?", 0.5, "1/2"],
    ["[Red]-0.00", 12.3, "-12.30"],
    ["0.00000000", 0.000_000_42, "4.2e-7"],
    ["0.00", 0.000_000_42, "0.00"],
    [0, 0.300_000_000_000_000_04, "0.3"],
    [0, 123_456_789_012_345, "123456789012345"],
  ])("shows a number in the format %s as the spreadsheet does", async (format, value, shown) => {
    expect(await shownAs(format, value)).toBe(shown);
  });

  it.each([
    ["d/m", 44_105, "2020-10-01"],
    ["[$-409]d-mmm-yy;@", 44_105, "2020-10-01"],
    ["yyyy-mm-dd hh:mm", 44_105.5, "2020-10-01T12:00:00"],
    [14, 1, "1900-01-01"],
    [58, 44_105, "2020-10-01"],
  ])("shows a date in the format %s in ISO 8601", async (format, value, shown) => {
    expect(await shownAs(format, value)).toBe(shown);
  });

  it("reads a format of the workbook's own whose id is one of the usual ones", async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="4" formatCode="m/d/yy"/></numFmts><cellXfs><xf numFmtId="4"/></cellXfs></styleSheet>`;
    const file = workbookOf({ S: "<row><c s='0'><v>44105</v></c></row>" }, { "xl/styles.xml": styles });
    expect(await readOfficeText(file, XLSX)).toBe("# S\n2020-10-01");
  });

  it("counts dates from 1904 if the workbook does, and durations not", async () => {
    const more = '<workbookPr date1904="1"/>';
    expect(await shownAs(14, 42_643, more)).toBe("2020-10-01");
    expect(await shownAs("yyyy", 42_643, more)).toBe("2020");
    expect(await shownAs(46, 1.5, more)).toBe("36:00:00");
  });

  it.each(["bad[", "0".repeat(300), ";;;", `0.${"0".repeat(200)}`])(
    "shows a number plainly in the format %s",
    async (format) => {
      expect(await shownAs(format, 12.5)).toMatch(/^12\.50*$/);
    },
  );

  it.each([14, "[h]:mm", "yyyy"])("shows a number in the format %s beyond all dates", async (format) => {
    for (const value of ["1e300", "-1e300", "-5"]) expect(await shownAs(format, value)).not.toMatch(/^#*$|NaN|Invalid/);
  });
});
