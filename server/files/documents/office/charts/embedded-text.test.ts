import { expect, it } from "vitest";
import { docxOf, pptxOf, relationships, runOf, workbookOf, zipOf } from "../../../../../testing/files/documents.ts";
import { officeTypes } from "../../../media-type.ts";
import { readOfficeText } from "../office-text.ts";
import { readZip } from "../zip-entries.ts";

const [DOCX, XLSX, PPTX] = officeTypes;

const points = (...values: readonly (string | number)[]) =>
  values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("");
const cached = (code: string, ...values: readonly number[]) =>
  `<c:numRef><c:f>S!A1</c:f><c:numCache><c:formatCode>${code}</c:formatCode>${points(...values)}</c:numCache></c:numRef>`;
const named = (name: string) =>
  `<c:tx><c:strRef><c:f>S!B1</c:f><c:strCache>${points(name)}</c:strCache></c:strRef></c:tx>`;
const titled = (...texts: readonly string[]) =>
  `<c:title><c:tx><c:rich><a:p>${texts.map((text) => `<a:r><a:t>${text}</a:t></a:r>`).join("")}</a:p></c:rich></c:tx></c:title>`;
const axis = `<c:valAx>${titled("Axis")}<c:numFmt formatCode="0"/></c:valAx>`;
const chartOf = (...content: readonly string[]) =>
  `<c:chartSpace><c:chart>${content.join("")}${axis}</c:chart></c:chartSpace>`;

const regions = `<c:cat><c:strRef><c:strCache>${points("North", "South")}</c:strCache></c:strRef></c:cat>`;
const series = (name: string, code: string, ...values: readonly number[]) =>
  `<c:ser>${named(name)}${regions}<c:val>${cached(code, ...values)}</c:val></c:ser>`;
const sales = chartOf(titled("Sales ", "by region"), series("2019", "0%", 0.25, 0.75), series("2020", "$#,##0", 4711));
const SALES = "[Chart: Sales by region]\n\t2019\t2020\nNorth\t25%\t$4,711\nSouth\t75%";

const CHART = '<c:chart r:id="r1"/>';
const target = (type: string, path: string) => relationships({ id: "r1", type, target: path });

/** Returns the text of a Word document with a chart between two paragraphs. */
const inWord = (chart: string) => {
  const files = {
    "word/_rels/document.xml.rels": target("chart", "charts/chart1.xml"),
    "word/charts/chart1.xml": chart,
  };
  const body = `<w:p>${runOf("One")}<w:r><w:drawing>${CHART}</w:drawing></w:r></w:p><w:p>${runOf("two")}</w:p>`;
  return readOfficeText(docxOf(body, files), DOCX);
};

it("a Word document has the stored values of a chart as a table in their place", async () => {
  expect(await inWord(sales)).toBe(`One\n${SALES}\ntwo`);
});

it("a presentation has the stored values of a chart as a table", async () => {
  const files = Object.fromEntries(
    readZip(pptxOf({ paragraphs: [`One</a:t></a:r></a:p>${CHART}<a:p><a:r><a:t>`] }), () => true),
  );
  files["ppt/slides/_rels/slide1.xml.rels"] = Buffer.from(target("chart", "../charts/chart1.xml"));
  files["ppt/charts/chart1.xml"] = Buffer.from(sales);
  expect(await readOfficeText(zipOf(files), PPTX)).toBe(`[Slide 1]\nOne\n${SALES}`);
});

it("a workbook has the stored values of a chart below the cells of its sheet", async () => {
  const files = {
    "xl/worksheets/_rels/sheet1.xml.rels": target("drawing", "../drawings/drawing1.xml"),
    "xl/drawings/drawing1.xml": `<xdr:wsDr>${CHART}</xdr:wsDr>`,
    "xl/drawings/_rels/drawing1.xml.rels": target("chart", "../charts/chart1.xml"),
    "xl/charts/chart1.xml": sales,
  };
  const text = await readOfficeText(workbookOf({ A: "<row><c><v>7</v></c></row>", B: "" }, files), XLSX);
  expect(text).toBe(`# A\n7\n\n${SALES}\n\n# B`);
});

it("a chart of points has a table for each series, and one without values its title", async () => {
  const point = (name: string, ...[x, y, size]: readonly [number, number, number]) =>
    `<c:ser>${named(name)}<c:xVal>${cached("General", x)}</c:xVal><c:yVal>${cached("0.0", y)}</c:yVal><c:bubbleSize>${cached("0", size)}</c:bubbleSize></c:ser>`;
  const text = await inWord(chartOf(point("a", 1, 2, 3), point("b", 4, 5, 6)));
  expect(text).toBe("One\n[Chart]\n\ta\n1\t2.0\t3\n\tb\n4\t5.0\t6\ntwo");
  expect(await inWord(chartOf(titled("Empty")))).toBe("One\n[Chart: Empty]\ntwo");
});

it("a chart has the labels of several levels, the outermost first", async () => {
  const levels = `<c:lvl>${points("Q1", "Q2")}</c:lvl><c:lvl>${points("2019")}</c:lvl>`;
  const labels = `<c:cat><c:multiLvlStrRef><c:multiLvlStrCache>${levels}</c:multiLvlStrCache></c:multiLvlStrRef></c:cat>`;
  const values = `<c:val>${cached("0", 1, 2)}</c:val>`;
  const text = await inWord(chartOf(`<c:ser>${named("a")}${labels}${values}</c:ser>`));
  expect(text).toBe("One\n[Chart]\n\ta\n2019 Q1\t1\nQ2\t2\ntwo");
});

const points2016 = (...values: readonly (string | number)[]) =>
  values.map((value, at) => `<cx:pt idx="${at}">${value}</cx:pt>`).join("");
const labels2016 = (type: string, ...levels: readonly (readonly string[])[]) =>
  `<cx:strDim type="${type}"><cx:f>S!A1</cx:f>${levels.map((level) => `<cx:lvl>${points2016(...level)}</cx:lvl>`).join("")}</cx:strDim>`;
const values2016 = (type: string, code: string, ...values: readonly number[]) =>
  `<cx:numDim type="${type}"><cx:f>S!B1</cx:f><cx:lvl formatCode="${code}">${points2016(...values)}</cx:lvl></cx:numDim>`;
const data2016 = (id: number, ...dimensions: readonly string[]) =>
  `<cx:data id="${id}">${dimensions.join("")}</cx:data>`;
const series2016 = (layout: string, name: string, data: number | null) =>
  `<cx:series layoutId="${layout}"><cx:tx><cx:txData><cx:f>S!C1</cx:f><cx:v>${name}</cx:v></cx:txData></cx:tx>${data === null ? "" : `<cx:dataId val="${data}"/>`}</cx:series>`;
const chart2016 = (data: string, series: string, title = "<cx:txData><cx:v>Cash</cx:v></cx:txData>") =>
  `<cx:chartSpace><cx:chartData>${data}</cx:chartData><cx:chart><cx:title><cx:tx>${title}</cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion>${series}</cx:plotAreaRegion><cx:axis><cx:title><cx:tx><cx:txData><cx:v>Axis</cx:v></cx:txData></cx:tx></cx:title></cx:axis></cx:plotArea></cx:chart></cx:chartSpace>`;

/** Returns the text of a Word document with a chart of a kind since 2016, which old programs show as a picture. */
const in2016 = (chart: string) => {
  const files = {
    "word/_rels/document.xml.rels": target("chartEx", "charts/chartEx1.xml"),
    "word/charts/chartEx1.xml": chart,
  };
  const choice = `<mc:Choice Requires="cx1"><w:drawing><cx:chart r:id="r1"/></w:drawing></mc:Choice>`;
  const fallback = `<mc:Fallback><w:pict>${runOf("no chart")}</w:pict></mc:Fallback>`;
  const body = `<w:p><w:r><mc:AlternateContent>${choice}${fallback}</mc:AlternateContent></w:r></w:p>`;
  return readOfficeText(docxOf(body, files), DOCX);
};

it("a document has the stored values of a waterfall as a table", async () => {
  const data = data2016(0, labels2016("cat", ["Start", "Tax"]), values2016("val", "$#,##0", 4711, -12));
  expect(await in2016(chart2016(data, series2016("waterfall", "2026", 0)))).toBe(
    "[Chart: Cash]\n\t2026\nStart\t$4,711\nTax\t-$12",
  );
});

it("a document has the levels of a treemap, the outermost first, and no colours", async () => {
  const labels = labels2016("cat", ["Oslo", "Bergen"], ["East", "West"]) + labels2016("colorStr", ["red", "blue"]);
  const rich = "<cx:rich><a:p><a:r><a:t>Cities</a:t></a:r></a:p></cx:rich>";
  const data = data2016(0, labels, values2016("size", "General", 7, 2.5));
  expect(await in2016(chart2016(data, series2016("treemap", "", 0), rich))).toBe(
    "[Chart: Cities]\nEast Oslo\t7\nWest Bergen\t2.5",
  );
});

it("a document has all series of a chart of boxes, and the values of a histogram without labels", async () => {
  const first = data2016(0, labels2016("cat", ["a", "b"]), values2016("val", "0", 1, 2));
  const second = data2016(1, labels2016("cat", ["a", "b"]), values2016("val", "0", 3, 4));
  const boxes = series2016("boxWhisker", "one", 0) + series2016("boxWhisker", "two", 1);
  expect(await in2016(chart2016(first + second, boxes))).toBe("[Chart: Cash]\n\tone\ttwo\na\t1\t3\nb\t2\t4");
  const histogram = data2016(0, values2016("val", "0", 5, 6));
  const pareto = series2016("clusteredColumn", "", 0) + series2016("paretoLine", "", null);
  expect(await in2016(chart2016(histogram, pareto))).toBe("[Chart: Cash]\n\t5\n\t6");
  expect(await in2016(chart2016("", "", ""))).toBe("[Chart]");
});

it("a document has the words of a diagram of SmartArt", async () => {
  const data = `<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Do</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>`;
  const files = {
    "word/_rels/document.xml.rels": target("diagramData", "diagrams/data1.xml"),
    "word/diagrams/data1.xml": data,
  };
  const body = `<w:p><w:r><w:drawing><dgm:relIds r:dm="r1"/></w:drawing></w:r></w:p>`;
  expect(await readOfficeText(docxOf(body, files), DOCX)).toBe("[Diagram]\nPlan\nDo");
  const unshown = `<w:p>${runOf("One")}</w:p>`;
  expect(await readOfficeText(docxOf(unshown, files), DOCX)).toBe("One\n[Diagram]\nPlan\nDo");
});
