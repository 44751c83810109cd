import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const read = (file: string) => readFileSync(join(import.meta.dirname, "../../web", file), "utf8");
const theme = read("ui/appearance/theme.css");
const tokens = read("shared-page/tokens.css");

/** Returns the declarations of custom properties, in order and without the formatting of their values. */
const declarations = (css: string): string[] =>
  [...css.matchAll(/(--[\w-]+): ([^;{}]+);/g)].map(([, name, value]) => `${name}: ${value?.replace(/\s+/g, " ")}`);

/** Fonts are names of Tailwind in the theme. The theme chooses the reading font by a script. */
const OWN = /^--(font|reading)-/;

test("the page of a link has the colours of the application", () => {
  const ofTheme = new Set(declarations(theme));
  const ofPage = declarations(tokens).filter((declaration) => !OWN.test(declaration));
  expect(ofPage.length).toBeGreaterThan(30);
  expect(ofPage.filter((declaration) => !ofTheme.has(declaration))).toEqual([]);
});
