import { expect, it } from "vitest";
import { pptxOf, relationships, type Slide, withFiles } from "../../../../../testing/files/documents.ts";
import { officeTypes } from "../../../media-type.ts";
import { readOfficeText } from "../office-text.ts";

const [, , PPTX] = officeTypes;
const textOf = (slide: Slide, more: Record<string, string> = {}) =>
  readOfficeText(withFiles(pptxOf(slide), more), PPTX);

const RELS = "ppt/slides/_rels/slide1.xml.rels";
const external = (id: string, target: string) =>
  `<Relationships><Relationship Id="${id}" Type="x/hyperlink" Target="${target}" TargetMode="External"/></Relationships>`;

it("a presentation has descriptions of pictures, and targets of links once behind all of their runs", async () => {
  const run = (text: string, link = "") => `<a:r><a:rPr>${link}</a:rPr><a:t>${text}</a:t></a:r>`;
  const link = '<a:hlinkClick r:id="r1"/>';
  const picture = '<p:pic><p:cNvPr id="9" name="p" descr="A fjord"/></p:pic>';
  const shapes = `${picture}<a:p>${run("See ")}${run("our", link)}${run(" page", link)}${run(" now")}</a:p><a:p>${run("end")}</a:p>`;
  const text = await textOf({ paragraphs: ["One"], shapes }, { [RELS]: external("r1", "https://a.example") });
  expect(text).toBe("[Slide 1]\nOne\n[Picture: A fjord]\nSee our page (https://a.example) now\nend");
});

it("a presentation has the comments of a slide behind its notes, with their authors", async () => {
  const comment = { id: "c", type: "comments", target: "../comments/comment1.xml" };
  const text = await textOf(
    { paragraphs: ["One"] },
    {
      "ppt/_rels/presentation.xml.rels": relationships(
        { id: "rId10", type: "slide", target: "slides/slide1.xml" },
        { id: "a", type: "commentAuthors", target: "commentAuthors.xml" },
      ),
      "ppt/commentAuthors.xml": '<p:cmAuthorLst><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>',
      [RELS]: relationships(comment),
      "ppt/comments/comment1.xml":
        '<p:cmLst><p:cm authorId="0"><p:pos x="1"/><p:text>Why &amp; how?</p:text></p:cm><p:cm authorId="7"><p:text>Good</p:text></p:cm></p:cmLst>',
    },
  );
  expect(text).toBe("[Slide 1]\nOne\n[Comments]\nAnn: Why & how?\nGood");
});

it("a presentation has conversations, whose answers follow what they answer", async () => {
  const body = (text: string) => `<p188:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p188:txBody>`;
  const reply = `<p188:replyLst><p188:reply authorId="{B}">${body("Because")}</p188:reply></p188:replyLst>`;
  const text = await textOf(
    { paragraphs: ["One"] },
    {
      "ppt/_rels/presentation.xml.rels": relationships(
        { id: "rId10", type: "slide", target: "slides/slide1.xml" },
        { id: "a", type: "authors", target: "authors.xml" },
      ),
      "ppt/authors.xml":
        '<p188:authorLst><p188:author id="{A}" name="Ann"/><p188:author id="{B}" name="Bo"/></p188:authorLst>',
      [RELS]: relationships({ id: "c", type: "comments", target: "../comments/modernComment_100.xml" }),
      "ppt/comments/modernComment_100.xml": `<p188:cmLst><p188:cm authorId="{A}">${reply}${body("Why?")}</p188:cm></p188:cmLst>`,
    },
  );
  expect(text).toBe("[Slide 1]\nOne\n[Comments]\nAnn: Why?\nBo: Because");
});

it("a row of a presentation's table is one line, although its cells have breaks", async () => {
  const cell = (content: string) => `<a:tc><a:txBody>${content}</a:txBody></a:tc>`;
  const run = (text: string) => `<a:r><a:t>${text}</a:t></a:r>`;
  const shapes = `<a:tbl><a:tr>${cell(`<a:p>${run("a")}<a:br/>${run("b")}</a:p><a:p>${run("c")}</a:p>`)}${cell(`<a:p>${run("d")}</a:p>`)}</a:tr></a:tbl>`;
  expect(await textOf({ paragraphs: [], shapes })).toBe("[Slide 1]\na b c\td");
});

it("a presentation has the numbers of its lists, whose deeper levels begin anew", async () => {
  const numbered = (text: string, type: string, level = 0, more = "") =>
    `<a:p><a:pPr lvl="${level}"><a:buAutoNum type="${type}" ${more}/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
  const plain = (text: string) => `<a:p>${text === "" ? "" : `<a:r><a:t>${text}</a:t></a:r>`}</a:p>`;
  const lists = [
    numbered("A", "arabicPeriod") + numbered("a", "alphaLcParenR", 1) + numbered("b", "alphaLcParenR", 1),
    plain("") + numbered("B", "arabicPeriod") + numbered("c", "alphaLcParenR", 1) + plain("plain"),
    numbered("C", "arabicPeriod") + numbered("D", "romanUcParenBoth") + numbered("E", "romanUcParenBoth"),
    numbered("F", "arabicPlain", 0, 'startAt="7"') + numbered("G", "arabicPeriod", 99),
  ];
  const body = (content: string) =>
    `<p:txBody><a:lstStyle><a:lvl1pPr><a:buAutoNum type="arabicPeriod"/></a:lvl1pPr></a:lstStyle>${content}</p:txBody>`;
  const shapes = body(lists.join("")) + body(numbered("H", "arabicPlain", 0, 'startAt="7"'));
  expect(await textOf({ paragraphs: [], shapes })).toBe(
    "[Slide 1]\n1. A\na) a\nb) b\n2. B\na) c\nplain\n1. C\n(I) D\n(II) E\n7 F\nG\n7 H",
  );
});
