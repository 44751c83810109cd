/** Language of the page: chosen in this browser, else the browser's own, else English. */

import { useTranslation } from "react-i18next";
import { log } from "../log.ts";
import { useStore } from "../store/use-store.ts";
import { i18n } from "./i18n.ts";
import { isRightToLeft, type Language } from "./supported-languages.ts";
import { asLanguage, chosenLanguage, preferredLanguage, storedLanguage, wantedLanguage } from "./wanted-language.ts";

/** Texts by namespace, as a JSON module exports them. */
type Catalogue = { default: Readonly<Record<string, object>> };
/**
 * English texts are in the lazy modules that use them. Each other language is two files: `shell.json` has the
 * namespaces of every page (app, accounts, errors, validation) and of registration, `signed-in.json` the others.
 */
const shell = import.meta.glob<Catalogue>("./*/shell.json");
const signedIn = import.meta.glob<Catalogue>("./*/signed-in.json");

let needsSignedIn = false;
let version = 0;
/** Language of the newest request, which may still be loading. */
let asked: Language = "en";

/** Applies the chosen or preferred language. Resolves once all texts of the sign-in page are loaded; never rejects. */
export async function startLanguage(): Promise<void> {
  storedLanguage.subscribe(() => void speak(wantedLanguage()).catch(warn));
  await speak(wantedLanguage()).catch(warn);
}

/** Loads the texts of the signed-in pages. Never rejects: missing texts fall back to English. */
export async function loadPageTexts(): Promise<void> {
  needsSignedIn = true;
  await loadTexts(signedIn, asked).catch(warn);
}

/** Loads all texts of a language that a page shows beside its own. Rejects if they cannot be loaded. */
export async function loadTextsOf(tag: Language): Promise<void> {
  await loadTexts(signedIn, tag);
}

/** Changes the language of all tabs; null selects the browser's own. Rejects if its texts cannot be loaded. */
export async function chooseLanguage(tag: Language | null): Promise<void> {
  // If it cannot be stored, it still applies until this page is closed.
  if (await speak(tag ?? preferredLanguage())) storedLanguage.set(tag);
}

/** Returns the current language. `chosen`: null if the browser's own language counts. */
export function useLanguage(): { language: Language; chosen: Language | null } {
  const { i18n: spoken } = useTranslation();
  useStore(storedLanguage);
  const chosen = chosenLanguage();
  return { language: asLanguage(spoken.language) ?? "en", chosen };
}

/** @returns whether the language was applied: a newer request may have replaced this one */
async function speak(tag: Language): Promise<boolean> {
  const mine = ++version;
  asked = tag;
  await Promise.all([loadTexts(shell, tag), needsSignedIn && loadTexts(signedIn, tag)]);
  if (mine !== version) return false;
  document.documentElement.lang = tag;
  document.documentElement.dir = isRightToLeft(tag) ? "rtl" : "ltr";
  if (i18n.language !== tag) await i18n.changeLanguage(tag);
  return true;
}

/** Adds the texts of one file of a language. English has no such files: its texts are bundled with the code. */
async function loadTexts(files: typeof shell, tag: Language): Promise<void> {
  const catalogue = await Object.entries(files).find(([path]) => path.startsWith(`./${tag}/`))?.[1]();
  for (const [namespace, texts] of Object.entries(catalogue?.default ?? {}))
    i18n.addResourceBundle(tag, namespace, texts);
}

const warn = (cause: unknown) => log.warn("A language could not be loaded", cause);
