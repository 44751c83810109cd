import type { InstallationValues } from "#contract/administration/installation.ts";
import type { BudgetColumns, Queryable } from "../database/schema.ts";
import type { Prompt } from "../models/model.ts";
import { type Guidance, type Guided, readGuidance } from "../presets/guidance-store.ts";

export type SystemPromptSettings = Pick<InstallationValues, "productName" | "systemPrompt">;

/** A prompt without its messages. */
export type PromptFrame = Omit<Prompt, "messages">;

/** `now`: Unix time in ms. `timeZone`: of the browser; by default that of the account's group, else UTC. */
export type PromptTime = { now: number; timeZone?: string | undefined };

/**
 * Reads the current system prompt and settings of a chat's prompts, the slugs of its groups of tools, the columns of its
 * account's budgets, and the time zone that applies.
 */
export async function framePrompt(
  db: Queryable,
  chat: Guided,
  settings: SystemPromptSettings,
  { now, timeZone: ofBrowser }: PromptTime,
): Promise<{ frame: PromptFrame; toolGroups: readonly string[]; budgets: BudgetColumns; timeZone: string }> {
  const guidance = await readGuidance(db, chat);
  const { temperature, effort, budgets, tools: toolGroups } = guidance;
  const timeZone = ofBrowser ?? budgets.time_zone ?? UTC;
  const frame = {
    system: systemPrompt(settings, dayIn(timeZone, now), guidance),
    ...(temperature !== null && { temperature }),
    ...(effort !== null && { effort }),
  };
  return { frame, toolGroups, budgets, timeZone };
}

const UTC = "UTC";

/** Returns the day of a time (Unix ms) in a time zone, such as 2026-11-28. */
function dayIn(timeZone: string, now: number): string {
  if (timeZone === UTC) return new Date(now).toISOString().slice(0, 10);
  const parts = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(now);
  const fieldOf = (wanted: Intl.DateTimeFormatPartTypes) => parts.find(({ type }) => type === wanted)?.value ?? "";
  return `${fieldOf("year")}-${fieldOf("month")}-${fieldOf("day")}`;
}

/** Joins the server's prompt or a default, the date, and the user's instructions, the most specific last. */
function systemPrompt(
  { productName, systemPrompt: own }: SystemPromptSettings,
  day: string,
  { account, preset, chat }: Guidance,
): string {
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
