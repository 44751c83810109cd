import { nearestEffort } from "#contract/models/effort.ts";
import { pauseIfLong } from "../../../concurrency/pause-if-long.ts";
import { refuserOf } from "../../../models/attachments/file-refusals.ts";
import { type PartialFile, promptForModel } from "../../../models/attachments/prompt-files.ts";
import type { Prompt, PromptMessage } from "../../../models/model.ts";
import { filesOf, hasTools, partCount, promptMessage, toolCallsOf } from "../../../models/prompt-message.ts";
import { FILES_GROUP } from "../../../tools/attached-files/file-tools.ts";
import { type FileReceipt, refusedBefore } from "../../parts/file-notices.ts";
import { callPartsOf, isResultText, type ToolCallPart } from "../../parts/message-part.ts";
import { type AnswerSoFar, answerMessages } from "../steps/answer-messages.ts";
import { framedWithFileTools } from "../steps/tool-frame.ts";
import type { ModelCall, Production } from "./production.ts";

/**
 * The prompt of one call. `left`: number of messages of the branch that the model does not receive. `files`: files that
 * it does not receive whole.
 */
export type CallPrompt = { prompt: Prompt; left: number; files: FileReceipt };

/**
 * Fits the prompt to a model's window, kinds of files and efforts; of these the nearest. If files with readable text do
 * not fit, or a result of a tool has become a file, a model that takes tools may look them up.
 */
export async function promptForCall(production: Production, call: ModelCall): Promise<CallPrompt> {
  const { reply, turns, prompt: asked, tools } = production;
  const { model, progress } = call;
  const answer = { text: reply.text, parts: reply.parts.all, turns, model: model.value };
  const { tools: _, ...withoutOffer } = asked;
  const takesTools = !progress.withoutTools.has(model.value);
  const lookups = takesTools && (hasTools(asked) || model.callsTools === true) ? (tools?.ofFiles ?? []) : [];
  const withLookups = () => fitted(production, call, withAnswer(framedWithFileTools(asked, lookups), answer));
  const { all } = reply.parts;
  // Calls of an earlier step are sent with the tools that they have called.
  if (lookups.length > 0 && (callPartsOf(all).some(isLookup) || all.some(isResultText))) return withLookups();
  const prompt = await fitted(production, call, withAnswer(takesTools ? asked : withoutOffer, answer));
  const isMissing = ({ id, received }: PartialFile) => received !== "text" && tools?.hasFile(id);
  return lookups.length > 0 && prompt.files.partial.some(isMissing) ? withLookups() : prompt;
}

const isLookup = ({ body }: ToolCallPart) => body.server === FILES_GROUP;

async function fitted(
  { earlier }: Production,
  { model, progress: { older, refusals } }: ModelCall,
  whole: Prompt,
): Promise<CallPrompt> {
  const question = whole.messages.findLast(({ role }) => role === "user");
  const files = question ? filesOf(question) : [];
  const hasFiles = whole.messages.some(({ content }) =>
    content.some((part) => part.type === "file" && part.file.kind !== "text"),
  );
  if (earlier && hasFiles) refusals.add(refuserOf(model), await refusedBefore(earlier, model));
  const withheld = { refused: refusals.of(model), unread: older.files };
  await pauseIfLong(partCount(whole));
  const received = await promptForModel(whole, model, withheld);
  await pauseIfLong(partCount(whole));
  const { effort, ...prompt } = received.prompt;
  const used = effort && nearestEffort(effort, model.efforts ?? []);
  return {
    prompt: { ...prompt, ...(used && { effort: used }) },
    left: older.messages + countOfChat(whole) - countOfChat(received.prompt),
    files: { newest: new Set(files.map(({ id }) => id)), partial: received.partial },
  };
}

/** Number of messages of the chat in a prompt, in which a message with calls of tools has several. */
const countOfChat = ({ messages }: Prompt): number =>
  messages.filter((message) => message.role !== "tool" && toolCallsOf(message).length === 0).length;

/**
 * Appends the reply to its prompt: its calls of tools with their results, where tools are offered, and its text, which
 * models continue at the end.
 */
export function withAnswer(prompt: Prompt, answer: AnswerSoFar): Prompt {
  if (hasTools(prompt)) return { ...prompt, messages: [...prompt.messages, ...answerMessages(answer)] };
  const { text } = answer;
  const messages = withResults(prompt.messages, answer);
  return { ...prompt, messages: text === "" ? messages : [...messages, promptMessage("assistant", text)] };
}

/** Adds the results of calls to the question, for a model that takes no tools. */
function withResults(messages: PromptMessage[], { parts }: AnswerSoFar): PromptMessage[] {
  const results = callPartsOf(parts).flatMap(({ body: { name, arguments: json, result } }) =>
    result === undefined ? [] : [`Result of ${name} ${json}, information from outside:\n${result}`],
  );
  const at = messages.findLastIndex(({ role }) => role === "user");
  const question = messages[at];
  if (results.length === 0 || !question) return messages;
  const words = results.map((text) => ({ type: "text", text }) as const);
  return messages.with(at, { ...question, content: [...question.content, ...words] });
}
