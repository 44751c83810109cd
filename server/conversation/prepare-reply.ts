import type { Budgets, Purpose } from "../budgets/budgets.ts";
import { Spending } from "../budgets/spending.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import type { Files } from "../files/files.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import type { Log } from "../log.ts";
import type { Model, Prompt, PromptMessage } from "../models/model.ts";
import type { Guided } from "../presets/guidance-store.ts";
import type { NamedTool, Toolbox } from "../tools/toolbox.ts";
import type { CallLimit } from "./admission/call-limit.ts";
import { withAnswer } from "./reply/calls/call-prompt.ts";
import type { AnswerSoFar } from "./reply/steps/answer-messages.ts";
import { hasCallsBeside } from "./reply/steps/own-calls-store.ts";
import { ReplyTools } from "./reply/steps/reply-tools.ts";
import { framedWithTools } from "./reply/steps/tool-frame.ts";
import { framePrompt } from "./system-prompt.ts";

export type PrepareReplyDeps = {
  budgets: Budgets;
  clock: Clock;
  log: Log;
  toolbox: Toolbox;
  callLimit: CallLimit;
  /** Absent: of chats that are not stored. */
  files?: Pick<Files, "textOf"> | undefined;
  installation: Pick<InstallationSettings, "current">;
};

/**
 * `guided`: whose instructions and tools apply. `messages`: oldest first, the question last. `model`: asked first.
 * `answer`: of a reply that is continued. `timeZone`: of the browser, stronger than that of the group. `chatId`: null of
 * a temporary chat; `called`: of one, the groups whose tools its earlier answers have called, absent if that is unknown.
 * `groupId`: the group whose models are asked, if it may have changed meanwhile.
 */
export type ReplyToPrepare = {
  guided: Guided;
  messages: PromptMessage[];
  model: Model | undefined;
  purpose: Omit<Purpose, "scopes">;
  answer?: AnswerSoFar;
  timeZone?: string | undefined;
  chatId: string | null;
  called?: readonly string[] | undefined;
  groupId?: string | null;
};

/**
 * Makes the prompt of a reply and reserves the money of its first call, in the transaction that begins it. Returns the
 * tools that are switched on; {@link ReplyTools.withFiles} adds the files.
 * @throws Failure `budget-reached`, `budget-reserved`; `unavailable` if the account is in another group now
 */
export async function prepareReply(
  db: Queryable,
  deps: PrepareReplyDeps,
  { guided, messages, model, purpose, answer, chatId, called, groupId, timeZone: ofBrowser }: ReplyToPrepare,
): Promise<{ prompt: Prompt; spending: Spending; tools: ReplyTools }> {
  const { budgets, clock, installation, toolbox } = deps;
  const framed = await framePrompt(db, guided, installation.current, { now: clock.now(), timeZone: ofBrowser });
  const { toolGroups, budgets: columns, timeZone } = framed;
  if (groupId !== undefined && columns.group_id !== groupId) throw new Failure("unavailable");
  const { tools: named, leftOut } = await toolbox.toolsOf({ db, userId: purpose.userId }, toolGroups);
  const hasReadOwn = await mayHaveReadOwn(db, toolbox, { named, messages, chatId, called });
  const tools = new ReplyTools(deps, { tools: named, leftOut, hasReadOwn, userId: purpose.userId, chatId, timeZone });
  const frame = named.length === 0 ? framed.frame : framedWithTools(framed.frame, tools.offered);
  const prompt: Prompt = { ...frame, messages };
  const scopes = budgets.scopesOf(purpose.userId, columns);
  const spending = await Spending.begin(
    db,
    budgets,
    { ...purpose, scopes },
    { model, prompt: answer ? withAnswer(prompt, answer) : prompt },
  );
  return { prompt, spending, tools };
}

type Earlier = Pick<ReplyToPrepare, "messages" | "chatId" | "called"> & { named: readonly NamedTool[] };

/**
 * Whether an earlier answer may have read what belongs to the person, asked only where a query could carry it out. Where
 * a client does not say which tools the answers of a temporary chat have called, it is what its tools can read now.
 */
async function mayHaveReadOwn(
  db: Queryable,
  toolbox: Toolbox,
  { named, messages, chatId, called }: Earlier,
): Promise<boolean> {
  if (!named.some(({ tool }) => tool.reach === "engine")) return false;
  if (chatId !== null) return hasCallsBeside(db, chatId, toolbox.impersonal);
  if (called) return called.some((group) => !toolbox.impersonal.includes(group));
  return named.some(({ tool }) => tool.reach === "own") && messages.some(({ role }) => role === "assistant");
}
