import type { ScriptedProvider } from "../provider/scripted-provider.ts";
import type { WireCall } from "../provider/wire.ts";

/** Lets the model make each list of calls in turn after a question, then answer with `answer`. */
export function scriptCalls(
  provider: ScriptedProvider,
  steps: readonly (readonly WireCall[])[],
  answer = "Done.",
): void {
  provider.calls = ({ messages }) => steps[stepOf(messages)] ?? [];
  provider.reply = ({ messages }) => (stepOf(messages) < steps.length ? "" : answer);
}

/** Returns the number of rounds of results since the last question. */
export function stepOf(messages: readonly { role: string }[]): number {
  const question = messages.findLastIndex(({ role }) => role === "user");
  const after = messages.slice(question + 1);
  return after.filter(({ role }, at) => role === "tool" && after[at - 1]?.role !== "tool").length;
}

/** A call by the name under which the tool is offered. */
export const wireCall = (name: string, given: object, id = "call_1"): WireCall => ({
  id,
  name,
  arguments: JSON.stringify(given),
});

/** A call of a tool of the shop. */
export const shopCall = (name: string, item: string, id = `call_${item}`): WireCall =>
  wireCall(`shop__${name}`, { item }, id);
