import type { ElicitResult } from "@modelcontextprotocol/client";
import * as z from "zod/mini";
import { FORMS_MAX, type FormAnswers, type ToolForm } from "#contract/conversation/tool-forms.ts";
import { parseJson } from "../../text/parse-json.ts";
import { field, isRecord, textField } from "../../text/wire-json.ts";
import type { CallQuestion } from "../../tools/tool.ts";
import { ToolInputError } from "../../tools/tool-input-error.ts";
import { toElicitResult } from "./answer-elicitation.ts";
import { toForm } from "./elicitation-forms.ts";

/** In UTF-16 units of JSON. */
const STATE_MAX = 1_000_000;

const stateSchema = z.discriminatedUnion("kind", [
  /** A question of a call. `isRetry`: the call is sent again as it was. */
  z.object({
    kind: z.literal("input"),
    requestState: z.optional(z.string()),
    forms: z.array(z.object({ key: z.string(), url: z.optional(z.string()) })),
    isRetry: z.optional(z.boolean()),
  }),
  /** A call that became a task. `forms`: of its question. */
  z.object({
    kind: z.literal("task"),
    taskId: z.string(),
    pollMs: z.optional(z.number()),
    forms: z.optional(z.array(z.object({ key: z.string(), url: z.optional(z.string()) }))),
  }),
]);
/** What a call continues with. */
export type CallState = z.infer<typeof stateSchema>;
export type InputState = CallState & { kind: "input" };
export type TaskState = CallState & { kind: "task" };

/** Fields of a call that is sent again. `requestState`: opaque, and sent byte for byte. */
export type PendingInput = { inputResponses?: Record<string, ElicitResult>; requestState?: string | undefined };

/** @throws ToolInputError if another version has stored the state by other rules */
export function parseState(json: string): CallState {
  const { data } = stateSchema.safeParse(parseJson(json));
  if (!data) throw new ToolInputError("The call cannot be continued.");
  return data;
}

/** @throws ToolInputError if it is too long */
export function formatState(state: CallState): string {
  const json = JSON.stringify(state);
  if (json.length > STATE_MAX) throw new ToolInputError("The state of the call is too long.");
  return json;
}

/** Returns the fields that answer a question. @throws ToolInputError if the person refuses what the call cannot do without */
export function toResponses(state: InputState, answers: FormAnswers | null | undefined): PendingInput {
  const { requestState, forms, isRetry = false } = state;
  if (isRetry && !answers) throw new ToolInputError("The person has not opened the page that the server asked for.");
  if (isRetry) return {};
  return {
    inputResponses: responsesOf(forms, answers),
    ...(requestState !== undefined && { requestState }),
  };
}

export const responsesOf = (
  forms: readonly Pick<ToolForm, "key" | "url">[],
  answers: FormAnswers | null | undefined,
): Record<string, ElicitResult> => Object.fromEntries(forms.map((form) => [form.key, toElicitResult(answers, form)]));

/**
 * Returns what a result asks of the person; without a question, the call is only to be sent again.
 * @throws ToolInputError if it asks for anything else
 */
export function toQuestion(result: unknown): { question?: CallQuestion; requestState?: string } {
  const state = textField(result, "requestState");
  const requestState = typeof field(result, "requestState") === "string" ? { requestState: state } : {};
  const forms = toForms(field(result, "inputRequests"));
  if (forms.length === 0) return requestState;
  const shown = forms.map(withoutFields);
  return { question: { forms, state: formatState({ kind: "input", ...requestState, forms: shown }) } };
}

/** Converts requests to forms. @throws ToolInputError if one of them is none */
export function toForms(requests: unknown): ToolForm[] {
  const entries = isRecord(requests) ? Object.entries(requests) : [];
  if (entries.length > FORMS_MAX) throw new ToolInputError("The server asked for too much at once.");
  return entries.map(([key, request]) => {
    const isForm = textField(request, "method") === "elicitation/create";
    const form = isForm ? toForm(key, field(request, "params")) : undefined;
    if (!form) throw new ToolInputError("The server asked for something that people cannot answer here.");
    return form;
  });
}

export const withoutFields = ({ key, url }: ToolForm): Pick<ToolForm, "key" | "url"> => ({
  key,
  ...(url !== undefined && { url }),
});

/** Returns the question of a call that the server refuses until the person has opened pages; undefined if it names none. */
export function toPageQuestion(pages: readonly unknown[]): CallQuestion | undefined {
  const forms = pages.map((page, index) => toForm(`page-${index}`, page));
  const isQuestion = forms.length > 0 && forms.length <= FORMS_MAX;
  if (!isQuestion || !forms.every((form) => form?.url !== undefined)) return undefined;
  const known = forms.filter((form) => form !== undefined);
  return { forms: known, state: formatState({ kind: "input", forms: known.map(withoutFields), isRetry: true }) };
}
