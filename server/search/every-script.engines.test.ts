import { expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { Random } from "../../testing/app/random.ts";
import { startTestApp } from "../../testing/app/start-test-app.ts";
import { searchAll } from "../../testing/chats/search-for.ts";

const SPACELESS = "\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}ー\\p{sc=Hang}\\p{sc=Thai}";
const PIECE = new RegExp(`[${SPACELESS}]+|[^${SPACELESS}]+`, "gu");

/** Normalises a text by another implementation than the tokeniser's. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/ß/g, "ss")
    .toLowerCase()
    .replace(/ς/g, "σ")
    .replace(/[\u0300-\u036F]|[\u0591-\u05C7]|[\u064B-\u0652]|\u0640|\uFE0F|\u20E3/g, "")
    .normalize("NFC");
}

const piecesOf = (text: string) =>
  plain(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .flatMap((word) => word.match(PIECE) ?? []);

/** Whether a text contains all words of a query, by a scan of the text. */
function holds(text: string, query: string): boolean {
  const pieces = piecesOf(text);
  const isSpaceless = new RegExp(`^[${SPACELESS}]`, "u");
  return piecesOf(query).every((wanted) =>
    pieces.some((piece) => (isSpaceless.test(wanted) ? piece.includes(wanted) : piece.startsWith(wanted))),
  );
}

const words = [
  ...["Crème", "cre\u0300me", "CREMA", "naïve", "Straße", "strasse", "ﬁnale", "İzmir", "Quota", "quo"],
  ...["Ὀδυσσεύς", "ΟΔΥΣΣΕΥΣ", "οδός", "Ёлка", "ёлочка", "МОСКВА", "москвич", "йод"],
  ...["مُحَمَّد", "محمد", "محمـــود", "كِتَاب", "كتب", "שָׁלוֹם", "שלומי", "שלום"],
  ...[
    "東京都",
    "京都府",
    "東京",
    "都市",
    "天気予報",
    "ｶﾞﾗｽ",
    "ガラス",
    "カ\u3099ラス",
    "データベース",
    "ひらがな",
    "がか",
  ],
  ...["한국어", "한국", "\u1112\u1161\u11AB국", "서울", "ภาษาไทย", "ไทย", "ไม่", "ไม้"],
  ...[
    "😀",
    "👩‍💻",
    "❤️",
    "1️⃣",
    "2024",
    "20",
    "3.14",
    "x²",

    "snake_case_name",
    "camelCase",
    "v1.2.3",
    "a-b",
    "don’t",
  ],
  ...["GPT模型v2", "OpenAI는", "हिन्दी", "हिंदी", "किताब", "की"],
];

it("a search finds the same messages as a scan of all texts, in any script", async () => {
  await using app = await startTestApp();
  const { token } = await signUp(app);
  const chat = (await (await app.call("POST", conversationPaths.chats, { token })).json()) as { id: string };
  const random = new Random("every script");
  const texts = new Map<string, string>();
  for (let n = 0; n < 120; n++) {
    const picked = Array.from({ length: random.between(1, 6) }, () => pickOne(random));
    const content = picked.join(random.pick([" ", ", ", "\n", "。", " 😀", "/"]));
    const body = { role: "assistant", content };
    const added = await app.call("POST", conversationPaths.chatMessage(chat.id), { token, body });
    texts.set(((await added.json()) as { id: string }).id, content);
  }
  for (let n = 0; n < 250; n++) {
    const query = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => partOf(pickOne(random), random)).join(" ");
    const expected = [...texts].filter(([, text]) => piecesOf(query).length > 0 && holds(text, query));
    const hits = await searchAll(app, token, { q: query });
    expect([query, hits.map(({ messageId }) => messageId).sort()]).toEqual([query, expected.map(([id]) => id).sort()]);
    for (const { snippet, marks } of hits) {
      const marked = marks.map(([start, end]) => snippet.slice(start, end));
      expect([query, snippet, marked.length > 0]).toEqual([query, snippet, true]);
      for (const mark of marked) expect([mark, piecesOf(mark).length > 0]).toEqual([mark, true]);
    }
  }
});

const pickOne = (random: Random) => words[random.between(0, words.length - 1)] ?? "";

/** Returns some letters of a word, usually from its beginning. */
function partOf(word: string, random: Random): string {
  const letters = [...new Intl.Segmenter().segment(word)].map(({ segment }) => segment);
  const start = random.chance(0.7) ? 0 : random.between(0, letters.length - 1);
  const part = letters.slice(start, random.between(start + 1, letters.length)).join("");
  return random.chance(0.3) ? part.toUpperCase() : random.chance(0.3) ? part.normalize("NFD") : part;
}
