import { createServer, type RequestListener } from "node:http";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { anthropicModel, olderClaude } from "../../../testing/provider/anthropic/anthropic-models.ts";
import { promptOf, runModel } from "../../../testing/provider/model-calls.ts";
import { openAiModelList } from "../../../testing/provider/openai/openai-chat-wire.ts";
import { openAiModel } from "../../../testing/provider/openai/openai-models.ts";
import { pdfFile, pictureFile, pngBytes, SampleFile } from "../../../testing/provider/prompt-files.ts";
import { startProvider } from "../../../testing/provider/provider-server.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";
import { defaultCatalogue } from "../default-catalogue.ts";
import type { Model, Prompt, PromptFile } from "../model.ts";
import { openModels } from "../open-models.ts";
import { promptMessage } from "../prompt-message.ts";

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(() => provider[Symbol.asyncDispose]());

const claude = (baseUrl = provider.baseUrl): Model => anthropicModel(olderClaude, baseUrl);

/** Opens a model by each wire format. */
const wires = {
  "chat-completions": (baseUrl?: string) => openAiModel("chat-completions", baseUrl ?? provider.baseUrl),
  responses: (baseUrl?: string) => openAiModel("responses", baseUrl ?? provider.baseUrl, { efforts: ["low"] }),
  messages: claude,
};
const eachWire = describe.each(["chat-completions", "responses", "messages"] as const);

const withFiles = (content: string, ...files: PromptFile[]): Prompt => ({
  system: "Be kind.",
  messages: [promptMessage("user", content, files)],
});
const base64 = async (file: SampleFile) => {
  const chunks = [];
  for await (const chunk of file.open()) chunks.push(chunk);
  return Buffer.concat(chunks).toString("base64");
};
/** Content of the first message that is no system prompt, of the last request. */
function sentContent(): unknown {
  const { messages = [], input = [] } = provider.requests.at(-1)?.body ?? {};
  const list = typeof input === "string" || input.length === 0 ? messages : input;
  return list.find(({ role }) => role === "user")?.content;
}

describe("files as the official clients send them", () => {
  const [photo, pdf] = [pictureFile("a.png", 64, 64, 1001), pdfFile("Report", { pages: 2 })];
  const sendOurs = async (model: Model) => {
    expect(await runModel(model, { ...withFiles("See?", photo, pdf), isOnce: true })).toMatchObject({
      text: provider.reply,
    });
    return sentContent();
  };

  test("chat completions have files as data URLs in parts before the text", async () => {
    const content: OpenAI.ChatCompletionContentPart[] = [
      { type: "image_url", image_url: { url: `data:image/png;base64,${await base64(photo)}`, detail: "auto" } },
      { type: "file", file: { filename: "Report.pdf", file_data: `data:application/pdf;base64,${await base64(pdf)}` } },
      { type: "text", text: "See?" },
    ];
    const client = new OpenAI({ baseURL: provider.baseUrl, apiKey: "sk-scripted", maxRetries: 0 });
    const shared = { model: "gpt-5-mini", messages: [{ role: "user" as const, content }] };
    await client.chat.completions.stream(shared).finalChatCompletion();
    expect(sentContent()).toEqual(content);
    expect(await sendOurs(wires["chat-completions"]())).toEqual(content);
  });

  test("responses have files as data URLs in parts before the text", async () => {
    const content: OpenAI.Responses.ResponseInputMessageContentList = [
      { type: "input_image", image_url: `data:image/png;base64,${await base64(photo)}`, detail: "auto" },
      { type: "input_file", filename: "Report.pdf", file_data: `data:application/pdf;base64,${await base64(pdf)}` },
      { type: "input_text", text: "See?" },
    ];
    const client = new OpenAI({ baseURL: provider.baseUrl, apiKey: "sk-scripted", maxRetries: 0 });
    const input = [{ role: "user" as const, content }];
    await client.responses.stream({ model: "gpt-5-mini", input, store: false }).finalResponse();
    expect(sentContent()).toEqual(content);
    expect(await sendOurs(wires.responses())).toEqual(content);
  });

  test("Anthropic's messages have files as base64 in blocks before the text", async () => {
    const content: Anthropic.ContentBlockParam[] = [
      { type: "image", source: { type: "base64", media_type: "image/png", data: await base64(photo) } },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: await base64(pdf) },
        title: "Report",
      },
      { type: "text", text: "See?" },
    ];
    const client = new Anthropic({ baseURL: provider.url, apiKey: "sk-scripted", maxRetries: 0 });
    const messages = [{ role: "user" as const, content }];
    await client.messages.stream({ model: "claude-opus-5-5", max_tokens: 100, messages }).finalMessage();
    expect(sentContent()).toEqual(content);
    expect(await sendOurs(claude())).toEqual(content);
  });
});

eachWire("calls by %s", (wire) => {
  test("a question of files alone has no text, and neighbours of one role are joined", async () => {
    const [one, two] = [pictureFile("a.png", 10, 10), pictureFile("b.png", 20, 20)];
    const messages = [
      promptMessage("user", "", [one]),
      promptMessage("user", " \n", [two]),
      promptMessage("assistant", "Two pictures."),
      promptMessage("user", "Which is larger?"),
    ];
    expect(await runModel(wires[wire](), { system: "", messages })).toMatchObject({ text: provider.reply });
    expect(provider.requests[0]?.messages).toEqual([
      {
        role: "user",
        content: "",
        files: [
          { type: "image/png", bytes: pngBytes(10, 10) },
          { type: "image/png", bytes: pngBytes(20, 20) },
        ],
      },
      { role: "assistant", content: "Two pictures." },
      { role: "user", content: "Which is larger?" },
    ]);
  });

  test("an answer that is continued follows its question's files", async () => {
    const photo = pictureFile("a.png");
    const half = promptMessage("assistant", "Once upon");
    const { messages } = withFiles("Tell me.", photo);
    expect(await runModel(wires[wire](), { system: "", messages: [...messages, half] })).toMatchObject({
      text: provider.reply,
    });
    expect(provider.requests[0]?.messages[0]?.files).toHaveLength(1);
  });

  test("a body with files has its exact length in a header, and is not chunked", async () => {
    await runModel(wires[wire](), withFiles("See “it”?", pictureFile("a.png", 10, 10, 100_000)));
    const { headers, body } = provider.requests[0] ?? {};
    expect(headers).not.toHaveProperty("transfer-encoding");
    expect(headers?.["content-length"]).toBe(String(Buffer.byteLength(JSON.stringify(body))));
    await runModel(wires[wire](), promptOf("No files"));
    expect(provider.requests[1]?.headers).toHaveProperty("content-length");
  });

  test("a file of 20 MB arrives whole, and is read no faster than it is sent", async () => {
    const chunk = Buffer.alloc(256 * 1024, 7);
    const size = 80 * chunk.length;
    const facts = { name: "a.pdf", type: "application/pdf", kind: "pdf", size, pages: 1 } as const;
    const file = new SampleFile(facts, () => Array.from({ length: 80 }, () => chunk));
    let [received, announced, furthestAhead] = [0, 0, 0];
    const baseUrl = await serve((request, response) => {
      announced = Number(request.headers["content-length"]);
      request.on("data", (bytes: Buffer) => {
        received += bytes.length;
        furthestAhead = Math.max(furthestAhead, file.read - (received / 4) * 3);
      });
      request.on("end", () => response.writeHead(429).end());
    });
    expect((await runModel(wires[wire](baseUrl), withFiles("See?", file))).error?.code).toBe("assistant-busy");
    expect(received).toBe(announced);
    expect(received).toBeGreaterThan((size / 3) * 4);
    // The buffers of two sockets are between both.
    expect(furthestAhead).toBeLessThan(size / 2);
  });

  test("an abort while the body is sent closes the file", async () => {
    const stop = new AbortController();
    const started = Promise.withResolvers<void>();
    const file = new SampleFile(
      { name: "a.pdf", type: "application/pdf", kind: "pdf", size: 10 ** 9, pages: 1 },
      function* () {
        for (;;) {
          started.resolve();
          yield Buffer.alloc(48 * 1024);
        }
      },
    );
    const outcome = runModel(wires[wire](), withFiles("See?", file), stop.signal);
    await started.promise;
    stop.abort(new Error("stopped"));
    await expect(outcome).rejects.toThrow("stopped");
    await expect.poll(() => file.closed).toBe(1);
    expect(file.opened).toBe(1);
  });

  test.each([
    ["cannot be read", 100, () => Promise.reject(new Error("gone"))],
    ["is shorter than the prompt says", 1000, () => Promise.resolve()],
    ["is longer than the prompt says", 10, () => Promise.resolve()],
  ])("a file that %s fails the call, as no fault of the provider", async (_, size, end) => {
    const file = new SampleFile(
      { name: "a.pdf", type: "application/pdf", kind: "pdf", size, pages: 1 },
      async function* () {
        yield Buffer.alloc(50);
        await end();
      },
    );
    const { error } = await runModel(wires[wire](), withFiles("See?", file));
    expect(error).toMatchObject({ code: "assistant-failed", providerCode: "file_unreadable", trouble: "prompt" });
    expect(file.closed).toBe(1);
    expect(provider.requests).toEqual([]);
  });

  test("a server that refuses a body before it has read it ends the call with its own error", async () => {
    const baseUrl = await serve((_, response) => {
      response.writeHead(413, { "content-type": "application/json" }).end('{"error":{"type":"request_too_large"}}');
    });
    const file = pdfFile("a.pdf", { bytes: 5_000_000 });
    const { error } = await runModel(wires[wire](baseUrl), withFiles("See?", file));
    expect(error).toMatchObject({ code: "assistant-too-long", status: 413 });
    await expect.poll(() => file.closed).toBe(file.opened);
  });
});

/** Starts a server for one test. @returns its base URL */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/v1`;
}

test("a request that is repeated without an optional field reads its files anew", async () => {
  provider.isVerified = false;
  const photo = pictureFile("a.png");
  expect(await runModel(wires.responses(), withFiles("See?", photo))).toMatchObject({ text: provider.reply });
  expect(provider.requests.map(({ messages }) => messages[0]?.files?.length)).toEqual([1, 1]);
  expect([photo.opened, photo.closed]).toEqual([2, 2]);
});

test("an unreadable file does not make other chats skip its model", async () => {
  const settings = { baseUrl: provider.baseUrl, apiKey: "sk-scripted" };
  const models = openModels({
    productName: () => "Parley",
    catalogue: defaultCatalogue,
    openai: settings,
    anthropic: settings,
  });
  onTestFinished(() => models[Symbol.asyncDispose]());
  const first = async () => {
    const choice = await models.choose("auto");
    return choice.kind === "automatic" ? choice.candidates[0] : choice.model;
  };
  const model = await first();
  const file = new SampleFile({ name: "a.png", type: "image/png", kind: "picture", size: 10 }, () => []);
  if (!model) throw new Error("There is no model");
  expect(await runModel(model, withFiles("See?", file))).toMatchObject({ error: { providerCode: "file_unreadable" } });
  expect((await first())?.value).toBe(model.value);
});

test("the last block of a question is marked for the cache, and files count towards the minimum", async () => {
  const large = pictureFile("a.png", 2000, 2000);
  const mark = { cache_control: { type: "ephemeral" } };
  await runModel(claude(), withFiles("See?", large));
  expect(sentContent()).toMatchObject([{ type: "image" }, { type: "text", text: "See?", ...mark }]);
  await runModel(claude(), withFiles("", large));
  expect(sentContent()).toMatchObject([{ type: "image", ...mark }]);
});

test.each([
  ["GPT:gpt-5-mini", { images: true, pdf: true }],
  ["CLAUDE:claude-sonnet-4-5-20250929", { images: true, pdf: true }],
  // Its server does not report whether it sees pictures.
  ["LOCAL:qwen3:8b", { images: true, pdf: false }],
])("the model %s accepts %j", async (value, accepts) => {
  const settings = { baseUrl: provider.baseUrl, apiKey: "sk-scripted" };
  const models = openModels({
    productName: () => "Parley",
    catalogue: defaultCatalogue,
    openai: settings,
    anthropic: settings,
    local: { baseUrl: provider.baseUrl },
  });
  onTestFinished(() => models[Symbol.asyncDispose]());
  const choice = await models.choose(value);
  expect(choice).toMatchObject({ kind: "specific", model: { accepts } });
});

test("a local model receives pictures if its server reports vision", async () => {
  await using server = await startProvider(({ path, model }, answer) => {
    const capabilities = model === "qwen3-vl:8b" ? ["completion", "vision"] : ["completion"];
    const models = ["qwen3-vl:8b", "llama3:8b"].map((id) => ({ id, owned_by: "library" }));
    const document = path === "/v1/models" ? openAiModelList(models) : JSON.stringify({ capabilities });
    answer.respond(200, "application/json", document);
  });
  const local = { baseUrl: server.baseUrl };
  await using models = openModels({ productName: () => "Parley", catalogue: { groups: [], automatic: [] }, local });
  const acceptedBy = async (value: string) => {
    const choice = await models.choose(value);
    return choice.kind === "specific" ? choice.model.accepts?.images : undefined;
  };
  await expect.poll(() => acceptedBy("LOCAL:qwen3-vl:8b")).toBe(true);
  await expect.poll(() => acceptedBy("LOCAL:llama3:8b")).toBe(false);
});

test("a provider whose model does not see refuses a picture with its own error", async () => {
  const blind = openAiModel("chat-completions", provider.baseUrl, { name: "qwen3:8b" });
  expect((await runModel(blind, withFiles("See?", pictureFile("a.png")))).error).toMatchObject({
    code: "assistant-failed",
    status: 500,
  });
  const seeing = openAiModel("chat-completions", provider.baseUrl, { name: "qwen3-vl:8b" });
  expect((await runModel(seeing, withFiles("See?", pictureFile("a.png")))).text).toBe(provider.reply);
});
