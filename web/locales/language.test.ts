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
])("the browser's languages %j give %s", async (preferred, expected) => {
  prefer(...preferred);
  await startLanguage();
  expect(i18n.language).toBe(expected);
  expect(document.documentElement.lang).toBe(expected);
});

test("what was chosen wins over the browser, and is kept", async () => {
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

test("of two choices the later one counts, whichever is there first", async () => {
  await Promise.all([chooseLanguage("de"), chooseLanguage("en")]);
  expect(i18n.language).toBe("en");
  expect(localStorage.getItem("parley.language")).toBe("en");
});

test("a choice in another tab holds in this one", async () => {
  await startLanguage();
  localStorage.setItem("parley.language", "de");
  dispatchEvent(new StorageEvent("storage", { key: "parley.language" }));
  await vi.waitFor(() => expect(i18n.language).toBe("de"));
});

test("a choice that this page does not know counts as none", async () => {
  prefer("en");
  localStorage.setItem("parley.language", "tlh");
  await startLanguage();
  expect(i18n.language).toBe("en");
});

test("where the browser forbids its storage, the page speaks all the same", async () => {
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

test("a language that is chosen while the pages behind the sign-in load is theirs too", async () => {
  await chooseLanguage("en");
  const choosing = chooseLanguage("es");
  await loadPageTexts();
  await choosing;
  expect(i18n.hasResourceBundle("es", "chat")).toBe(true);
});

test("the pages behind the sign-in speak the language too", async () => {
  await loadPageTexts();
  await chooseLanguage("de");
  expect(i18n.hasResourceBundle("de", "chat")).toBe(true);
});
