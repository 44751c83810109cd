import { describe, expect, it } from "vitest";
import { errorSentences } from "#contract/errors.ts";
import { validationTemplates } from "#contract/validation.ts";
import { languages } from "./languages.ts";

type Texts = { [key: string]: string | Texts };
type Module = Record<string, Texts>;

const PLURAL = /_(zero|one|two|few|many|other)$/;
const english: Module = Object.assign(
  { errors: errorSentences, validation: validationTemplates },
  ...Object.values(import.meta.glob<Module>("./en/*.ts", { eager: true })),
);
const shells = import.meta.glob<Module>("./*/shell.json", { eager: true, import: "default" });
const behind = import.meta.glob<Module>("./*/signed-in.json", { eager: true, import: "default" });

/** Every text by its path, e.g. `chat.messages.you`; those that count without their plural's name. */
function flatten(texts: Texts, path = ""): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) => {
    const at = path === "" ? key : `${path}.${key}`;
    return typeof value === "string" ? [[at, value] as [string, string]] : flatten(value, at);
  });
}

const placeholders = (text: string) => [...text.matchAll(/\{\{\w+\}\}|<\/?\w+>/g)].map(([mark]) => mark).sort();
const englishTexts = new Map(flatten(english));
const bases = new Set([...englishTexts.keys()].map((key) => key.replace(PLURAL, "")));

describe.each(languages.filter(({ tag }) => tag !== "en"))("$name", ({ tag }) => {
  const texts = new Map(flatten({ ...shells[`./${tag}/shell.json`], ...behind[`./${tag}/signed-in.json`] }));
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;

  it("says all that English says, and nothing else", () => {
    const wanted = [...englishTexts.keys()].flatMap((key) => {
      if (!PLURAL.test(key)) return [key];
      return categories.map((category) => key.replace(PLURAL, `_${category}`));
    });
    expect([...new Set(wanted)].filter((key) => !texts.has(key)).sort()).toEqual([]);
    expect([...texts.keys()].filter((key) => !bases.has(key.replace(PLURAL, "")))).toEqual([]);
  });

  it("fills the same places", () => {
    const odd = [...texts].filter(([key, text]) => {
      const model = englishTexts.get(key) ?? englishTexts.get(key.replace(PLURAL, "_other")) ?? "";
      const [own, wanted] = [placeholders(text), placeholders(model)];
      // "One chat", "two chats": where the form says the number, the number may be left out.
      const isNumberLeftOut = PLURAL.test(key) && !own.includes("{{count}}");
      return own.join() !== wanted.filter((mark) => !(isNumberLeftOut && mark === "{{count}}")).join();
    });
    expect(odd).toEqual([]);
  });

  it("leaves no text empty", () => {
    expect([...texts].filter(([key, text]) => text.trim() === "" && englishTexts.get(key)?.trim() !== "")).toEqual([]);
  });
});
