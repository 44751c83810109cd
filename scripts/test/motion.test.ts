import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const web = join(import.meta.dirname, "../../web");
const THEME = "ui/appearance/theme.css";
/** The same tokens in the document of a link (link-colours.test.ts). */
const LINK = "shared-page/tokens.css";
const read = (file: string) => readFileSync(join(web, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
const sheets = globSync("**/*.css", { cwd: web });
const sources = globSync("**/*.{ts,tsx}", { cwd: web }).filter((file) => !/\.test\.tsx?$|^testing\//.test(file));

const DURATION = /(?<![\w-])\d*\.?\d+m?s\b/;
const theme = read(THEME);
const calm = theme.slice(theme.indexOf("@variant calm {"));
const stilled = calm.slice(0, calm.indexOf("}"));
/** Tokens with a duration. The one exception is a delay. */
const tokens = [...theme.slice(0, theme.indexOf("@variant calm {")).matchAll(/--([\w-]+): ([^;]*);/g)]
  .filter(([, name, value = ""]) => DURATION.test(value) && name !== "holding")
  .map(([, name = ""]) => name);

describe("motion", () => {
  test("the tokens of motion are off under reduced motion, also by the person's own setting", () => {
    expect(tokens).toEqual(["motion", "turning", "landing", "breathing"]);
    for (const name of tokens) expect(stilled).toMatch(new RegExp(`--${name}: (0s|none);`));
    const variant = theme.slice(theme.indexOf("@custom-variant calm"), theme.indexOf(":root"));
    expect(variant).toContain("(prefers-reduced-motion: reduce)");
    expect(variant).toContain('[data-motion="less"]');
  });

  test("the motions of the page of a link are off as well", () => {
    const link = read(LINK);
    for (const condition of ["@media (prefers-reduced-motion: reduce) {", '&[data-motion="less"] {']) {
      const rule = link.slice(link.indexOf(condition), link.indexOf("}", link.indexOf(condition)));
      expect(rule).toMatch(/--motion: 0s;\s*--breathing: none;/);
    }
    expect([...link.matchAll(/(--[\w-]+): [^;]*\dm?s\b/g)].map(([, name]) => name)).toEqual(
      expect.arrayContaining(["--motion", "--breathing"]),
    );
  });

  test("a motion takes 120 to 180 ms", () => {
    const ms = Number(/--motion: (\d+)ms;/.exec(theme)?.[1]);
    expect(ms).toBeGreaterThanOrEqual(120);
    expect(ms).toBeLessThanOrEqual(180);
  });

  test.each(sheets.filter((file) => file !== THEME && file !== LINK))(
    "the sheet %s has no duration of its own",
    (file) => {
      const text = read(file);
      expect(text).not.toMatch(DURATION);
      for (const [, value] of text.matchAll(/(?:animation|transition): ([^;]*);/g))
        expect(value).toMatch(/var\(--|none/);
    },
  );

  test("no component has a duration of its own", () => {
    const own = sources.filter((file) => {
      const text = read(file);
      const isRaw = /\b(?:duration|delay)-(?:\d|\[)|\b(?:animate|transition)-\[|behavior: "smooth"/.test(text);
      return isRaw || (/\.animate\(/.test(text) && !text.includes("motionTiming()"));
    });
    expect(own).toEqual([]);
  });
});
