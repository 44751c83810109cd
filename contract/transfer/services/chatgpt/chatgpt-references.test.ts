import { describe, expect, it } from "vitest";
import { piecesWithSources } from "./chatgpt-references.ts";

const cite = (...fields: string[]) => `\uE200${fields.join("\uE202")}\uE201`;
const page = (name: string) => ({ url: `https://${name}.example/`, title: name.toUpperCase() });
const source = (name: string) => ({ kind: "source", ...page(name) });
const text = (words: string) => ({ kind: "text", text: words });
const further = (words: string) => ({ ...text(words), isContinuation: true });
const pieces = (words: string, metadata: Record<string, unknown> = {}) => piecesWithSources([words], metadata);

describe("the citations of ChatGPT", () => {
  it("a mark leaves the text, and the pages of its reference follow what rests on them", () => {
    const mark = cite("cite", "turn0search0", "turn0search4");
    const reference = {
      ...{ matched_text: mark, start_idx: 13, end_idx: 13 + mark.length, type: "grouped_webpages" },
      items: [{ ...page("a"), supporting_websites: [page("b"), page("a")] }],
      safe_urls: ["https://a.example/", "https://c.example/"],
    };
    expect(pieces(`Prices fell. ${mark}\n\nThen they rose ${mark}.`, { content_references: [reference] })).toEqual([
      ...[text("Prices fell."), source("a"), source("b")],
      ...[further("\n\nThen they rose"), source("a"), source("b"), further(".")],
    ]);
  });

  it("equal marks have the references of their order", () => {
    const of = (name: string) => ({ matched_text: "【3†source】", type: "webpage", ...page(name) });
    expect(pieces("A【3†source】 B【3†source】", { content_references: [of("a"), of("b")] })).toEqual([
      ...[text("A"), source("a"), further(" B"), source("b")],
    ]);
  });

  it("a citation with a position names its mark, also behind characters of two units", () => {
    const words = "😀😀😀 One【1†source】 two【2†source】.";
    const at = (start_ix: number, name: string) => ({
      start_ix,
      end_ix: start_ix + 10,
      metadata: { type: "webpage", ...page(name) },
    });
    expect(pieces(words, { citations: [at(21, "b"), at(7, "a")] })).toEqual([
      ...[text("😀😀😀 One"), source("a"), further(" two"), source("b"), further(".")],
    ]);
  });

  it("citations with wrong positions have the order of the marks", () => {
    const of = (name: string) => ({ start_ix: 900, end_ix: 910, metadata: page(name) });
    expect(pieces("A【1†x】B【2†y】", { citations: [of("a"), of("b")] })).toEqual([
      ...[text("A"), source("a"), further("B"), source("b")],
    ]);
  });

  it("citations of one place belong to one mark, and positions may be wrong by one", () => {
    const at = (start_ix: number, name: string) => ({ start_ix, end_ix: start_ix + 5, metadata: page(name) });
    const citations = [at(2, "a"), at(2, "b"), at(7, "c")];
    expect(pieces("A【1†x】【2†y】.", { citations })).toEqual([
      ...[text("A"), source("a"), source("b"), source("c"), further(".")],
    ]);
  });

  it("addresses alone are sources, and addresses of no page are none", () => {
    const mark = cite("cite", "turn0search0");
    const of = (more: object) => pieces(`A ${mark}.`, { content_references: [{ matched_text: mark, ...more }] });
    expect(of({ safe_urls: ["https://a.example/"] })).toContainEqual({
      kind: "source",
      url: "https://a.example/",
      title: "",
    });
    expect(of({ items: [{ url: "javascript:alert(1)" }], url: 3 })).toEqual([text("A.")]);
  });

  it("sources without a mark follow the text once", () => {
    const content_references = [
      { type: "sources_footnote", matched_text: " ", start_idx: 9, end_idx: 9, sources: [page("a"), page("b")] },
      { type: "followup_a", matched_text: "Ask more", alt: "Ask more", url: "https://c.example/" },
    ];
    const citations = [{ start_ix: 0, end_ix: 4, metadata: page("b") }];
    expect(pieces("Ask more.", { content_references, citations })).toEqual([
      text("Ask more."),
      source("a"),
      source("b"),
    ]);
  });
});

describe("the marks of ChatGPT without a source", () => {
  it("marks without a source leave no garbage", () => {
    const marks = [
      cite("cite", "turn0search0"),
      cite("filecite", "turn3file0", "L2-L4"),
      "【8†a-b.md†L1-L10】",
      "【3:0†file.pdf】",
    ];
    const more = [
      ':chatgpt-content-reference{index="2"}',
      cite("image_group", '{"query":["x"]}'),
      cite("finance", "turn0finance0"),
      ":contentReference[oaicite:0]{index=0}",
      "&#8203;``【oaicite:3】``&#8203;",
      "\uE2A0",
    ];
    for (const mark of [...marks, ...more]) expect(pieces(`It rains ${mark}.`)).toEqual([text("It rains.")]);
    expect(pieces("It rains \uE200cite\uE202turn0sea")).toEqual([text("It rains")]);
    expect(pieces("\uE203It\uE204 rains\uE202turn0search1")).toEqual([text("It rains")]);
  });

  it("marks without a source keep their visible names", () => {
    const named = cite("entity", '["people","René \\"Descartes\\"","philosopher"]');
    expect(pieces(`${named} thought.`)).toEqual([text('René "Descartes" thought.')]);
    expect(pieces(`See ${cite("entity", "GPT-4")}!`)).toEqual([text("See GPT-4!")]);
    const link = cite("url", "The docs", "https://a.example/x");
    expect(pieces(`Read ${link}.`)).toEqual([text("Read [The docs](https://a.example/x).")]);
    expect(pieces(`A ${cite("video", "How to sail", "turn0video1")}.`)).toEqual([text("A How to sail.")]);
    const alt = { matched_text: cite("x", "turn0x1"), type: "alt_text", alt: "Fjord" };
    expect(pieces(`A ${alt.matched_text}.`, { content_references: [alt] })).toEqual([text("A Fjord.")]);
  });

  it("brackets and arrows that an answer may use are no marks", () => {
    const words = "【Note】 see † and 【†】, f【x】";
    expect(pieces(words)).toEqual([text(words)]);
  });

  it("a mark of content that a reference names becomes its source", () => {
    const mark = ":contentReference[oaicite:1]{index=1}";
    const content_references = [{ matched_text: mark, type: "webpage", ...page("a") }];
    expect(pieces(`It rains. ${mark}`, { content_references })).toEqual([text("It rains."), source("a")]);
  });

  it.each([
    ["Get [the table](sandbox:/mnt/data/a%20(1).csv).", "Get the table."],
    ["![A [deep] fjord](sandbox:/mnt/data/fjord.png)", "A [deep] fjord"],
    ["Get [it](https://a.example/) or [that](sandbox:x.csv)", "Get [it](https://a.example/) or that"],
  ])("a link to a file of ChatGPT's machine leaves its label: %j", (words, left) => {
    expect(pieces(words)).toEqual([text(left)]);
    const content_references = [{ matched_text: "[that](sandbox:x.csv)", type: "image", alt: "" }];
    expect(pieces(words, { content_references })).toEqual([text(left)]);
  });

  it.each([
    [
      ':::writing{variant="email" id="58291" subject="A trip"}\nDear Ada,\n\nHi.\n:::',
      "**A trip**\n\nDear Ada,\n\nHi.\n",
    ],
    ['Here:\n:::writing{variant="chat"}\nHi.\n:::\nGood?', "Here:\n\nHi.\n\nGood?"],
    [":::writing\nIt was cut", "It was cut"],
    [":::writing{}\n```\n:::\n```\n:::", "```\n:::\n```\n"],
  ])("a block of writing leaves its words and its subject: %j", (words, left) => {
    expect(pieces(words)).toEqual([text(left)]);
  });

  it.each([
    "Marks are `:contentReference[oaicite:0]{index=0}` and `【1†source】`.",
    "```md\n[a](sandbox:/mnt/data/a.csv) :contentReference[oaicite:0]{index=0}\n:::writing{}\n:::\n```",
    "~~~\n【1†source】\n~~~",
    "In Pandoc a line of\n:::\nends a block, and a [link](sandbox) is none.",
  ])("marks in code, and what is none, stay as they are: %j", (words) => {
    expect(pieces(words)).toEqual([text(words)]);
  });

  it.each(["[", "[]", "![a](sandbox:", "[[a]", ":contentReference[", ":::writing{\n", ":::\n", "`【1†x】"])(
    "many beginnings of marks take linear time: %j",
    (part) => {
      expect(pieces(part.repeat(50_000)).length).toBeLessThanOrEqual(1);
    },
  );
});
