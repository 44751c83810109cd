type Direction = "ltr" | "rtl";

/** Texts of both directions, with the direction of each of their blocks in order; "" for one without letters. */
export const directionTexts: readonly { text: string; blocks: readonly [tag: string, dir: Direction][] }[] = [
  { text: "OpenAI هي شركة أمريكية متخصصة في الذكاء الاصطناعي.", blocks: [["p", "rtl"]] },
  { text: "`npm install` מתקין את כל החבילות של הפרויקט.", blocks: [["p", "rtl"]] },
  {
    text: "שלום לכולם, זו פסקה ראשונה.\n\nThis paragraph is English.\n\n## כותרת עם API אחד",
    blocks: [
      ["p", "rtl"],
      ["p", "ltr"],
      ["h2", "rtl"],
    ],
  },
  { text: "English words with one שלום in them.", blocks: [["p", "ltr"]] },
  {
    text: "- `git add` (מוסיף קבצים לאינדקס)\n- Docker (סביבת הרצה מבודדת)\n- Only English words",
    blocks: [
      ["ul", "rtl"],
      ["li", "rtl"],
      ["li", "rtl"],
      ["li", "rtl"],
      ["div", "ltr"],
    ],
  },
  {
    text: "| שם | API |\n|---|---|\n| בדיקה ראשונה | `x` |",
    blocks: [
      ["table", "rtl"],
      ["th", "rtl"],
      ["th", "rtl"],
      ["div", "ltr"],
      ["td", "rtl"],
      ["td", "rtl"],
    ],
  },
  {
    text: "> React ספריית ממשקים פופולרית מאוד",
    blocks: [
      ["blockquote", "rtl"],
      ["p", "rtl"],
    ],
  },
];
