import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const sheet = (path: string) => readFileSync(join(import.meta.dirname, "../../web", path), "utf8");
const theme = sheet("ui/appearance/theme.css");
const code = sheet("markdown/code/code.css");

type Rgb = [number, number, number];
type Colour = { rgb: Rgb; alpha: number };
type Look = { scheme: "light" | "dark"; isStrong: boolean };

const PAIR = /--([\w-]+): light-dark\((oklch\([^)]*\)), (oklch\([^)]*\))\);/g;

/** Returns the colours of a colour scheme by name; with stronger contrast, its colours override the usual ones. */
function coloursOf({ scheme, isStrong }: Look): ReadonlyMap<string, Colour> {
  const read = (text: string) =>
    [...text.matchAll(PAIR)].map(([, name = "", light = "", dark = ""]) => {
      return [name, parse(scheme === "light" ? light : dark)] as const;
    });
  const sheets = [theme, code].map((text) => text.split("@variant strong"));
  const usual = sheets.flatMap(([before = ""]) => read(before));
  const strong = sheets.flatMap(([, behind = ""]) => read(behind.slice(0, behind.indexOf("}"))));
  return new Map(isStrong ? [...usual, ...strong] : usual);
}

/** Converts an OKLCH colour in CSS notation to sRGB; values outside sRGB are clipped. */
function parse(text: string): Colour {
  const [lightness = 0, chroma = 0, hue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
  const [a, b] = [Math.cos, Math.sin].map((of) => chroma * of((hue * Math.PI) / 180)) as [number, number];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear: Rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return { rgb: linear.map((part) => encode(Math.min(1, Math.max(0, part)))) as Rgb, alpha };
}

const encode = (part: number) => (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055);
const decode = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

/** Blends a colour over another as browsers do: in gamma-encoded sRGB. */
const lay = ({ rgb, alpha }: Colour, { rgb: under }: Colour): Colour => ({
  rgb: rgb.map((part, place) => part * alpha + (under[place] ?? 0) * (1 - alpha)) as Rgb,
  alpha: 1,
});

const luminance = ({ rgb: [r, g, b] }: Colour) => 0.2126 * decode(r) + 0.7152 * decode(g) + 0.0722 * decode(b);

function ratio(a: Colour, b: Colour): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const looks: Look[] = (["light", "dark"] as const).flatMap((scheme) => [
  { scheme, isStrong: false },
  { scheme, isStrong: true },
]);

const SURFACES = ["page", "raised", "sunken"];
const TONES = ["accent", "danger", "warning", "success"];
const CODE = ["comment", "keyword", "string", "number", "function", "type", "property"].map((name) => `code-${name}`);

describe.each(looks)("contrast in the $scheme theme, stronger: $isStrong", (look) => {
  const colours = coloursOf(look);
  const colour = (name: string) => {
    const found = colours.get(name);
    if (!found) throw new Error(`There is no --${name}`);
    return found;
  };
  /** Returns the names whose contrast on one of the surfaces is below the minimum. */
  const tooWeak = (names: string[], surfaces: string[], least: number, veil?: string) =>
    names.flatMap((name) =>
      surfaces.flatMap((surface) => {
        const under = veil ? lay(colour(veil), colour(surface)) : colour(surface);
        const found = ratio(colour(name), under);
        return found < least ? [`${name} on ${veil ?? ""} ${surface}: ${found.toFixed(2)}`] : [];
      }),
    );
  const TEXT = 7;
  const SMALL = look.isStrong ? 7 : 4.5;
  const OUTLINE = look.isStrong ? 4.5 : 3;

  test("text is readable on every surface, also when hovered or selected", () => {
    expect(tooWeak(["ink"], SURFACES, TEXT)).toEqual([]);
    expect(tooWeak(["ink"], SURFACES, TEXT, "pressed")).toEqual([]);
    expect(tooWeak(["muted"], SURFACES, SMALL)).toEqual([]);
    expect(tooWeak(["muted"], SURFACES, 4.5, "hover")).toEqual([]);
  });

  test("outlines and focus rings are visible", () => {
    expect(tooWeak(["outline"], SURFACES, OUTLINE)).toEqual([]);
    expect(tooWeak(["accent"], SURFACES, OUTLINE)).toEqual([]);
    if (look.isStrong) expect(tooWeak(["hairline"], SURFACES, 3)).toEqual([]);
  });

  test("links, warnings and the like are readable, also on their own soft surfaces", () => {
    expect(tooWeak(TONES, SURFACES, SMALL)).toEqual([]);
    for (const tone of TONES) expect(tooWeak([tone], SURFACES, 4.5, `${tone}-soft`)).toEqual([]);
    for (const tone of TONES) expect(tooWeak(["ink"], SURFACES, TEXT, `${tone}-soft`)).toEqual([]);
  });

  test("matches of a search are readable", () => {
    expect(tooWeak(["ink"], ["found"], TEXT)).toEqual([]);
  });

  test("labels of buttons are readable, also when hovered", () => {
    expect(tooWeak(["on-accent"], ["accent", "accent-strong"], SMALL)).toEqual([]);
    expect(tooWeak(["on-danger"], ["danger", "danger-strong"], SMALL)).toEqual([]);
  });

  test("code is readable in each of its colours", () => {
    expect(tooWeak(["ink"], ["code"], TEXT)).toEqual([]);
    expect(tooWeak(["muted"], ["code"], SMALL)).toEqual([]);
    expect(tooWeak(CODE, ["code", "raised"], SMALL)).toEqual([]);
  });
});

test("all colours are defined with and without stronger contrast", () => {
  const [usual, strong] = [false, true].map((isStrong) => coloursOf({ scheme: "light", isStrong }));
  expect(usual?.size).toBeGreaterThan(30);
  expect([...(strong?.keys() ?? [])]).toEqual([...(usual?.keys() ?? [])]);
});

test.each(["light", "dark"] as const)(
  "the frame of the browser has the colour of the page in the %s theme",
  (scheme) => {
    const page =
      coloursOf({ scheme, isStrong: false })
        .get("page")
        ?.rgb.map((part) => part * 255) ?? [];
    const frame = new RegExp(`content="#(\\w{6})" media="[^"]*" data-scheme="${scheme}"`).exec(
      sheet("index.html"),
    )?.[1];
    const shown = [0, 2, 4].map((at) => Number.parseInt(frame?.slice(at, at + 2) ?? "", 16));
    for (const [nth, part] of page.entries()) expect(Math.abs(part - (shown[nth] ?? Number.NaN))).toBeLessThan(1.5);
  },
);
