import { describe, expect, it, vi } from "vitest";
import { loopIterations } from "../../testing/app/loop-iterations.ts";
import { costlyTexts } from "../../testing/chats/costly-texts.ts";
import { fold } from "./fold.ts";
import { markTokens, runsOf, stepsOf, tokensInSlices, tokensOf, tokensToFind } from "./tokenise.ts";

const texts = (text: string) => [...runsOf(text)].map((run) => run.text);

it("treats all spellings of a word as equal", () => {
  expect(texts("Crème cre\u0300me CRÈME")).toEqual(["creme", "creme", "creme"]);
  expect(texts("Straße STRASSE")).toEqual(["strasse", "strasse"]);
  expect(texts("ὈΔΥΣΣΕΎΣ Ὀδυσσεύς")).toEqual(["οδυσσευσ", "οδυσσευσ"]);
  expect(texts("Ёлка елка")).toEqual(["елка", "елка"]);
  expect(texts("مُحَمَّد محمـــد")).toEqual(["محمد", "محمد"]);
  expect(texts("שָׁלוֹם שלום")).toEqual(["שלום", "שלום"]);
  expect(texts("ｶﾞｽ ガス カ\u3099ス")).toEqual(["ガス", "ガス", "ガス"]);
  expect(texts("한국 \u1112\u1161\u11ab\u1100\u116e\u11a8")).toEqual(["한국", "한국"]);
  expect(texts("ﬁne ① x²")).toEqual(["fine", "1", "x2"]);
});

it("keeps marks that distinguish words", () => {
  expect(texts("か が")).toEqual(["か", "が"]);
  expect(texts("कि की")).toEqual(["कि", "की"]);
  expect(texts("ไม่ ไม้")).toEqual(["ไม่", "ไม้"]);
});

it("separates words from other characters and from scripts without spaces, with their positions", () => {
  const text = "foo_bar: GPT模型v2, “cre\u0300me”! 👩‍💻❤️ 1\uFE0F\u20E3";
  expect([...runsOf(text)].map(({ start, end, text: word }) => [text.slice(start, end), word])).toEqual([
    ["foo", "foo"],
    ["bar", "bar"],
    ["GPT", "gpt"],
    ["模型", "模型"],
    ["v2", "v2"],
    ["cre\u0300me", "creme"],
    ["1\uFE0F\u20E3", "1"],
  ]);
});

it("encodes words in ASCII: equal prefixes stay equal, and no text can produce a mark", () => {
  for (const token of tokensOf("quota Ελλάδα 中文字 u123 qu123 😀 İstanbul")) expect(token).toMatch(/^[0-9a-z]+$/);
  const { beginnings } = tokensToFind([...runsOf("ελλά")]);
  expect(tokensOf("Ελλάδα").some((token) => token.startsWith(beginnings[0] ?? "?"))).toBe(true);
  const marks = [markTokens.user("0199-ab"), markTokens.role("user"), markTokens.model("GPT:gpt-5")];
  expect(marks[0]).toBe("qu0199ab");
  for (const mark of marks) expect(tokensOf(`${mark} ${mark.slice(1)}`)).not.toContain(mark);
});

it("the tokens contain each word once, its first letters, and pairs of a script without spaces", () => {
  expect(tokensOf("Ab ab b")).toEqual(["ab", "qya", "qyab", "b", "qyb"]);
  expect(tokensOf("中文字")).toHaveLength(5);
  expect(tokensToFind([...runsOf("中文字 a bc def")])).toEqual({
    exact: [...tokensOf("中文字").filter((token) => !token.startsWith("qy")), "qya", "qybc"],
    beginnings: ["def"],
  });
});

it("the tokens stay within PostgreSQL's limits", () => {
  const long = tokensOf("ж".repeat(10_000)).at(0) ?? "";
  expect(long.length).toBeLessThan(2046);
  const words = Array.from({ length: 100_000 }, (_, index) => `слово${index}`).join(" ");
  expect(tokensOf(words).join(" ").length).toBeLessThanOrEqual(400_000);
  expect(tokensOf(Array.from({ length: 100_000 }, (_, index) => index).join(" ")).length).toBe(20_000);
});

it("the tokens contain the beginning of a long text without spaces, both letters and pairs", () => {
  const signs = Array.from({ length: 100_000 }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)));
  const tokens = new Set(tokensOf(signs.join("")));
  expect(tokens.size).toBe(20_000);
  const { exact } = tokensToFind([...runsOf(signs.slice(9000, 9010).join(""))]);
  expect([...exact, ...tokensToFind([...runsOf(signs[9000] ?? "")]).exact].every((token) => tokens.has(token))).toBe(
    true,
  );
});

it("folds combining marks in linear time", () => {
  expect(fold("a\u0300".repeat(100_000))).toBe("a".repeat(100_000));
});

describe("K1 texts of 100,000 characters", () => {
  const length = 100_000;
  const texts = Object.entries(costlyTexts(length));

  it.each(texts)("a long text is read in steps of at most 4,160 units: %s", (_, text) => {
    const folded = vi.spyOn(String.prototype, "normalize");
    let [letters, most, steps] = [0, 0, 0];
    for (const run of stepsOf(text)) {
      letters += run ? run.end - run.start : 0;
      if (run) continue;
      steps++;
      most = Math.max(most, folded.mock.calls.length);
      folded.mockClear();
    }
    folded.mockRestore();
    expect(steps).toBeGreaterThanOrEqual(Math.floor(length / 4161));
    // At most four reads per letter, and one per run.
    expect(most).toBeLessThanOrEqual(5 * 4161);
    expect(letters).toBeLessThanOrEqual(length + 100);
  });

  it.each(texts)("tokenising yields to the event loop after each time slice: %s", async (_, text) => {
    let reads = 0;
    // Each step takes 1 ms by this clock, so that a slice of 5 ms is five steps.
    const { result: tokens, iterations: slices } = await loopIterations(() => tokensInSlices(text, () => ++reads));
    expect(tokens.length).toBeLessThanOrEqual(20_000);
    // The index ends early when it is full; until then a step reads at most a block or 100 tokens.
    if (tokens.length < 20_000) expect(reads).toBeGreaterThan(length / 4161);
    expect(slices).toBeGreaterThan(reads / 8);
  });
});

it("finds words across the blocks in which a text is read", () => {
  const thai = "ภาษาไทยไม่ยาก".repeat(2000);
  const pairs = new Set(tokensOf(thai));
  for (const token of tokensToFind([...runsOf("ภาษาไทยไม่ยากภาษา")]).exact) expect(pairs).toContain(token);
  const word = `${"ж".repeat(4095)}e\u0301${"ж".repeat(9000)}`;
  expect([...runsOf(`${word} tail`)].map(({ start, end }) => [start, end])).toEqual([
    [0, word.length],
    [word.length + 1, word.length + 5],
  ]);
  expect([...runsOf("漢".repeat(250_000))].map(({ start, end }) => [start, end])).toEqual([
    [0, 100_000],
    [99_999, 199_999],
    [199_998, 250_000],
  ]);
});

describe("tokens in time slices", () => {
  it("tokens that are computed in time slices equal those computed at once", async () => {
    for (const text of ["", "Größe, 東京都 and q", "東京都は、".repeat(5000), "a b c ".repeat(30_000)]) {
      expect(await tokensInSlices(text)).toEqual(tokensOf(text));
    }
  });

  it("other work runs between the time slices of a tokenised text", async () => {
    const { iterations } = await loopIterations(() => tokensInSlices("albatross ".repeat(200_000)));
    expect(iterations).toBeGreaterThan(2);
  });
});
