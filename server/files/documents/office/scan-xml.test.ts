import { describe, expect, it } from "vitest";
import { BrokenDocument } from "../document-text.ts";
import { attributeOf, scanXml, withoutElements, type XmlHandler } from "./scan-xml.ts";

/** Returns what a handler receives of a document, as a list. */
function eventsOf(xml: string, wrap = (handler: XmlHandler) => handler): string[] {
  const events: string[] = [];
  const handler: XmlHandler = {
    open: (name, attributes) => events.push(`<${name}${attributes}>`),
    close: (name) => events.push(`</${name}>`),
    text: (text) => events.push(text),
  };
  scanXml(xml, wrap(handler));
  return events;
}

describe("the XML scanner", () => {
  it("reports XML elements, attributes and text in their order", () => {
    expect(eventsOf(`<?xml version="1.0"?><a b='1'>x<c/>y<d e="2" /></a >`)).toEqual([
      ...["<a b='1'>", "x", "<c>", "</c>", "y"],
      ...[`<d e="2" >`, "</d>", "</a>"],
    ]);
  });

  it("decodes predefined XML entities and character references, and leaves others", () => {
    expect(eventsOf("&lt;&gt;&amp;&quot;&apos;&#233;&#xE9;&#x1F600;&#x110000;&nbsp;&a;&")).toEqual([
      `<>&"'éé😀\uFFFD&nbsp;&a;&`,
    ]);
  });

  it("takes the text of a CDATA section, but none of comments and instructions", () => {
    expect(eventsOf("a<![CDATA[<b>&amp;]]>c<!-- <d> -->e<?f <g> ?>h")).toEqual(["a", "<b>&amp;", "c", "e", "h"]);
  });

  it("finds the end of a tag behind a quoted one", () => {
    expect(eventsOf(`<a b="x>y" c='"/>'>z</a>`)).toEqual([`<a b="x>y" c='"/>'>`, "z", "</a>"]);
  });

  it("expands no entity of a document type", () => {
    const lols = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join("");
    expect(eventsOf(`<!DOCTYPE x [<!ENTITY l0 "lol">${lols}]><x>&l9;</x>`)).toEqual(["<x>", "&l9;", "</x>"]);
  });

  it.each(["<a", `<a b="c>`, "<!-- ", "<![CDATA[x", "<!DOCTYPE x [>", "<? "])(
    "refuses the XML %s, which has no end",
    (xml) => {
      expect(() => eventsOf(xml)).toThrow(BrokenDocument);
    },
  );

  it("stops scanning when the handler has enough", () => {
    const seen: string[] = [];
    const handler = { open: () => undefined, close: () => undefined, text: (text: string) => seen.push(text) };
    scanXml("a<b>c</b>d<e>f</e>", { ...handler, isDone: () => seen.length === 2 });
    expect(seen).toEqual(["a", "c"]);
  });

  it("leaves XML elements out with all of their content", () => {
    const xml = "<a><x>1<x>2</x><b>3</b></x>4<x/>5<c k='1'>6</c><c>7</c></a>";
    const isSkipped = (name: string, attributes: string) => name === "x" || attributeOf(attributes, "k") === "1";
    expect(eventsOf(xml, (handler) => withoutElements(handler, isSkipped))).toEqual([
      ...["<a>", "4", "5"],
      ...["<c>", "7", "</c>", "</a>"],
    ]);
  });

  it("finds an XML attribute by its whole name", () => {
    expect(attributeOf(` r:id = 'a&amp;b' id="2"`, "r:id")).toBe("a&b");
    expect(attributeOf(` r:id="1" id="2"`, "id")).toBe("2");
    expect(attributeOf(` r:id="1"`, "id")).toBeUndefined();
    expect(attributeOf(` a b='2' c = d id="3"`, "id")).toBe("3");
  });

  it("M4 looks for an XML attribute in a million characters without one in linear time", () => {
    for (const noise of [
      "x".repeat(1_000_000),
      " x".repeat(500_000),
      `x${" ".repeat(1_000_000)}`,
      "='".repeat(500_000),
    ]) {
      expect(attributeOf(`${noise} id`, "id")).toBeUndefined();
    }
  });
});
