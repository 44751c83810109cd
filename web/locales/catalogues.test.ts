import { describe, expect, it, test } from "vitest";
import { errorSentences } from "#contract/errors.ts";
import { validationTemplates } from "#contract/text/validation.ts";
import { languages } from "./supported-languages.ts";

type Texts = { [key: string]: string | Texts };
type Module = Record<string, Texts>;

const PLURAL = /_(zero|one|two|few|many|other)$/;
const own = import.meta.glob<Texts>("./en/*.json", { eager: true, import: "default" });
const catalogues: Module = Object.fromEntries(
  Object.entries(own).map(([path, texts]) => [path.replace(/^.*\/|\.json$/g, ""), texts]),
);
const english: Module = { errors: errorSentences, validation: validationTemplates, ...catalogues };
const shells = import.meta.glob<Module>("./*/shell.json", { eager: true, import: "default" });
const signedInTexts = import.meta.glob<Module>("./*/signed-in.json", { eager: true, import: "default" });
const sharedPages = import.meta.glob<Texts>("./*/sharedPage.json", { eager: true, import: "default" });

/** Returns the texts of another language than English by namespace. */
const textsOf = (tag: string): Texts => ({
  ...shells[`./${tag}/shell.json`],
  ...signedInTexts[`./${tag}/signed-in.json`],
  sharedPage: sharedPages[`./${tag}/sharedPage.json`] ?? {},
});

/** Returns every text by its path, e.g. `chat.messages.you`; plural texts without their plural suffix. */
function flatten(texts: Texts, path = ""): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) => {
    const at = path === "" ? key : `${path}.${key}`;
    return typeof value === "string" ? [[at, value] as [string, string]] : flatten(value, at);
  });
}

const placeholders = (text: string) => [...text.matchAll(/\{\{\w+\}\}|<\/?\w+>/g)].map(([mark]) => mark).sort();
/** Returns the variables of texts that have some, in the shape of the catalogue. All forms of a plural have `count`. */
function variablesOf(texts: Texts): Texts {
  const found: Texts = {};
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value !== "string") {
      const inner = variablesOf(value);
      if (Object.keys(inner).length > 0) found[key] = inner;
      continue;
    }
    const names = new Set(value.match(/\{\{\w+\}\}/g));
    if (PLURAL.test(key)) names.add("{{count}}");
    if (names.size > 0) found[key] = [...names].sort().join(" ");
  }
  return found;
}

const englishTexts = new Map(flatten(english));
const bases = new Set([...englishTexts.keys()].map((key) => key.replace(PLURAL, "")));

describe.each(languages.filter(({ tag }) => tag !== "en"))("$name", ({ tag }) => {
  const texts = new Map(flatten(textsOf(tag)));
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;

  it("the catalogue has the same texts as English", () => {
    const wanted = [...englishTexts.keys()].flatMap((key) => {
      if (!PLURAL.test(key)) return [key];
      return categories.map((category) => key.replace(PLURAL, `_${category}`));
    });
    expect([...new Set(wanted)].filter((key) => !texts.has(key)).sort()).toEqual([]);
    expect([...texts.keys()].filter((key) => !bases.has(key.replace(PLURAL, "")))).toEqual([]);
  });

  it("the catalogue has the same placeholders as English", () => {
    const odd = [...texts].filter(([key, text]) => {
      const model = englishTexts.get(key) ?? englishTexts.get(key.replace(PLURAL, "_other")) ?? "";
      const [own, wanted] = [placeholders(text), placeholders(model)];
      // "One chat", "two chats": a plural form that spells the number may omit the placeholder.
      const isNumberLeftOut = PLURAL.test(key) && !own.includes("{{count}}");
      return own.join() !== wanted.filter((mark) => !(isNumberLeftOut && mark === "{{count}}")).join();
    });
    expect(odd).toEqual([]);
  });

  it("the catalogue has no empty text", () => {
    expect([...texts].filter(([key, text]) => text.trim() === "" && englishTexts.get(key)?.trim() !== "")).toEqual([]);
  });
});

test("German addresses the person as du, never as Sie", () => {
  const texts = flatten(textsOf("de"));
  // At the start of a sentence both words can also mean "they" and "their".
  const formal = /(?<!^|[.!?:] )\b(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)\b/;
  expect([...texts].filter(([, text]) => formal.test(text))).toEqual([]);
});

test("the types have the variables of the English texts (npx vitest run web/locales -u writes them)", async () => {
  // The page of a link reads its texts without i18next.
  const { sharedPage: _, ...ofI18n } = catalogues;
  const ofNamespaces = Object.entries(variablesOf(ofI18n)).flatMap(([namespace, sections]) => [
    `  "${namespace}": {`,
    ...Object.entries(sections).map(([section, marks]) => `    "${section}": ${JSON.stringify(marks)},`),
    "  },",
  ]);
  const lines = [
    "// biome-ignore-all format: written by catalogues.test.ts",
    "",
    "/** The variables of the English texts: TypeScript reads keys from JSON, but no literal types. */",
    "export type Variables = {",
    ...ofNamespaces,
    "};",
  ];
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./variables.ts");
});
