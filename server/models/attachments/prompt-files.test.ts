import { describe, expect, test } from "vitest";
import { pdfFile, pictureFile, type SampleFile, textFile } from "../../../testing/provider/prompt-files.ts";
import type { AcceptedFiles, Model, Prompt, PromptFile, PromptMessage } from "../model.ts";
import { filesOf, promptMessage, textOf } from "../prompt-message.ts";
import { fitPrompt, messageTokens } from "../prompt-window.ts";
import { anthropicLimits, imitatorLimits, openAiLimits } from "./file-limits.ts";
import { promptForModel } from "./prompt-files.ts";

type TestModel = Pick<Model, "provider" | "accepts" | "contextTokens" | "maxOutputTokens">;

const everything: AcceptedFiles = { images: true, pdf: true, limits: openAiLimits };
const model = (accepts?: Partial<AcceptedFiles>, contextTokens = 100_000): TestModel => ({
  provider: "openai",
  ...(accepts && { accepts: { images: false, pdf: false, limits: openAiLimits, ...accepts } }),
  contextTokens,
  maxOutputTokens: 1000,
});
const claude = model({ ...everything, limits: anthropicLimits }, 1_000_000);
const textOnly = model();

const user = (text: string, ...files: PromptFile[]) => promptMessage("user", text, files);
const assistant = (text: string) => promptMessage("assistant", text);
const textsOf = ({ messages }: Prompt) => messages.map(textOf);
const prompt = (...messages: PromptMessage[]): Prompt => ({ system: "Be kind.", messages });

/** Returns the files that a model receives as they are, by name. */
const nativeNames = ({ messages }: Prompt) => messages.flatMap(filesOf).map(({ name }) => name);
const received = (partial: readonly { name: string; received: string }[]) =>
  Object.fromEntries(partial.map((file) => [file.name, file.received]));
const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

describe("prompts for a model", () => {
  test("a prompt without files is that of its window, unchanged", async () => {
    const plain = prompt(user("One"), assistant("Two"), user("Three"));
    for (const accepts of [everything, undefined]) {
      const fitted = await promptForModel({ ...plain, temperature: 0.5 }, model(accepts));
      expect(fitted).toEqual({ prompt: fitPrompt({ ...plain, temperature: 0.5 }, 100_000, 1000), partial: [] });
      expect(fitted.prompt.messages).toEqual(plain.messages);
    }
  });

  test("pictures and PDF files are passed on as they are to a model that receives both, and not read", async () => {
    const [photo, pdf] = [pictureFile("a.png"), pdfFile("b.pdf", { text: "Words" })];
    const fitted = await promptForModel(prompt(user("See?", photo, pdf)), model(everything));
    expect(fitted).toEqual({ prompt: prompt(user("See?", photo, pdf)), partial: [] });
    expect([photo.opened, pdf.opened]).toEqual([0, 0]);
  });

  test("a model that receives text only gets the text of documents before the question, and names of pictures", async () => {
    const files = [pictureFile("a.png"), pdfFile("b.pdf", { text: "Words of b" }), textFile("c.txt", "Words of c")];
    const fitted = await promptForModel(prompt(user("See?", ...files)), textOnly);
    const [text = ""] = textsOf(fitted.prompt);
    expect(nativeNames(fitted.prompt)).toEqual([]);
    const order = ['"a.png" is attached, but', '"b.pdf"', "\nWords of b\n", '"c.txt"', "\nWords of c\n", "\n\nSee?"];
    const places = order.map((words) => text.indexOf(words));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(text.endsWith("See?")).toBe(true);
    expect(fitted.partial).toEqual([
      { id: files[0]?.id, name: "a.png", received: "none" },
      { id: files[1]?.id, name: "b.pdf", received: "text" },
    ]);
  });

  test("a model with pictures only gets the text of a PDF", async () => {
    const files = [pictureFile("a.png"), pdfFile("b.pdf", { text: "Words of b" })];
    const fitted = await promptForModel(prompt(user("", ...files)), model({ images: true }));
    expect(nativeNames(fitted.prompt)).toEqual(["a.png"]);
    expect(textsOf(fitted.prompt)[0]).toContain("\nWords of b\n");
    expect(received(fitted.partial)).toEqual({ "b.pdf": "text" });
  });

  test.each([
    ["encrypted", pdfFile("a.pdf", { remark: "encrypted" }), "none"],
    ["damaged", pdfFile("a.pdf", { remark: "broken", text: "Some" }), "part"],
    ["without a number of pages", pdfFile("a.pdf", { pages: 0, text: "Some" }), "text"],
  ])("a PDF that is %s is not sent as it is, because providers refuse it", async (_, pdf, expected) => {
    const fitted = await promptForModel(prompt(user("See?", pdf)), model(everything));
    expect(nativeNames(fitted.prompt)).toEqual([]);
    expect(received(fitted.partial)).toEqual({ "a.pdf": expected });
  });

  test("a document whose text is incomplete is a part, and one without text is named", async () => {
    const cut = textFile("cut.txt", "The beginning", { remark: "cut" });
    const empty = textFile("empty.docx", "");
    const fitted = await promptForModel(prompt(user("See?", cut, empty)), textOnly);
    expect(received(fitted.partial)).toEqual({ "cut.txt": "part", "empty.docx": "none" });
    expect(textsOf(fitted.prompt)[0]).toMatch(/"empty.docx" is attached, but you did not receive/);
  });

  test("a file that the newest message has whole is not partial", async () => {
    const pdf = pdfFile("a.pdf", { pages: 60, text: "Words" });
    const messages = [user("One", pdf), assistant("Yes"), user("Two", pdf)];
    const { prompt: sent, partial } = await promptForModel(prompt(...messages), claude);
    expect(sent.messages.map((message) => filesOf(message).length)).toEqual([0, 0, 1]);
    expect(partial).toEqual([]);
  });

  test("the demo assistant receives the files with their names, and no text of them", async () => {
    const large = textFile("a.txt", "x".repeat(1_000_000));
    const asked = prompt(user("See?", large));
    expect(await promptForModel(asked, { ...textOnly, provider: "demo" })).toEqual({ prompt: asked, partial: [] });
    const tooLong = prompt(user("x".repeat(1_000_000), large));
    const refused = promptForModel(tooLong, { ...textOnly, provider: "demo" });
    await expect(refused).rejects.toMatchObject({ code: "assistant-too-long" });
  });
});

describe("files in the window", () => {
  const textOf = (tokens: number) => "abc".repeat(tokens);

  test("the texts of the last turn are cut, the longest first, and the message's own text is not", async () => {
    const own = textOf(2000);
    const files = [
      textFile("short.txt", "Short words\n"),
      textFile("long.txt", "A line of words.\n".repeat(20_000)),
      textFile("longer.txt", "Another line of words.\n".repeat(20_000)),
    ];
    const asked = prompt(user("Old"), assistant("Yes"), user(own, ...files), assistant("Half an"));
    const { prompt: sent, partial } = await promptForModel(asked, model(undefined, 20_000));
    expect(received(partial)).toEqual({ "long.txt": "part", "longer.txt": "part" });
    const [question, half] = textsOf(sent).slice(-2);
    expect(half).toBe("Half an");
    expect(textsOf(sent).slice(0, 2)).toEqual(["Old", "Yes"]);
    expect(question?.endsWith(`\n\n${own}`)).toBe(true);
    expect(question).toContain("\nShort words\n[[file ");
    expect(question?.match(/Only a part of its text/g)).toHaveLength(2);
    // Whole lines, in about equal shares, which fill the room.
    const [long = 0, longer = 0] = [/(A line of words\.\n)+\[\[/, /(Another line of words\.\n)+\[\[/].map(
      (lines) => lines.exec(question ?? "")?.[0].length ?? 0,
    );
    expect(Math.abs(long - longer)).toBeLessThan(100);
    const used = sum(sent.messages.map(messageTokens));
    expect(used).toBeLessThanOrEqual(19_000);
    expect(used).toBeGreaterThan(18_000);
  });

  test("a PDF that is too long for the window becomes text, the oldest first, and a picture stays", async () => {
    const files = [
      pictureFile("a.png", 1024, 1024),
      pdfFile("old.pdf", { pages: 20, text: "Old words" }),
      pdfFile("new.pdf", { pages: 5, text: "New words" }),
    ];
    const fitted = await promptForModel(prompt(user("See?", ...files)), model(everything, 30_000));
    expect(nativeNames(fitted.prompt)).toEqual(["a.png", "new.pdf"]);
    expect(textsOf(fitted.prompt)[0]).toContain("\nOld words\n");
    expect(received(fitted.partial)).toEqual({ "old.pdf": "text" });
  });

  test("pictures that do not fit the window are named, the oldest first", async () => {
    const files = ["a.png", "b.png", "c.png"].map((name) => pictureFile(name, 1024, 1024));
    const fitted = await promptForModel(prompt(user("See?", ...files)), model(everything, 7500));
    expect(nativeNames(fitted.prompt)).toEqual(["b.png", "c.png"]);
    expect(received(fitted.partial)).toEqual({ "a.png": "none" });
  });

  test("a message whose own text does not fit is too long, with or without files", async () => {
    const own = textOf(10_000);
    for (const files of [[], [textFile("a.txt", "Words")]]) {
      await expect(promptForModel(prompt(user(own, ...files)), model(everything, 10_000))).rejects.toMatchObject({
        code: "assistant-too-long",
      });
    }
  });
});

describe("files that a provider refuses", () => {
  const files = [pictureFile("a.png"), pdfFile("b.pdf", { text: "Words" }), textFile("c.txt", "Words")];
  const refused = new Set(files.map(({ id }) => id));

  test("a file that its provider refused before is named or becomes text, with the reason", async () => {
    const { prompt: sent, partial } = await promptForModel(prompt(user("See?", ...files)), model(everything), {
      refused,
    });
    expect(nativeNames(sent)).toEqual([]);
    expect(partial).toMatchObject([
      { name: "a.png", received: "none", obstacle: "refused" },
      { name: "b.pdf", received: "text", obstacle: "refused" },
    ]);
  });

  test("a refused file has no reason of its own for a model that does not receive such files at all", async () => {
    for (const blind of [textOnly, model({ images: false, pdf: false })]) {
      const { partial } = await promptForModel(prompt(user("See?", ...files)), blind, { refused });
      expect(partial.map(({ obstacle }) => obstacle)).toEqual([undefined, undefined]);
    }
  });

  test("an animated GIF is refused at OpenAI only", async () => {
    const moving = Object.assign(pictureFile("a.gif"), { type: "image/gif", remark: "animated" as const });
    const asked = prompt(user("See?", moving, pictureFile("b.png")));
    const { prompt: sent, partial } = await promptForModel(asked, model(everything));
    expect(nativeNames(sent)).toEqual(["b.png"]);
    expect(partial).toMatchObject([{ name: "a.gif", received: "none", obstacle: "animated" }]);
    for (const limits of [anthropicLimits, imitatorLimits]) {
      expect((await promptForModel(asked, model({ ...everything, limits }))).partial).toEqual([]);
    }
    expect((await promptForModel(asked, textOnly)).partial[0]).not.toHaveProperty("obstacle");
  });
});

describe("limits of a request", () => {
  const megabytes = (count: number) => count * 1_000_000;
  const turns = (...lists: SampleFile[][]) =>
    lists.flatMap((files, at) => [...(at > 0 ? [assistant("Yes")] : []), user("See?", ...files)]);

  test("beyond the bytes of a request the oldest files are named or become text", async () => {
    const pdfs = ["a", "b", "c", "d"].map((name) => pdfFile(`${name}.pdf`, { text: "Words", bytes: megabytes(6) }));
    const fitted = await promptForModel(prompt(...turns(...pdfs.map((pdf) => [pdf]))), claude);
    expect(nativeNames(fitted.prompt)).toEqual(["b.pdf", "c.pdf", "d.pdf"]);
    expect(received(fitted.partial)).toEqual({ "a.pdf": "text" });
    const wider = await promptForModel(prompt(user("See?", ...pdfs)), model(everything));
    expect(nativeNames(wider.prompt)).toHaveLength(4);
  });

  test("Anthropic gets at most 100 pages of PDF, the newest", async () => {
    const pdfs = [60, 30, 60].map((pages, at) => pdfFile(`${at}.pdf`, { pages, text: "Words" }));
    const fitted = await promptForModel(prompt(...turns(pdfs)), claude);
    expect(nativeNames(fitted.prompt)).toEqual(["1.pdf", "2.pdf"]);
    expect(received(fitted.partial)).toEqual({ "0.pdf": "text" });
    expect(
      nativeNames((await promptForModel(prompt(...turns(pdfs)), { ...claude, accepts: everything })).prompt),
    ).toHaveLength(3);
  });

  test("Anthropic gets no picture of more than 5 MB in base64 or 8,000 pixels", async () => {
    const pictures = [
      pictureFile("fits.png", 8000, 10, 3_750_000),
      pictureFile("heavy.png", 10, 10, 3_750_001),
      pictureFile("wide.png", 8001, 10),
    ];
    const { prompt: sent } = await promptForModel(prompt(user("See?", ...pictures)), claude);
    expect(nativeNames(sent)).toEqual(["fits.png"]);
  });

  test.each([
    [1600, 25, 25],
    [2048, 25, 20],
    [1600, 101, 100],
  ])("Anthropic gets from pictures of %d pixels a side, %d in a request, the newest %d", async (side, count, most) => {
    const pictures = Array.from({ length: count }, (_, at) => pictureFile(`${at}.png`, side, 10));
    const { prompt: sent } = await promptForModel(prompt(...turns(...pictures.map((one) => [one]))), claude);
    expect(nativeNames(sent)).toEqual(pictures.slice(count - most).map(({ name }) => name));
  });

  test("a large picture among many small ones is named", async () => {
    const small = Array.from({ length: 25 }, (_, at) => pictureFile(`${at}.png`, 100, 100));
    const { prompt: sent } = await promptForModel(
      prompt(user("See?", pictureFile("large.png", 2048, 10), ...small)),
      claude,
    );
    expect(nativeNames(sent)).toEqual(small.map(({ name }) => name));
  });

  test("small pictures before a large one are limited like large ones", async () => {
    const small = Array.from({ length: 25 }, (_, at) => pictureFile(`${at}.png`, 100, 100));
    const large = pictureFile("large.png", 2048, 10);
    const { prompt: sent } = await promptForModel(prompt(user("See?", ...small, large)), claude);
    expect(nativeNames(sent)).toEqual([...small.slice(6), large].map(({ name }) => name));
  });

  test("OpenAI gets at most 500 pictures", async () => {
    const pictures = Array.from({ length: 501 }, (_, at) => pictureFile(`${at}.png`, 10, 10));
    const { prompt: sent } = await promptForModel(prompt(user("See?", ...pictures)), model(everything, 1_000_000));
    expect(nativeNames(sent)).toHaveLength(500);
    expect(nativeNames(sent)).not.toContain("0.png");
  });
});
