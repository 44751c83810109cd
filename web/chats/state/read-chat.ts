import * as z from "zod/mini";
import { chatSchema } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { Api, ApiOptions, Validate } from "../../api/client.ts";

/** Messages that are validated in one task. A chat may have thousands, which would block the page. */
const RUN = 250;

/** Reads a chat with its messages. */
export function readChat(api: Api, id: string, options?: Pick<ApiOptions, "signal">) {
  return api.get(conversationPaths.chat(encodeURIComponent(id)), chatSchema, { ...options, validate: validateInRuns });
}

const validateInRuns: Validate = async (schema, answer) => {
  const { messages, ...chat } = Object(answer);
  if (!Array.isArray(messages) || messages.length <= RUN) return z.safeParse(schema, answer);
  const validated: unknown[] = [];
  let result = z.safeParse(schema, { ...chat, messages: messages.slice(0, RUN) });
  for (let at = RUN; result.success; at += RUN) {
    validated.push(...Object(result.data).messages);
    if (at >= messages.length) return { success: true, data: { ...Object(result.data), messages: validated } };
    await nextTask();
    result = z.safeParse(schema, { ...chat, messages: messages.slice(at, at + RUN) });
  }
  return result;
};

/** Not a timer: browsers delay those of hidden tabs. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
