import { StoredText } from "../storage/stored-text.ts";
import { type Language, languages } from "./supported-languages.ts";

/** The language that was chosen in this browser. */
export const storedLanguage = new StoredText("parley.language", "The language");

/** Returns a tag if it is that of a supported language. */
export const asLanguage = (tag: string | null): Language | null =>
  languages.find((each) => each.tag === tag)?.tag ?? null;

/** Returns the language that was chosen in this browser; null if the browser's own counts. */
export const chosenLanguage = (): Language | null => asLanguage(storedLanguage.get());

/** Returns the chosen language, else the preferred one. */
export const wantedLanguage = (): Language => chosenLanguage() ?? preferredLanguage();

/** Returns the first of the browser's languages that is supported, compared without the region. */
export function preferredLanguage(): Language {
  for (const preferred of navigator.languages) {
    const [base] = preferred.toLowerCase().split("-");
    const found = languages.find(({ tag }) => tag.toLowerCase().split("-")[0] === base);
    if (found) return found.tag;
  }
  return "en";
}
