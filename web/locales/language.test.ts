import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { i18n } from "./i18n.ts";
import { chooseLanguage, loadPageTexts, startLanguage } from "./language.ts";

function prefer(...tags: string[]): void {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(tags);
}

beforeEach(() => localStorage.clear());
afterEach(async () => {
  vi.restoreAllMocks();
  await chooseLanguage("en");
});

test.each([
  [["de-AT", "en"], "de"],
  [["nl", "pt-PT", "en"], "pt-BR"],
  [["zh-TW"], "zh-CN"],
  [["nl"], "en"],
  [[], "en"],
])("the browser's languages %j select %s", async (preferred, expected) => {
  prefer(...preferred);
  await startLanguage();
  expect(i18n.language).toBe(expected);
  expect(document.documentElement.lang).toBe(expected);
});

test("a chosen language wins over the browser's and is stored", async () => {
  prefer("fr");
  await chooseLanguage("de");
  expect(i18n.t("app:cancel")).toBe("Abbrechen");
  await startLanguage();
  expect(i18n.language).toBe("de");
  await chooseLanguage(null);
  expect(i18n.language).toBe("fr");
  expect(localStorage.length).toBe(0);
});

test("Arabic is written from right to left", async () => {
  await chooseLanguage("ar");
  expect(document.documentElement.dir).toBe("rtl");
  await chooseLanguage("en");
  expect(document.documentElement.dir).toBe("ltr");
});

test("the later of two chosen languages counts, whichever is loaded first", async () => {
  await Promise.all([chooseLanguage("de"), chooseLanguage("en")]);
  expect(i18n.language).toBe("en");
  expect(localStorage.getItem("parley.language")).toBe("en");
});

test("a language chosen in another tab applies to this one", async () => {
  await startLanguage();
  localStorage.setItem("parley.language", "de");
  dispatchEvent(new StorageEvent("storage", { key: "parley.language" }));
  await vi.waitFor(() => expect(i18n.language).toBe("de"));
});

test("an unknown stored language counts as none", async () => {
  prefer("en");
  localStorage.setItem("parley.language", "tlh");
  await startLanguage();
  expect(i18n.language).toBe("en");
});

test("a chosen language is applied even if the browser forbids storage", async () => {
  prefer("de");
  for (const name of ["getItem", "setItem", "removeItem"] as const) {
    vi.spyOn(Storage.prototype, name).mockImplementation(() => {
      throw new DOMException("No", "SecurityError");
    });
  }
  vi.spyOn(console, "warn").mockImplementation(() => {});
  await startLanguage();
  expect(i18n.language).toBe("de");
  await chooseLanguage("fr");
  expect(i18n.language).toBe("fr");
});

test("a language that is chosen while the signed-in pages load applies to them too", async () => {
  await chooseLanguage("en");
  const choosing = chooseLanguage("es");
  await loadPageTexts();
  await choosing;
  expect(i18n.hasResourceBundle("es", "chat")).toBe(true);
});

test("the signed-in pages use the chosen language too", async () => {
  await loadPageTexts();
  await chooseLanguage("de");
  expect(i18n.hasResourceBundle("de", "chat")).toBe(true);
});
