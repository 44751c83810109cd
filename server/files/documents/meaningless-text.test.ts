import { expect, it } from "vitest";
import { isMeaningless } from "./meaningless-text.ts";

it.each([
  ["private use", "\uE041\uE042 \uE043 a"],
  ["control characters", "\u0001\u0002\u0003abc"],
  ["unassigned characters", "\u0378\u0379 ab"],
  [
    "numbers of glyphs, as letters of scripts in no order",
    "㩈ِا⤶ٱĴǎƶơ᧽䋔Ⱊǔ ᑽٱĴǎƶ㦇♑اӒ䗂ᜯ䜫و⽯ᄹⰰẍو䆀ى✛䮨ٱǍ㨉ᒒᓧ⸗ع⪕دⵇٳㅎ䩱Ĵரǎ آ㐔 ا⠪⑬ِد پ䗂دⴑ䫑ں䯎Ӓا",
  ],
])("a text of %s is meaningless", (_, text) => {
  expect(isMeaningless(text)).toBe(true);
});

it.each([
  ["nothing", ""],
  ["formulas", "Σαβ = ∫ f(x)dx, Ωx ≤ λμ, αA + βB = γC, Δx·Δy ≈ ħ, κατά Ивановa"],
  [
    "names of languages",
    "Deutsch, Ελληνικά, Русский, العربية, עברית, हिन्दी, ไทย, 中文, 日本語, 한국어, ქართული, አማርኛ, မြန်မာ",
  ],
  [
    "Japanese with Latin letters",
    "PDFファイルをA4サイズでOCR処理し、XML形式のデータをWebサーバーへ送信する。IDとPWが必要です。",
  ],
  [
    "Korean with Chinese characters",
    "大韓民國은 民主共和國이다. 大韓民國의 主權은 國民에게 있고, 모든 權力은 國民으로부터 나온다.",
  ],
  ["Amharic", "የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው።የተፈጥሮ ማስተዋልና ሕሊና ስላለው አንዱ ሌላውን በወንድማማችነት መንፈስ መመልከት ይገባዋል።"],
  ["a replacement character now and then", "A long line of words with one \uFFFD in it."],
])("a text of %s has a meaning", (_, text) => {
  expect(isMeaningless(text)).toBe(false);
});
