import * as z from "zod/mini";
import type { MessageState } from "#contract/conversation/conversation.ts";
import type { MessageRow } from "../../database/schema.ts";
import type { ProviderSources } from "../../models/sources/provider-sources.ts";
import type { Part } from "../parts/message-part.ts";

const source = { url: z.string(), title: z.string() };
const words = z.object({ start: z.optional(z.number()), from: z.optional(z.number()), to: z.number() });

/** Sources that the provider has named so far. `begin`: where its text begins in the text of the reply, in UTF-16 units. */
const namedSchema = z.object({
  list: z.array(z.object(source)),
  cited: z.array(z.object({ ...source, words: z.optional(words) })),
  begin: z.number(),
});
export type NamedSources = Omit<ProviderSources, "length"> & { begin: number };

const openCallSchema = z.object({
  model: z.nullable(z.string()),
  text: z.number(),
  reasoning: z.number(),
  timeZone: z.optional(z.string()),
  named: z.optional(namedSchema),
});

/**
 * The call that a running reply waits for. `model`: null between two calls; `text`, `reasoning`: lengths before it, in
 * UTF-16 units. `timeZone`: of the browser that has asked for the run.
 */
export type OpenCall = Omit<z.infer<typeof openCallSchema>, "named"> & { named?: NamedSources | undefined };

export function storedOpenCall(call: OpenCall): string {
  return JSON.stringify(call);
}

/** Returns the stored form of the first call of a run. @param content text before it */
export function openCallOfRun(
  content: string,
  parts: readonly Pick<Part, "text">[],
  { model, timeZone }: Pick<OpenCall, "model" | "timeZone">,
): string {
  const reasoning = parts.reduce((sum, { text = "" }) => sum + text.length, 0);
  return storedOpenCall({ model, text: content.length, reasoning, timeZone });
}

/** Returns what the row of a reply that has ended keeps for its next run. @param timeZone of the run that ends */
export function openCallOfEnd(state: MessageState, timeZone: string | undefined): string | null {
  if (timeZone === undefined || state === "complete") return null;
  return storedOpenCall({ model: null, text: 0, reasoning: 0, timeZone });
}

/** @returns undefined for the first call of a reply */
export function parseOpenCall({ open_call: stored }: Pick<MessageRow, "open_call">): OpenCall | undefined {
  return stored === null ? undefined : (openCallSchema.parse(JSON.parse(stored)) as OpenCall);
}

/** Lengths of what is stored of a running reply, in UTF-16 units. */
type Written = { text: number; reasoning: number };

/** Returns the model whose output in a running reply is last; null if there is no output yet. */
export function writerOf(row: Pick<MessageRow, "open_call" | "model">, { text, reasoning }: Written): string | null {
  if (text + reasoning === 0) return null;
  const call = parseOpenCall(row);
  return call && (text > call.text || reasoning > call.reasoning) ? (call.model ?? row.model) : row.model;
}
