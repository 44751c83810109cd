/** Codes that Word gives to the characters of symbol fonts, in the private area of Unicode, begin here. */
const PRIVATE = 0xf000;
const FIRST = 0x20;
const LAST = 0xff;

/** Adobe's symbol encoding from 0x20 on, with blanks for pieces of brackets and codes without a character. */
const SYMBOL = [
  ..." !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ ",
  ...Array.from({ length: 32 }, () => " "),
  ..."€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…  ↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑           〉∫",
];

/** The characters of Wingdings that documents use: boxes, ticks, arrows, bullets and numbers. */
const wingdings: Readonly<Record<number, string>> = {
  ...{ 33: "✏", 34: "✂", 35: "✁", 40: "☎", 41: "✆", 42: "✉", 54: "⌛", 62: "✇", 63: "✍" },
  ...{ 65: "✌", 70: "☞", 69: "☜", 71: "☝", 72: "☟", 74: "☺", 75: "😐", 76: "☹", 78: "☠", 81: "✈" },
  ...{ 82: "☼", 84: "❄", 88: "✠", 89: "✡", 90: "☪", 91: "☯", 108: "●", 109: "❍", 110: "■", 111: "□" },
  ...{ 112: "□", 113: "❑", 114: "❒", 115: "⬧", 116: "⧫", 117: "◆", 118: "❖", 119: "⬥", 120: "⌧", 123: "❀" },
  ...{ 128: "⓪", 139: "⓿", 159: "•", 161: "○", 164: "◉", 165: "◎", 167: "▪", 168: "◻", 171: "★", 172: "✶" },
  ...{ 213: "⌫", 214: "⌦", 216: "➢", 220: "➲", 223: "←", 224: "→", 225: "↑", 226: "↓", 232: "➔" },
  ...{ 239: "⇦", 240: "⇨", 241: "⇧", 242: "⇩", 243: "⬄", 251: "✗", 252: "✓", 253: "☒", 254: "☑" },
  ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [0x81 + at, String.fromCodePoint(0x2460 + at)])),
  ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [0x8c + at, String.fromCodePoint(0x2776 + at)])),
};

/** The same for Wingdings 2, whose ticks forms use. */
const wingdings2: Readonly<Record<number, string>> = {
  ...{ 79: "✗", 80: "✓", 81: "☒", 82: "☑", 83: "☒", 84: "☒", 151: "●", 162: "■", 163: "□" },
};

/** The same for Webdings. */
const webdings: Readonly<Record<number, string>> = {
  ...{ 51: "◀", 52: "▶", 53: "▲", 54: "▼", 97: "✔", 99: "□", 103: "■", 110: "●", 114: "✖" },
};

/** Returns the character of a symbol font for a code from 0x20 to 0xFF, undefined if it is not known. */
function characterOf(font: string, code: number): string | undefined {
  const name = font.toLowerCase();
  if (name === "symbol") return SYMBOL[code - FIRST]?.replace(" ", code === FIRST ? " " : "");
  if (name === "wingdings") return wingdings[code];
  if (name === "wingdings 2") return wingdings2[code];
  if (name === "webdings") return webdings[code];
  return undefined;
}

const isSymbolFont = (font: string) => /^(?:symbol|wingdings(?: [23])?|webdings|zapfdingbats)$/i.test(font);

/**
 * Returns a character that a document names by its font and code, such as a ticked box of Wingdings. One without a known
 * meaning is named: `[Webdings 61]`.
 * @param hex code in hexadecimal digits, in the private area of Unicode or not
 */
export function symbolOf(font: string, hex: string): string {
  const code = Number.parseInt(hex, 16);
  if (!(code > 0 && code <= 0xffff)) return "";
  const inFont = code >= PRIVATE ? code - PRIVATE : code;
  if (inFont < FIRST || inFont > LAST || !isSymbolFont(font)) {
    return String.fromCharCode(inFont >= FIRST && inFont <= LAST ? inFont : code);
  }
  return characterOf(font, inFont) ?? `[${font} ${inFont.toString(16).toUpperCase()}]`;
}

/** Replaces the characters of a symbol font in a text by those of Unicode. @param font of the text, if it is known */
export function symbolsOf(text: string, font: string | undefined): string {
  if (!/[\uF020-\uF0FF]/.test(text)) return text;
  return text.replaceAll(/[\uF020-\uF0FF]/g, (symbol) => {
    const code = symbol.charCodeAt(0) - PRIVATE;
    return characterOf(font ?? "symbol", code) ?? symbol;
  });
}
