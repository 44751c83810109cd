import type { InstallationValues } from "#contract/administration/installation.ts";
import type { BudgetColumns, Queryable } from "../database/schema.ts";
import type { Prompt } from "../models/model.ts";
import { type Guidance, type Guided, readGuidance } from "../presets/guidance-store.ts";

export type SystemPromptSettings = Pick<InstallationValues, "productName" | "systemPrompt">;

/** A prompt without its messages. */
export type PromptFrame = Omit<Prompt, "messages">;

/**
 * Reads the current system prompt and settings of a chat's prompts, the slugs of its groups of tools, and the columns of
 * its account's budgets.
 */
export async function framePrompt(
  db: Queryable,
  chat: Guided,
  settings: SystemPromptSettings,
  now: number,
): Promise<{ frame: PromptFrame; toolGroups: readonly string[]; budgets: BudgetColumns }> {
  const guidance = await readGuidance(db, chat);
  const { temperature, effort, budgets, tools: toolGroups } = guidance;
  const frame = {
    system: systemPrompt(settings, now, guidance),
    ...(temperature !== null && { temperature }),
    ...(effort !== null && { effort }),
  };
  return { frame, toolGroups, budgets };
}

/** Joins the server's prompt or a default, the date, and the user's instructions, the most specific last. */
function systemPrompt(
  { productName, systemPrompt: own }: SystemPromptSettings,
  now: number,
  { account, preset, chat }: Guidance,
): string {
  const day = new Date(now).toISOString().slice(0, 10);
  const intro =
    own ||
    `You are the assistant of ${productName}, a chat application. Answer helpfully, truthfully and to the point, in the \
language of the person who asks. Use Markdown where it helps: lists, tables, fenced code with its language.`;
  const parts = [
    `${intro}\n\nToday is ${day}.`,
    labelled("The person’s instructions for all conversations:", account),
    labelled("The person’s instructions for conversations of this kind:", preset),
    labelled("The person’s instructions for this conversation:", chat),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function labelled(label: string, text: string): string {
  return text.trim() === "" ? "" : `${label}\n${text.trim()}`;
}
