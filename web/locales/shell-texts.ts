/**
 * The catalogue of texts, as far as every page needs it: the chat's own part comes with `i18n.ts`, so that nobody
 * loads it to sign in. English is the only language yet.
 */

import i18n from "i18next";
import { initReactI18next } from "react-i18next";
import { errorSentences } from "#contract/errors.ts";
import { validationTemplates } from "#contract/validation.ts";
import { isolate } from "../ui/appearance/direction.ts";
import accounts from "./en/accounts.json";
import app from "./en/app.json";

export const shellTexts = { app, accounts, errors: errorSentences, validation: validationTemplates };

void i18n.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  resources: { en: shellTexts },
  defaultNS: "app",
  // React escapes; what is put into a sentence only keeps its own direction.
  interpolation: { escape: (text) => isolate(text, i18n.dir() === "rtl") },
  initAsync: false,
});

export { i18n };
