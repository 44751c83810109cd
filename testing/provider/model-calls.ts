import { createServer } from "node:net";
import type { StreamedPicture } from "../../server/models/attachments/streamed-pictures.ts";
import type { Model, ModelEnd, Prompt } from "../../server/models/model.ts";
import { ModelError } from "../../server/models/model-error.ts";
import { promptMessage } from "../../server/models/prompt-message.ts";

export const promptOf = (question: string): Prompt => ({
  system: "Be kind.",
  messages: [promptMessage("user", question)],
});

/** Result of a call. `reasoning`, `pictures`: absent if there were none. */
export type ModelOutcome = {
  text: string;
  reasoning?: string;
  pictures?: StreamedPicture[];
  end?: ModelEnd;
  error?: ModelError;
};

export async function runModel(
  model: Model,
  prompt: Prompt,
  signal = new AbortController().signal,
): Promise<ModelOutcome> {
  const outcome: ModelOutcome = { text: "" };
  const onText = (piece: string) => {
    outcome.text += piece;
  };
  const onReasoning = (piece: string) => {
    outcome.reasoning = (outcome.reasoning ?? "") + piece;
  };
  const onTakeBack = () => {
    if (outcome.text !== "") onReasoning(outcome.text);
    outcome.text = "";
  };
  const onPicture = (picture: StreamedPicture) => {
    outcome.pictures = [...(outcome.pictures ?? []), picture];
  };
  try {
    outcome.end = await model.stream(
      prompt,
      { onText, onReasoning, onTakeBack, onCall() {}, onPicture, onLife() {} },
      signal,
    );
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    outcome.error = error;
  }
  return outcome;
}

/** Returns the URL of a port on which nothing listens. */
export async function unusedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 9}/v1`;
}
