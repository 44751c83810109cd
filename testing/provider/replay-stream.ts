import type { StreamedPicture } from "../../server/models/attachments/streamed-pictures.ts";
import type { ModelEnd } from "../../server/models/model.ts";
import { callForEvents, type WireReader } from "../../server/models/providers/event-stream-call.ts";
import { ReplayDispatcher } from "./replay-dispatcher.ts";

/** Result of a replayed call. `pieces`: in their order, joined by kind. `lives`: number of signs of life. */
export type ReplayOutcome = {
  text: string;
  reasoning: string;
  pictures: StreamedPicture[];
  pieces: { kind: "text" | "reasoning"; text: string }[];
  lives: number;
  /** Names of the calls that began. */
  calls: string[];
  end?: ModelEnd;
  error?: unknown;
  dispatcher: ReplayDispatcher;
};

/** Reads replayed bytes as a call to a provider does. */
export async function replay(
  reader: WireReader,
  options: ConstructorParameters<typeof ReplayDispatcher>[0],
  signal = new AbortController().signal,
): Promise<ReplayOutcome> {
  const dispatcher = new ReplayDispatcher(options);
  const outcome: ReplayOutcome = { text: "", reasoning: "", pictures: [], pieces: [], lives: 0, calls: [], dispatcher };
  const add = (kind: "text" | "reasoning") => (piece: string) => {
    if (piece === "") throw new Error("A sink receives no empty pieces");
    outcome[kind] += piece;
    const last = outcome.pieces.at(-1);
    if (last?.kind === kind) last.text += piece;
    else outcome.pieces.push({ kind, text: piece });
  };
  const onLife = () => {
    outcome.lives++;
  };
  const onTakeBack = () => {
    outcome.reasoning += outcome.text;
    outcome.text = "";
    outcome.pieces = outcome.reasoning === "" ? [] : [{ kind: "reasoning", text: outcome.reasoning }];
  };
  const onPicture = (picture: StreamedPicture) => {
    outcome.pictures.push(picture);
  };
  const sink = {
    onText: add("text"),
    onReasoning: add("reasoning"),
    onTakeBack,
    onPicture,
    onLife,
    onCall: (name: string) => void outcome.calls.push(name),
  };
  const url = new URL("http://provider.test/v1/x");
  try {
    outcome.end = await callForEvents({ dispatcher, url, headers: {}, body: "{}", reader, sink, signal });
  } catch (error) {
    outcome.error = error;
  }
  return outcome;
}
