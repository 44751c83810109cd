import { describe, expect, test } from "vitest";
import { promptOf, runModel } from "../../testing/provider/model-calls.ts";
import { pictureFile, textFile } from "../../testing/provider/prompt-files.ts";
import { DemoAssistant } from "./demo-assistant.ts";
import { promptMessage } from "./prompt-message.ts";

const demo = (productName = "Parley") =>
  new DemoAssistant(
    () => productName,
    () => Promise.resolve(),
  );

describe("the demo assistant", () => {
  test("the demo assistant explains that it is a demo and what to configure, and shows a list, a table and code", async () => {
    const { text, end } = await runModel(demo("Acme"), promptOf("What is love?"));
    expect(end).toEqual({ reason: "complete" });
    expect(text).toContain("**built-in demo assistant** of Acme");
    for (const name of ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "LOCAL_BASE_URL"]) expect(text).toContain(name);
    expect(text).toMatch(/^1\. /m);
    expect(text).toMatch(/^\| --- \| --- \|$/m);
    expect(text).toMatch(/^```sh\n.+\n```$/m);
    expect(text).toContain("\n> What is love?\n");
  });

  test.each([
    ["Hello there", "Hello!"],
    ["Thanks a lot", "You are welcome!"],
    ["Why?", "Good question!"],
    ["Tell me more", "Thank you for your message!"],
  ])("the demo assistant answers “%s” with “%s”", async (question, opening) => {
    expect((await runModel(demo(), promptOf(question))).text.startsWith(opening)).toBe(true);
  });

  test("the demo assistant quotes one line of the question, with Markdown and HTML escaped", async () => {
    const { text } = await runModel(demo(), promptOf(`<div>\n# *x* [a](javascript:1) \`b\` ${"long ".repeat(100)}`));
    const quoted = text.split("\n").find((line) => line.startsWith("> ")) ?? "";
    expect(quoted).toContain("‹div› \\# \\*x\\* \\[a\\]\\(javascript\\:1\\) \\`b\\` long");
    expect(quoted.endsWith("…")).toBe(true);
    expect(text).not.toContain("<");
  });

  test("the demo assistant names the files that it received, with Markdown and HTML escaped", async () => {
    const files = [pictureFile("a_b*.png"), textFile("<c>.txt", "Secret words")];
    const answerTo = async (text: string) =>
      (await runModel(demo(), { system: "", messages: [promptMessage("user", text, files)] })).text;
    const list = "You attached these files, which I do not read:\n\n- a\\_b\\*\\.png\n- ‹c›\\.txt\n\nA real model";
    expect(await answerTo("See?")).toContain(`You wrote:\n\n> See?\n\n${list}`);
    const alone = await answerTo(" ");
    expect(alone).toContain(`show you around. ${list}`);
    expect(alone).not.toMatch(/You wrote|Secret/);
  });

  test("the demo assistant pauses before each word and stops at once when it is aborted", async () => {
    const stop = new AbortController();
    const pauses: number[] = [];
    const model = new DemoAssistant(
      () => "Parley",
      async (ms) => {
        pauses.push(ms);
      },
    );
    let text = "";
    const sink = {
      onText: (word: string) => {
        text += word;
        if (pauses.length === 3) stop.abort(new Error("stopped"));
      },
      onReasoning() {},
      onTakeBack() {},
      onCall() {},
      onPicture() {},
      onLife() {},
    };
    await expect(model.stream(promptOf("Why?"), sink, stop.signal)).rejects.toThrow("stopped");
    expect([text, pauses]).toEqual(["Good question! I ", [25, 25, 25]]);
  });

  test("the demo assistant ends its pause early when it is aborted", async () => {
    const stop = new AbortController();
    const outcome = new DemoAssistant(() => "Parley").stream(
      promptOf("Why?"),
      { onText() {}, onReasoning() {}, onTakeBack() {}, onCall() {}, onPicture() {}, onLife() {} },
      stop.signal,
    );
    stop.abort(new Error("stopped"));
    await expect(outcome).rejects.toThrow("stopped");
  });
});
