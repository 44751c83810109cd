import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { TestClock } from "../../../testing/app/start-test-app.ts";
import { pdfFile, pictureFile, textFile } from "../../../testing/provider/prompt-files.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";
import { DEFAULT_TOKENS } from "../../../testing/provider/wire.ts";
import type { CatalogueModel } from "../../models/catalogue.ts";
import type { Model, Prompt, PromptFile } from "../../models/model.ts";
import { openModels } from "../../models/open-models.ts";
import { promptMessage } from "../../models/prompt-message.ts";
import type { Part } from "../parts/message-part.ts";
import { GrowingReply } from "./live-reply.ts";
import { produceReply } from "./produce-reply.ts";

const limits = { contextTokens: 100_000, maxOutputTokens: 1000 };
const seeing: CatalogueModel = { label: "Seeing", value: "GPT:gpt-5-mini", ...limits, images: true, pdf: true };
const blind: CatalogueModel = { label: "Blind", value: "LOCAL:qwen3:8b", ...limits };

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
  // A server that reads the whole prompt.
  provider.tokens = { ...DEFAULT_TOKENS, input: 90_000 };
});
afterEach(() => provider[Symbol.asyncDispose]());

/** Opens the models of a catalogue in this order. */
async function open(...entries: CatalogueModel[]): Promise<Model[]> {
  const { baseUrl } = provider;
  const models = openModels({
    productName: () => "Parley",
    catalogue: { groups: [{ label: "All", models: entries }], automatic: entries.map(({ value }) => value) },
    openai: { baseUrl, apiKey: "sk-scripted" },
    local: { baseUrl },
  });
  onTestFinished(() => models[Symbol.asyncDispose]());
  const choice = await models.choose("auto");
  return choice.kind === "automatic" ? choice.candidates : [choice.model];
}

const asked = (...files: PromptFile[]): Prompt => ({
  system: "",
  messages: [promptMessage("user", "See?", files)],
});

type Order = { prompt: Prompt; candidates: Model[]; run?: number; text?: string; parts?: readonly Part[] };

/** Writes a reply. @returns it, and how it ended */
async function write({ prompt, candidates, run = 1, text = "", parts = [] }: Order) {
  const reply = new GrowingReply({ id: "1", userId: "2", run, text, parts });
  const end = await produceReply({
    reply,
    clock: new TestClock(),
    prompt,
    candidates,
    isAutomatic: candidates.length > 1,
    limits: { firstTextMs: 60_000, idleMs: 60_000, maxMs: 60_000 },
    turns: [],
    resumptions: new Map(),
    onFailure: () => {},
    onAway: () => undefined,
  });
  return { reply, end };
}

const noticesOf = (reply: GrowingReply) =>
  reply.parts.all.filter(({ kind }) => kind === "notice").map(({ at, body }) => ({ at, ...body }));
const notice = ({ id, name }: PromptFile, received: string, at = 0) => ({
  at,
  code: "file",
  params: { file: id, name, received },
});

describe("notices of files", () => {
  it("a file that a model does not receive whole has a notice before the reply, and the model gets its name", async () => {
    const files = [
      pictureFile("a.png"),
      pdfFile("b.pdf", { text: "Words of b" }),
      textFile("c.txt", "Words of c"),
      textFile("d.txt", "A line.\n".repeat(100_000)),
    ] as const;
    const { reply, end } = await write({ prompt: asked(...files), candidates: await open(blind) });
    expect(end.state).toBe("complete");
    const [photo, pdf, , long] = files;
    expect(noticesOf(reply)).toEqual([notice(photo, "none"), notice(pdf, "text"), notice(long, "part")]);
    expect(provider.chats[0]?.messages[0]?.content).toMatch(/The picture "a.png" is attached, but you did not receive/);
  });

  it("a file that the model receives whole has no notice", async () => {
    const prompt = asked(pictureFile("a.png"), pdfFile("b.pdf"), textFile("c.txt", "Words of c"));
    const { reply } = await write({ prompt, candidates: await open(seeing) });
    expect(noticesOf(reply)).toEqual([]);
    expect(provider.chats[0]?.messages[0]?.files?.map(({ type }) => type)).toEqual(["image/png", "application/pdf"]);
  });
});

describe("models without vision in place of others", () => {
  it("a model without vision answers in place of one that failed, with notices of model and file", async () => {
    const photo = pictureFile("a.png");
    provider.next("error-before-first-word", "fast");
    const { reply, end } = await write({ prompt: asked(photo), candidates: await open(seeing, blind) });
    expect(end).toMatchObject({ state: "complete", model: blind.value });
    expect(noticesOf(reply)).toEqual([
      { at: 0, code: "model", params: { model: blind.value, instead: seeing.value } },
      notice(photo, "none"),
    ]);
    expect(provider.chats.map(({ messages }) => messages[0]?.files?.length ?? 0)).toEqual([1, 0]);
  });

  it("a model without vision continues a reply that broke off, with the notice where it continues", async () => {
    const photo = pictureFile("a.png");
    provider.reply = ({ model }) => (model === "qwen3:8b" ? " And the rest." : "One two three four");
    provider.next("broken-off", "fast");
    const { reply } = await write({ prompt: asked(photo), candidates: await open(seeing, blind) });
    expect(reply.text).toBe("One two And the rest.");
    expect(noticesOf(reply)).toContainEqual(notice(photo, "none", 7));
  });
});

describe("repeated calls", () => {
  it("a repeated call sends the files again", async () => {
    const photo = pictureFile("a.png");
    provider.next("overloaded", "fast");
    const { end } = await write({ prompt: asked(photo), candidates: await open(seeing) });
    expect(end.state).toBe("complete");
    expect(provider.chats.map(({ messages }) => messages[0]?.files?.length)).toEqual([1, 1]);
    expect([photo.opened, photo.closed]).toEqual([2, 2]);
  });

  it("a call that continues a reply sends the files again, and gives a notice only once", async () => {
    const photo = pictureFile("a.png");
    const candidates = await open(blind);
    provider.next("broken-off");
    const { reply: half } = await write({ prompt: asked(photo), candidates });
    const { text, parts } = half;
    const { reply } = await write({ prompt: asked(photo), candidates, run: 2, text, parts: parts.all });
    expect(noticesOf(reply)).toEqual([notice(photo, "none")]);
    const seen = await write({ prompt: asked(photo), candidates: await open(seeing), run: 2, text });
    expect(provider.chats.at(-1)?.messages.map(({ files }) => files?.length)).toEqual([1, undefined, undefined]);
    expect(noticesOf(seen.reply)).toEqual([]);
  });

  it("a repeated call reads a file again that could not be read", async () => {
    const photo = pictureFile("a.png");
    const openOnce = photo.open.bind(photo);
    let tries = 0;
    const flaky: PromptFile = Object.assign(photo, {
      open: () => {
        if (tries++ === 0) throw new Error("The database is away");
        return openOnce();
      },
    });
    const { end } = await write({ prompt: asked(flaky), candidates: await open(seeing) });
    expect([end.state, tries]).toEqual(["complete", 2]);
  });
});
