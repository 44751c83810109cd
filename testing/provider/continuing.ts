import type { ScriptedRequest } from "./scripted-provider.ts";

/** For `ScriptedProvider.reply`: continues this text exactly where the answer in the prompt stops. */
export function continuing(text: string): (request: ScriptedRequest) => string {
  return ({ messages }) => {
    const stored = messages.findLast(({ role }) => role === "assistant")?.content ?? "";
    return text.startsWith(stored) ? text.slice(stored.length) : text;
  };
}
