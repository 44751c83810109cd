import type { PromptMessage } from "../../../models/model.ts";
import { promptMessage } from "../../../models/prompt-message.ts";
import type { ProviderTurn } from "../../../models/tool-calls/tool-call.ts";
import { offeredName } from "../../../tools/toolbox.ts";
import { callPartsOf, type Part, type ToolBody, type ToolCallPart } from "../../parts/message-part.ts";
import type { StepTurn } from "./provider-turn-store.ts";

/** A reply as a prompt has it. `turns`: of its providers, which `model` (a value) receives if they are its own. */
export type AnswerSoFar = {
  text: string;
  parts: readonly Part[];
  turns?: readonly StepTurn[];
  model?: string;
};

const nameOf = ({ server, name }: ToolBody) => offeredName({ group: server, name });

const NOT_RUN = "This call was not run.";

/**
 * Returns a reply as messages of a prompt: for each step the text before its calls with the calls, and their results;
 * then the rest of the text, if there is any, which a model continues. The only place that converts a reply to a prompt.
 */
export function answerMessages({ text, parts, turns = [], model }: AnswerSoFar): PromptMessage[] {
  const messages: PromptMessage[] = [];
  let from = 0;
  for (const [step, calls] of Map.groupBy(callPartsOf(parts), ({ body }) => body.step)) {
    const at = Math.min(calls[0]?.at ?? from, text.length);
    const own = turns.find((each) => each.step === step && each.model === model);
    // The text of a step is separated from that of the step before, which the model has not written.
    const words = from === 0 ? text.slice(0, at) : text.slice(from, at).trimStart();
    messages.push(callMessage(words, calls, { step, turn: own?.turn }));
    messages.push(resultMessage(calls, { step, isOwn: own !== undefined }));
    from = at;
  }
  const rest = text.slice(from);
  return rest.trim() === ""
    ? messages
    : [...messages, promptMessage("assistant", messages.length > 0 ? rest.trimStart() : rest)];
}

function callMessage(
  text: string,
  calls: readonly ToolCallPart[],
  { step, turn }: { step: number; turn: ProviderTurn | undefined },
): PromptMessage {
  const { content } = promptMessage("assistant", text);
  const called = calls.map(({ body }, index) => {
    const id = turn ? body.call : ownId(step, index);
    return { type: "call", call: { id, name: nameOf(body), arguments: body.arguments } } as const;
  });
  return { role: "assistant", content: [...content, ...called], ...(turn && { turn }) };
}

function resultMessage(
  calls: readonly ToolCallPart[],
  { step, isOwn }: { step: number; isOwn: boolean },
): PromptMessage {
  const content = calls.map(({ body }, index) => {
    const callId = isOwn ? body.call : ownId(step, index);
    const { result = NOT_RUN, state } = body;
    return {
      type: "result",
      result: { callId, name: nameOf(body), text: result, isError: state !== "succeeded" },
    } as const;
  });
  return { role: "tool", content };
}

/** Another provider's ids may be refused: Mistral takes nine letters and digits only. */
const ownId = (step: number, index: number): string => `c${`${step}`.padStart(4, "0")}${`${index}`.padStart(4, "0")}`;
