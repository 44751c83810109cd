import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { TITLE_MARKER } from "../../server/models/title-prompt.ts";
import { openAiWire } from "../../testing/scripted-provider-wire.ts";

const MODEL = "hostile";

/** What one answer says, in pieces; `title`: what the chat is called then. */
export type Play =
  | { pieces: readonly string[]; paceMs?: number; title?: string }
  /** The answer's very bytes. */
  | { status: number; contentType: string; body: string };

/** A provider whose answers are told whole before they are asked for: a question names its answer, as `#play-7`. */
export class PlayProvider implements AsyncDisposable {
  /** What its list of models names. */
  models: string[] = [];
  readonly #plays: Play[] = [];
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch(() => response.destroy());
  });

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
  }

  /** @returns what a question must hold to get this answer */
  add(play: Play): string {
    this.#plays.push(play);
    return `#play-${this.#plays.length - 1}#`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") {
      const data = this.models.map((id) => ({ object: "model", id, created: 1, owned_by: "library" }));
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ object: "list", data }));
      return;
    }
    const body = await readText(request);
    const play = this.#plays[Number(/#play-(\d+)#/.exec(body)?.[1])] ?? { pieces: ["No such play."] };
    const isTitle = body.includes(TITLE_MARKER);
    if ("pieces" in play) await streamPieces(response, isTitle ? { pieces: [play.title ?? "A title"] } : play);
    else if (isTitle) await streamPieces(response, { pieces: ["A title"] });
    else response.writeHead(play.status, { "content-type": play.contentType }).end(play.body);
  }
}

export async function startPlayProvider(): Promise<PlayProvider> {
  const provider = new PlayProvider();
  await provider.listen();
  return provider;
}

type Pieces = { pieces: readonly string[]; paceMs?: number };

async function streamPieces(response: ServerResponse, { pieces, paceMs = 0 }: Pieces): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" }).write(openAiWire.start(MODEL));
  for (const piece of pieces) {
    if (response.destroyed) return;
    response.write(openAiWire.text(piece));
    if (paceMs > 0) await delay(paceMs);
  }
  response.end(openAiWire.finish("complete") + openAiWire.endMark());
}
