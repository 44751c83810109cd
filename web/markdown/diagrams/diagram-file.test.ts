import { describe, expect, test, vi } from "vitest";
import { fileName, isInertSvg, svgFile } from "./diagram-file.ts";

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">${inside}</svg>`;

vi.mock("./diagram-fonts.ts", () => {
  const names = ["latin", "latinExtended", "cyrillic", "greek", "vietnamese"];
  return { fontAddresses: Object.fromEntries(names.map((name) => [name, `/${name}.woff2`])) };
});

describe("drawings that are saved", () => {
  test.each([
    svg(
      '<style>#d{fill:red}</style><g><path d="M0 0" marker-end="url(#end)"/><text>JavaScript: a onclick=b</text></g>',
    ),
    svg('<a href="#here"><text>x</text></a>'),
    svg('<g aria-label="a&#xA;b&#9;c, image-set and src"><text>&amp;#65; image-set(x)</text></g>'),
    svg('<g aria-label="a > b &lt; c" fill="url(\'#a\')"><text>C:\\dir (x), @import, url(x)</text></g>'),
  ])("a drawing that loads nothing is saved: %j", (text) => expect(isInertSvg(text)).toBe(true));

  test.each([
    ...["", "<html><svg></svg></html>", '<?xml version="1.0"?><svg/>', "<!DOCTYPE svg><svg/>"],
    ...["<script>1</script>", "<x:script>1</x:script>", "<SCRIPT href='data:,1'/>", "<set attributeName='href'/>"].map(
      svg,
    ),
    ...["<g onclick='1'/>", '<g\nonload = "1"/>', "<foreignObject/>", "<image href='https://a.example'/>"].map(svg),
    ...["<a href='javascript:1'/>", '<a xlink:href="//a.example"/>', "<use href=https://a.example/#a />"].map(svg),
    ...['<rect data-a=">" onclick="alert(1)"/>', "<a.b:script/>", "<style>@import 'x'</style>", "<g a='<'/>"].map(svg),
    ...['<rect fill="url(https://a.example)"/>', "<style>a{b:\\75rl(x)}</style>", "<!-- x -->", "<g a=b/>"].map(svg),
    ...["image-set('https://a.example' 1x)", "-webkit-image-set(url(#a) 1x)", 'src("https://a.example")'].flatMap(
      (css) => [
        svg(`<style>a{background:${css}}</style>`),
        svg(`<rect style='background:${css.replaceAll("'", '"')}'/>`),
      ],
    ),
    ...["cross-fade(url(#a), 'b')", "image('b')", "&#117;rl(https://a.example)", "&#x75;rl(b)"].map((css) =>
      svg(`<style>a{background:${css}}</style>`),
    ),
    svg("<rect fill='&#117;rl(https://a.example)'/>"),
    '<svg onload="1"></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/2000/svg"/>',
  ])("the text of a frame that is no inert drawing is refused: %j", async (text) => {
    expect(isInertSvg(text)).toBe(false);
    await expect(svgFile(text)).rejects.toThrow();
  });
});

test("the file of a diagram contains the typeface for its characters", async () => {
  const fetched = vi.fn(async (_address: string) => new Response("font"));
  vi.stubGlobal("fetch", fetched);
  const text = await (await svgFile(svg("<text>Привет</text>"))).text();
  vi.unstubAllGlobals();
  expect(fetched.mock.calls.map(([address]) => address)).toEqual(["/latin.woff2", "/cyrillic.woff2"]);
  expect(text).toMatch(/^<svg [^>]*><style>@font-face\{.*url\(data:font\/woff2;base64,Zm9udA==\)/);
  expect(text.endsWith("<text>Привет</text></svg>")).toBe(true);
});

test.each([
  ["A chat", "A chat.svg"],
  [' a/b\\c: "d"\n*?<e>| ', "a b c d e.svg"],
  ["../..", "diagram.svg"],
  ["  ", "diagram.svg"],
  [null, "diagram.svg"],
  ["محادثة", "محادثة.svg"],
  ["x".repeat(200), `${"x".repeat(80)}.svg`],
])("the file of a diagram in the chat %j is named %j", (title, name) => {
  expect(fileName(title, "diagram", "svg")).toBe(name);
});
