import type english from "../../locales/en/sharedPage.json";
import type { Language } from "../../locales/supported-languages.ts";

/** Texts of the page of a link in one language. */
export type SharedPageTexts = typeof english;

/** Each language is a chunk of its own. They are read without i18next, which weighs more than the page. */
const catalogues = import.meta.glob<SharedPageTexts>("../../locales/*/sharedPage.json", { import: "default" });

/** Loads the texts of a language. Rejects if they cannot be loaded. */
export async function loadSharedPageTexts(language: Language): Promise<SharedPageTexts> {
  const load = catalogues[`../../locales/${language}/sharedPage.json`];
  if (load === undefined) throw new Error(`There are no texts for ${language}`);
  return load();
}
