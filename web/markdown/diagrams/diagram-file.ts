/** Files of a diagram. The SVG text comes from the sandboxed frame: it is untrusted and never becomes elements. */

import { FILE_PADDING } from "../../sandbox/diagram-messages.ts";
import type { Size } from "../../ui/zoom/view.ts";
import { fontAddresses } from "./diagram-fonts.ts";

/** Files of the typeface by the characters that they are needed for. */
const FONTS: readonly [address: string, range: string, needed: RegExp][] = [
  [fontAddresses.latin, "U+0000-00FF,U+2000-206F,U+20AC,U+2122,U+2190-2193,U+2212", /^/],
  [
    fontAddresses.latinExtended,
    "U+0100-02FF,U+1E00-1E9F,U+20A0-20AB,U+20AD-20C0",
    /[\u0100-\u02ff\u1e00-\u1e9f\u20a0-\u20c0]/,
  ],
  [fontAddresses.cyrillic, "U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116", /[\u0400-\u04ff\u2116]/],
  [fontAddresses.greek, "U+0370-03FF", /[\u0370-\u03ff]/],
  [
    fontAddresses.vietnamese,
    "U+0102-0103,U+0110-0111,U+01A0-01A1,U+01AF-01B0,U+1EA0-1EF9,U+20AB",
    /[\u1ea0-\u1ef9\u01a0-\u01b0]/,
  ],
];

/** A start or end tag of well-formed XML: its name (group 1) and its attributes (group 2). */
const TAG = /<\/?([^\s<>"'/]+)((?:\s+[^\s<>"'=/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/g;
const ATTRIBUTE = /([^\s<>"'=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Elements that could act when the file is opened. */
const ACTIVE = /^(?:script|foreignObject|iframe|embed|object|handler|listener|set|animate.*|image)$/i;

/**
 * CSS that loads something other than an element of the drawing. An escape of CSS could hide it, and so could a character
 * reference of XML; serialisers write references of white space only.
 */
const LOADS =
  /@import|url\((?!\s*["']?#)|(?:image-set|src|image|cross-fade|element|paint)\(|\\(?=[^<]*\()|&#(?!(?:x0*[9ad]|0*(?:9|10|13));)/i;

/** PNG pixels per CSS pixel, and the most pixels that browsers draw on a canvas (Safari on iOS). */
const PIXEL_RATIO = 2;
const MOST_PIXELS = 16_000_000;
const LONGEST_NAME = 80;

/**
 * Returns whether the text is one SVG element that only draws. The page's policy forbids a parser of XML, so the tags
 * are read here; a text that is not plain, well-formed XML is refused.
 */
export function isInertSvg(svg: string): boolean {
  if (!svg.startsWith("<svg")) return false;
  for (const [, name = "", attributes = ""] of svg.matchAll(TAG)) {
    // A prefix could hide the name of an element that acts.
    if (!/^[a-z][a-z0-9]*$/i.test(name) || ACTIVE.test(name)) return false;
    for (const [, attribute = "", double, single] of attributes.matchAll(ATTRIBUTE)) {
      if (!isInertAttribute(attribute.toLowerCase(), double ?? single ?? "")) return false;
    }
  }
  const styles = [...svg.matchAll(/<style[^>]*>([^<]*)/g)];
  return !svg.replaceAll(TAG, "").includes("<") && !styles.some(([, style = ""]) => LOADS.test(style));
}

function isInertAttribute(name: string, value: string): boolean {
  if (name.startsWith("on") || LOADS.test(value)) return false;
  if (name === "href" || name.endsWith(":href")) return value.startsWith("#");
  return !name.startsWith("xmlns:") || name === "xmlns:xlink";
}

/** Returns the file of a diagram as SVG, with its typeface. @throws Error if the text is not a mere drawing */
export async function svgFile(svg: string): Promise<Blob> {
  if (!isInertSvg(svg)) throw new Error("The diagram is not a mere drawing");
  const faces = await Promise.all(FONTS.filter(([, , needed]) => needed.test(svg)).map(fontFace));
  const withFonts = svg.replace(/^<svg[^>]*>/, (tag) => `${tag}<style>${faces.join("")}</style>`);
  return new Blob([withFonts], { type: "image/svg+xml" });
}

async function fontFace([address, range]: (typeof FONTS)[number]): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The typeface answers ${response.status}`);
  const data = await dataUrl(await response.blob());
  return `@font-face{font-family:"Inter Variable";font-weight:100 900;src:url(${data}) format("woff2");unicode-range:${range}}`;
}

function dataUrl(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(new Blob([blob], { type: "font/woff2" }));
  return promise;
}

/**
 * Returns the diagram as PNG on a background. The browser draws the SVG as an image, in which scripts do not run and
 * nothing is loaded. `size`: of the drawing in CSS pixels, without padding.
 */
export async function pngFile(svg: string, size: Size, background: string): Promise<Blob> {
  const width = size.width + 2 * FILE_PADDING;
  const height = size.height + 2 * FILE_PADDING;
  const ratio = Math.min(PIXEL_RATIO, Math.sqrt(MOST_PIXELS / (width * height)));
  const address = URL.createObjectURL(await svgFile(svg));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.floor(width * ratio);
    canvas.height = Math.floor(height * ratio);
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("No canvas");
    pen.fillStyle = background;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    const { promise, resolve } = Promise.withResolvers<Blob | null>();
    canvas.toBlob(resolve, "image/png");
    const png = await promise;
    if (!png) throw new Error("No picture");
    return png;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Returns a name that every file system accepts. */
export function fileName(title: string | null, fallback: string, extension: string): string {
  const name = (title ?? "")
    .replaceAll(/[\\/:*?"<>|\p{C}\s]+/gu, " ")
    .replaceAll(/^[. ]+|[. ]+$/g, "")
    .slice(0, LONGEST_NAME)
    .trim();
  return `${name === "" ? fallback : name}.${extension}`;
}
