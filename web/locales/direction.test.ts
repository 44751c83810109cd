import { afterEach, expect, test } from "vitest";
import "../testing/english-texts.ts";
import { directionOf, isolate, keysOfMenu } from "./direction.ts";
import { i18n } from "./i18n.ts";

afterEach(() => {
  document.dir = "ltr";
});

test.each([
  ["Rivers", false, "Rivers"],
  ["أنهار", false, "\u2068أنهار\u2069"],
  ["Rivers", true, "\u2068Rivers\u2069"],
  ["12", true, "12"],
  ["", true, ""],
])("isolates the title %j in a sentence from right to left (%s)", (text, isRightToLeft, expected) => {
  expect(isolate(text, isRightToLeft)).toBe(expected);
});

test("a text has the direction of its first letter", () => {
  expect(["12 rivers", "«أنهار» and rivers", "川", "12 ± 3"].map(directionOf)).toEqual(["ltr", "rtl", "ltr", "auto"]);
});

test("a title of the other direction stays together in the catalogue's sentences", () => {
  const sentence = (name: string) => i18n.t("organise:told.folderDeleted", { name });
  expect(sentence("Rivers")).toContain("“Rivers”");
  expect(sentence("أنهار")).toContain("“\u2068أنهار\u2069”");
});

test("the keys of menus follow the page's direction", () => {
  expect(keysOfMenu().into).toBe("ArrowRight");
  document.dir = "rtl";
  expect(keysOfMenu()).toEqual({ into: "ArrowLeft", out: "ArrowRight" });
});
