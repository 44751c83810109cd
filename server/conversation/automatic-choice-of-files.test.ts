import { describe, expect, it, onTestFinished } from "vitest";
import { firstAutomatic, nativeKindsOf, receives } from "#contract/files/file-readers.ts";
import { modelListSchema } from "#contract/models/models.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { startChatWithModels } from "../../testing/chats/chat-with-models.ts";
import type { ScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { canvasPng } from "../../testing/files/canvas-pictures.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import type { CatalogueModel } from "../models/catalogue.ts";

const limits = { contextTokens: 100_000, maxOutputTokens: 2000 };
const model = (name: string, more: Partial<CatalogueModel> = {}): CatalogueModel => ({
  ...{ label: name, value: `LOCAL:${name}`, ...limits },
  ...more,
});
const [blind, seeing, reading] = [model("blind"), model("seeing", { images: true }), model("reading", { pdf: true })];

let chat: ScriptedChat;

async function start(...models: CatalogueModel[]): Promise<void> {
  chat = await startChatWithModels(models);
  onTestFinished(() => chat[Symbol.asyncDispose]());
  await chat.renew();
}

const attach = () => uploadFile(chat.app, { ...chat.ada, name: "a.png", bytes: canvasPng });
const askedModels = () => chat.provider.chats.map(({ model: name }) => name);

/** Returns the model that the page expects to be asked, and the kinds about which it warns. */
async function expected(...types: string[]) {
  const groups = modelListSchema.parse(await (await chat.app.call("GET", modelPaths.models, chat.ada)).json());
  const kinds = nativeKindsOf(types.map((type) => ({ type })));
  const asked = firstAutomatic(
    groups.flatMap(({ models }) => models),
    kinds,
  );
  return [asked?.label, kinds.filter((kind) => asked && !receives(asked, kind))];
}

describe("automatic choice for a question with files", () => {
  it("a picture is sent to the first model that sees it, and the page gives no warning", async () => {
    await start(blind, seeing);
    const { id } = await attach();
    expect(await expected("image/png")).toEqual(["seeing", []]);
    await chat.send({ message: "What is on it?", files: [id] });
    expect(askedModels().at(0)).toBe("seeing");
    expect(JSON.stringify(chat.provider.chats.at(0)?.body)).toContain("image_url");
    // The next question has no picture: the order of automatic choice applies again.
    await chat.send({ message: "Thanks" });
    expect(askedModels().at(-1)).toBe("blind");
  });

  it("another answer to a question with a picture asks the model that sees it first", async () => {
    await start(blind, seeing);
    const { id } = await attach();
    await chat.send({ message: "What is on it?", files: [id], model: "LOCAL:blind" });
    expect(askedModels().at(-1)).toBe("blind");
    expect((await chat.call("POST", "/reply", { mode: "retry" })).status).toBe(200);
    await expect.poll(() => askedModels().at(1)).toBe("seeing");
  });

  it("without a model that receives a file, the first one is asked, and the page warns of it", async () => {
    await start(blind, reading);
    const { id } = await attach();
    expect(await expected("image/png")).toEqual(["blind", ["picture"]]);
    await chat.send({ message: "What is on it?", files: [id] });
    expect(askedModels().at(0)).toBe("blind");
  });

  it("the page warns of the kind that the asked model does not receive if there are files of two kinds", async () => {
    await start(blind, reading, seeing);
    expect(await expected("image/png", "application/pdf")).toEqual(["reading", ["picture"]]);
    expect(await expected("application/pdf")).toEqual(["reading", []]);
  });
});
