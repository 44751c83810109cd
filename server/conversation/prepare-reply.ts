import type { Budgets, Purpose } from "../budgets/budgets.ts";
import { Spending } from "../budgets/spending.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import type { Model, Prompt, PromptMessage } from "../models/model.ts";
import type { Guided } from "../presets/guidance-store.ts";
import { withReply } from "./reply/calls/call-prompt.ts";
import { framePrompt } from "./system-prompt.ts";

export type PrepareReplyDeps = {
  budgets: Budgets;
  clock: Clock;
  installation: Pick<InstallationSettings, "current">;
};

/**
 * `guided`: whose instructions apply. `messages`: oldest first, the question last. `model`: asked first. `text`: of a
 * reply that is continued. `groupId`: the group whose models are asked, if it may have changed meanwhile.
 */
export type ReplyToPrepare = {
  guided: Guided;
  messages: PromptMessage[];
  model: Model | undefined;
  purpose: Omit<Purpose, "scopes">;
  text?: string;
  groupId?: string | null;
};

/**
 * Makes the prompt of a reply and reserves the money of its first call, in the transaction that begins it.
 * @throws Failure `budget-reached`, `budget-reserved`; `unavailable` if the account is in another group now
 */
export async function prepareReply(
  db: Queryable,
  { budgets, clock, installation }: PrepareReplyDeps,
  { guided, messages, model, purpose, text = "", groupId }: ReplyToPrepare,
): Promise<{ prompt: Prompt; spending: Spending }> {
  const { frame, budgets: columns } = await framePrompt(db, guided, installation.current, clock.now());
  if (groupId !== undefined && columns.group_id !== groupId) throw new Failure("unavailable");
  const prompt: Prompt = { ...frame, messages };
  const scopes = budgets.scopesOf(purpose.userId, columns);
  const spending = await Spending.begin(
    db,
    budgets,
    { ...purpose, scopes },
    { model, prompt: withReply(prompt, text) },
  );
  return { prompt, spending };
}
