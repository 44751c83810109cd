import { describe, expect, test } from "vitest";
import { pdfFile, pictureFile, type SampleFile, textFile } from "../../../testing/provider/prompt-files.ts";
import type { AcceptedFiles, Prompt, PromptFile, PromptMessage } from "../model.ts";
import { mostPromptTokens } from "../most-tokens.ts";
import { textOf as contentOf, filesOf, promptMessage } from "../prompt-message.ts";
import { messageTokens } from "../prompt-window.ts";
import { openAiLimits } from "./file-limits.ts";
import { promptForModel, tokensForModel } from "./prompt-files.ts";

const accepts: AcceptedFiles = { images: true, pdf: true, limits: openAiLimits };
/** A model without room for an answer, so that its window is that of the prompt. */
const model = (contextTokens: number) => ({ provider: "openai", accepts, contextTokens, maxOutputTokens: 1 }) as const;
const user = (text: string, ...files: PromptFile[]) => promptMessage("user", text, files);
const assistant = (text: string) => promptMessage("assistant", text);
const prompt = (...messages: PromptMessage[]): Prompt => ({ system: "", messages });
const textOf = (tokens: number) => "ab\n".repeat(tokens);

/** Returns the own words of messages, without those about their files. */
const words = ({ messages }: Prompt) => messages.map((message) => contentOf(message).split("\n\n").at(-1));
const tokensOf = ({ messages }: Prompt) => messages.reduce((sum, message) => sum + messageTokens(message), 0);

async function fitted(window: number, ...messages: PromptMessage[]) {
  const { prompt: sent, partial } = await promptForModel(prompt(...messages), model(window));
  expect(tokensOf(sent)).toBeLessThan(window);
  const received = Object.fromEntries(partial.map((file) => [file.name, file.received]));
  return { sent, received, text: sent.messages.map(contentOf).join("\n") };
}

/** Counts how often texts are read. */
function counted(file: SampleFile) {
  let reads = 0;
  const readText = () => {
    reads++;
    return Promise.resolve(textOf(file.textBytes / 3));
  };
  return { file: Object.assign(file, { readText }), reads: () => reads };
}

describe("older files beyond the window", () => {
  test("an older text is cut, and the words of its question and answer stay", async () => {
    const old = user("One", textFile("a.txt", textOf(50_000)));
    const { sent, received, text } = await fitted(30_000, old, assistant("Yes"), user("Two"));
    expect(words(sent)).toEqual(["One", "Yes", "Two"]);
    expect(received).toEqual({ "a.txt": "part" });
    expect(text).toContain('The file "a.txt" is attached. Only a part of its text is here.');
    expect(tokensOf(sent)).toBeGreaterThan(20_000);
  });

  test("an older text is cut in steps, so that most turns leave the beginning of the prompt unchanged", async () => {
    const old = user("One", textFile("a.txt", textOf(50_000)));
    const turns = Array.from({ length: 20 }, (_, n) => [assistant(textOf(300)), user(`Question ${n}`)]).flat();
    const beginnings = new Set<string | undefined>();
    for (let length = 0; length <= turns.length; length += 2) {
      const { sent } = await fitted(30_000, old, assistant("Yes"), user("Two"), ...turns.slice(0, length));
      beginnings.add(sent.messages.slice(0, 1).map(contentOf).join());
    }
    expect(beginnings.size).toBe(2);
  });

  test("the oldest files are left out first, and are not read", async () => {
    const [old, newer] = [counted(textFile("old.txt", textOf(8000))), counted(textFile("new.txt", textOf(8000)))];
    const messages = [user("One", old.file), assistant("Yes"), user("Two", newer.file), assistant("No"), user("Three")];
    const { sent, received, text } = await fitted(9000, ...messages);
    expect(words(sent)).toEqual(["One", "Yes", "Two", "No", "Three"]);
    expect(received).toEqual({ "old.txt": "none" });
    expect(text).toContain('The file "old.txt" is attached, but you did not receive its content');
    expect([old.reads(), newer.reads()]).toEqual([0, 1]);
  });

  test("an older PDF becomes text, and an older picture is named", async () => {
    const pdf = pdfFile("a.pdf", { pages: 20, text: textOf(1000) });
    const messages = [user("One", pictureFile("a.png", 1024, 1024), pdf), assistant("Yes"), user("Two")];
    const { sent, received } = await fitted(3000, ...messages);
    expect(words(sent)).toEqual(["One", "Yes", "Two"]);
    expect(received).toEqual({ "a.png": "none", "a.pdf": "text" });
    expect(sent.messages.flatMap(filesOf)).toEqual([]);
  });

  test("the oldest turns whose words do not fit are dropped, and their files are named", async () => {
    const dropped = counted(textFile("a.txt", textOf(100)));
    const messages = [user(`${textOf(2000)}\n\nOne`, dropped.file), assistant("Yes"), user("Two"), assistant("No")];
    const { sent, received, text } = await fitted(1500, ...messages, user("Three", textFile("b.txt", "Words")));
    expect(words(sent)).toEqual(["Two", "No", "Three"]);
    expect(received).toEqual({ "a.txt": "none" });
    expect(text).toContain('Earlier messages, which you did not receive, had these files: "a.txt"; say so');
    expect(dropped.reads()).toBe(0);
  });

  test("a further turn is dropped for the names of files of dropped turns", async () => {
    const files = Array.from({ length: 5 }, (_, n) => pictureFile(`${n}${"x".repeat(200)}.png`));
    const turns = [user(textOf(5000), ...files), assistant("Yes"), user(textOf(900)), assistant("No"), user("Three")];
    const { sent, received, text } = await fitted(1100, ...turns);
    expect(words(sent)).toEqual(["Three"]);
    expect(Object.keys(received)).toHaveLength(5);
    expect(text).toContain(`"4${"x".repeat(200)}.png"`);
  });

  test("an older file that the last question has too is whole", async () => {
    const file = textFile("a.txt", textOf(6000));
    const { received } = await fitted(8000, user("One", file), assistant("Yes"), user("Two", file));
    expect(received).toEqual({});
  });
});

describe("last questions that do not fit whole", () => {
  const large = () => textFile("large.txt", textOf(100_000));

  test("a last question that does not fit whole leaves up to a quarter of the room to the words of older turns", async () => {
    const older = [user(textOf(1000)), assistant(`${textOf(1000)}Yes`)];
    const { sent, received } = await fitted(20_000, ...older, user("See?", large()));
    expect(sent.messages).toHaveLength(3);
    expect(received).toEqual({ "large.txt": "part" });
    const long = [user(textOf(8000)), assistant("Yes")];
    expect((await fitted(20_000, ...long, user("See?", large()))).sent.messages).toHaveLength(1);
  });

  test("a last question gets the whole room if it fits then", async () => {
    const file = textFile("a.txt", textOf(17_500));
    const older = [user(textOf(3000)), assistant("Yes")];
    const { sent, received } = await fitted(20_000, ...older, user("See?", file));
    expect(received).toEqual({});
    expect(words(sent)).toEqual(["See?"]);
  });

  test("a last question is not refused for the words of older turns", async () => {
    const { sent } = await fitted(20_000, user(textOf(3000)), assistant("Yes"), user(textOf(19_500), large()));
    expect(sent.messages).toHaveLength(1);
  });
});

describe("files of messages that were not read", () => {
  const unread = Array.from({ length: 22 }, (_, n) => ({ id: `${n}`, name: `${n}.png`, kind: "picture" as const }));

  test("files of messages that were not read are named, the newest 20, and each is partial", async () => {
    const { prompt: sent, partial } = await promptForModel(prompt(user("See?")), model(10_000), { unread });
    const [content = ""] = sent.messages.map(contentOf);
    expect(content).toMatch(/had these files: "2\.png", .*"21\.png" and 2 older ones; .*\n\nSee\?$/);
    expect(content).not.toContain('"1.png"');
    expect(partial).toEqual(unread.map(({ id, name }) => ({ id, name, received: "none" })));
  });

  test("files of messages that were not read are not named where nothing fits beside the question", async () => {
    const asked = prompt(user(textOf(960)));
    const { prompt: sent, partial } = await promptForModel(asked, model(970), { unread });
    expect(sent.messages.map(contentOf)[0]).toBe(textOf(960));
    expect(partial).toHaveLength(22);
  });
});

test("the estimate of a prompt's tokens counts files in the forms in which they are sent, and does not read them", async () => {
  const text = counted(textFile("a.txt", textOf(3000)));
  const asked = prompt(user("One", text.file, pictureFile("a.png", 1024, 1024)), assistant("Yes"), user("Two"));
  for (const window of [20_000, 5000, 3000, 1000]) {
    const reads = text.reads();
    const estimate = tokensForModel(asked, model(window));
    expect(text.reads()).toBe(reads);
    const { prompt: sent } = await promptForModel(asked, model(window));
    expect(estimate.likely).toBeGreaterThanOrEqual(tokensOf(sent));
    expect(estimate.likely).toBeLessThan(tokensOf(sent) + 400);
    expect(estimate.most).toBeGreaterThanOrEqual(mostPromptTokens(sent).most);
  }
  const plain = prompt(user(textOf(100)));
  expect(tokensForModel(plain, model(1000)).likely).toBe(tokensOf(plain) + 4);
});
