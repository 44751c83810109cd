import type { ElicitResult } from "@modelcontextprotocol/client";
import type { FormAnswers, ToolForm } from "#contract/conversation/tool-forms.ts";
import type { ToolContext } from "../../tools/tool.ts";
import { toForm } from "./elicitation-forms.ts";

/** Key of the form in a question that has one. */
const KEY = "form";

/**
 * Answers a request of a server of an older revision, which does not name the call that it belongs to: it goes to the
 * person of the only call that runs, and is cancelled if there are several.
 */
export async function answerElicitation(parameters: unknown, calls: readonly ToolContext[]): Promise<ElicitResult> {
  const [call] = calls;
  const form = toForm(KEY, parameters);
  if (calls.length !== 1 || !call?.watch || !form) return { action: "cancel" };
  return toElicitResult(await call.watch.ask([form]), form);
}

/** Returns what a server receives for one form. `answers`: null: the person refuses; undefined: nobody was asked. */
export function toElicitResult(
  answers: FormAnswers | null | undefined,
  { key, url }: Pick<ToolForm, "key" | "url">,
): ElicitResult {
  if (answers === undefined) return { action: "cancel" };
  const answer = answers?.forms.find((form) => form.key === key);
  if (!answer) return { action: "decline" };
  return url === undefined ? { action: "accept", content: { ...answer.values } } : { action: "accept" };
}
