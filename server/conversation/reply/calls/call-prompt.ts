import { nearestEffort } from "#contract/models/effort.ts";
import { refuserOf } from "../../../models/attachments/file-refusals.ts";
import { promptForModel } from "../../../models/attachments/prompt-files.ts";
import type { Prompt } from "../../../models/model.ts";
import { filesOf, promptMessage } from "../../../models/prompt-message.ts";
import { type FileReceipt, refusedBefore } from "../../parts/file-notices.ts";
import type { ModelCall, Production } from "./production.ts";

/**
 * The prompt of one call. `left`: number of messages of the branch that the model does not receive. `files`: files that
 * it does not receive whole.
 */
export type CallPrompt = { prompt: Prompt; left: number; files: FileReceipt };

/** Fits the prompt to a model's window, kinds of files and efforts; of these the nearest. */
export async function promptForCall(
  { reply, earlier, prompt: asked }: Production,
  { model, progress: { older, refusals } }: ModelCall,
): Promise<CallPrompt> {
  const whole = withReply(asked, reply.text);
  const question = whole.messages.findLast(({ role }) => role === "user");
  const files = question ? filesOf(question) : [];
  const hasFiles = whole.messages.some(({ content }) =>
    content.some((part) => part.type === "file" && part.file.kind !== "text"),
  );
  if (earlier && hasFiles) refusals.add(refuserOf(model), await refusedBefore(earlier, model));
  const withheld = { refused: refusals.of(model), unread: older.files };
  const { prompt: fitted, partial } = await promptForModel(whole, model, withheld);
  const { effort, ...prompt } = fitted;
  const used = effort && nearestEffort(effort, model.efforts ?? []);
  return {
    prompt: { ...prompt, ...(used && { effort: used }) },
    left: older.messages + whole.messages.length - fitted.messages.length,
    files: { newest: new Set(files.map(({ id }) => id)), partial },
  };
}

/** Appends the reply's text to the prompt: models continue an assistant message at the end. */
export function withReply(prompt: Prompt, text: string): Prompt {
  if (text === "") return prompt;
  return { ...prompt, messages: [...prompt.messages, promptMessage("assistant", text)] };
}
