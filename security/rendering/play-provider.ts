import type { AnswerWriter } from "../../testing/provider/answer-writer.ts";
import { openAiModelList } from "../../testing/provider/openai/openai-chat-wire.ts";
import type { ProviderRequest } from "../../testing/provider/provider-request.ts";
import { ProviderServer } from "../../testing/provider/provider-server.ts";
import type { AnswerEncoder } from "../../testing/provider/wire.ts";

/** One answer: streamed pieces with the title of its chat, or a complete HTTP answer. */
export type Play =
  | { pieces: readonly string[]; paceMs?: number; title?: string }
  | { status: number; contentType: string; body: string };

/** A provider whose answers are registered before they are asked for. A question names its answer, as in `#play-7#`. */
export class PlayProvider extends ProviderServer {
  /** Ids in the list of models. */
  models: string[] = [];
  readonly #plays: Play[] = [];

  constructor() {
    super((request, answer) => this.#play(request, answer));
  }

  /** @returns the name that a question must contain to get this answer */
  add(play: Play): string {
    this.#plays.push(play);
    return `#play-${this.#plays.length - 1}#`;
  }

  async #play({ kind, wire, system, messages }: ProviderRequest, answer: AnswerWriter): Promise<void> {
    if (kind === "models") return answer.respond(200, "application/json", openAiModelList(this.models));
    if (!wire) return answer.respond(404);
    const prompt = [system, ...messages.map(({ content }) => content)].join("\n");
    const play = this.#plays[Number(/#play-(\d+)#/.exec(prompt)?.[1])] ?? { pieces: ["No such play."] };
    const encoder = wire.encodeAnswer("hostile");
    if (kind === "title") {
      const title = "pieces" in play ? play.title : undefined;
      return streamPieces(answer, encoder, [title ?? "A title"]);
    }
    if ("pieces" in play) return streamPieces(answer, encoder, play.pieces, play.paceMs);
    return answer.respond(play.status, play.contentType, play.body);
  }
}

export async function startPlayProvider(): Promise<PlayProvider> {
  const provider = new PlayProvider();
  await provider.listen();
  return provider;
}

async function streamPieces(answer: AnswerWriter, encoder: AnswerEncoder, pieces: readonly string[], paceMs = 0) {
  answer.begin();
  await answer.write(encoder.start());
  for (const piece of pieces) {
    await answer.write(encoder.text(piece));
    if (paceMs > 0) await answer.pause(paceMs);
  }
  answer.end(encoder.finish("complete") + encoder.endMark());
}
