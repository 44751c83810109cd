import {
  type ProviderCheck,
  type ProviderCheckRequest,
  TEST_ANSWER_MAX,
  testableProviders,
} from "#contract/administration/provider-check.ts";
import { SECOND } from "#contract/limits.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Budgets } from "../../budgets/budgets.ts";
import type { Settlements } from "../../budgets/settlements.ts";
import { Spending } from "../../budgets/spending.ts";
import { AbortScope } from "../../concurrency/abort-scope.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { withTimeout } from "../../concurrency/with-timeout.ts";
import type { Config } from "../../config/config.ts";
import { toUsd } from "../../database/nano-usd.ts";
import type { Queryable } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { describeRefusal } from "../../models/connections/refusal-of.ts";
import { type Model, SHORT_ANSWER_TOKENS } from "../../models/model.ts";
import { ModelError } from "../../models/model-error.ts";
import type { Models } from "../../models/open-models.ts";
import { promptMessage } from "../../models/prompt-message.ts";
import type { CallCount } from "../../usage/call-count.ts";

/** `limitMs`: time limit of the call. */
export type ProviderCheckDeps = {
  config: Pick<Config, "isInContainer">;
  settlements: Settlements;
  clock: Clock;
  budgets: Budgets;
  models: Pick<Models, "testTarget" | "health" | "recheck">;
  limitMs?: number;
};

/** `userId`: the administrator, whose usage has the call. */
export type AskedTest = ProviderCheckRequest & { name: string; userId: string };

const LIMIT_MS = 30 * SECOND;
/** Time that the answer waits for a database that does not respond; the call is recorded later. */
const STORE_WAIT_MS = 5 * SECOND;
const QUESTION = "This is a test of the connection. Answer with the single word OK.";

/** Result of a call: its text, or why there is none. */
type Outcome = { text: string } | { error: ModelError };

/**
 * Makes one small call to a provider, which counts like any other: in the budget, the administrator's usage and the
 * provider's health. It is recorded.
 * @param leaving aborts the call
 * @throws Failure `not-found` for an unknown provider, `model-unavailable` for one that is not configured,
 *   `model-unknown`, `budget-reached`; the signal's reason
 */
export async function checkProvider(
  deps: ProviderCheckDeps,
  { name, model: value, userId }: AskedTest,
  leaving: AbortSignal,
): Promise<ProviderCheck> {
  if (!isKnown(deps, name)) throw new Failure("not-found");
  const { host, model } = await deps.models.testTarget(name, value);
  if (!model) return { ok: false, code: "assistant-misconfigured", reason: "no-model", host, durationMs: 0 };
  const begunAt = performance.now();
  let call: CallCount | undefined;
  const spending = new Spending(deps.budgets, {
    purpose: "test",
    userId,
    messageId: null,
    scopes: deps.budgets.installation,
  });
  const onCount = (count: CallCount) => {
    call = count;
  };
  let outcome: Outcome | undefined;
  try {
    outcome = await ask(spending.counted(model, { onCount }), leaving, deps.limitMs ?? LIMIT_MS);
  } finally {
    await withTimeout(
      settle(deps, { provider: name, userId, isMade: call !== undefined, spending, outcome }),
      STORE_WAIT_MS,
    );
  }
  const durationMs = Math.round(performance.now() - begunAt);
  if ("error" in outcome) {
    const { hostname } = new URL(`http://${host}`);
    const refusal = describeRefusal(outcome.error, { hostname, isInContainer: deps.config.isInContainer });
    return { ok: false, model: model.value, code: outcome.error.code, ...refusal, host, durationMs };
  }
  await deps.models.recheck(name);
  return { ok: true, model: model.value, answer: beginningOf(outcome.text), durationMs, ...usageOf(call) };
}

const isKnown = ({ models }: ProviderCheckDeps, name: string) =>
  testableProviders.some((each) => each === name) || models.health().some(({ id }) => id === name);

/** @throws the reason of `leaving`, Failure */
async function ask(model: Model, leaving: AbortSignal, limitMs: number): Promise<Outcome> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new ModelError("assistant-stalled")), limitMs);
  using scope = new AbortScope({ parents: [leaving, late.signal] });
  let text = "";
  const onText = (piece: string) => {
    if (text.length < TEST_ANSWER_MAX) text += piece;
  };
  const onTakeBack = () => {
    text = "";
  };
  const effort = model.efforts?.[0];
  const messages = [promptMessage("user", QUESTION)];
  const limit = { maxOutputTokens: SHORT_ANSWER_TOKENS };
  const prompt = { system: "", messages, isOnce: true, ...limit, ...(effort && { effort }) };
  try {
    const sink = { onText, onReasoning: () => {}, onTakeBack, onCall: () => {}, onPicture: () => {}, onLife: () => {} };
    const end = await model.stream(prompt, sink, scope.signal);
    return end.reason === "refused" ? { error: new ModelError("assistant-refused") } : { text };
  } catch (error) {
    if (error instanceof ModelError) return { error };
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

type Booked = {
  provider: string;
  userId: string;
  /** Whether the provider was called. */
  isMade: boolean;
  spending: Spending;
  /** Undefined if the client has left. */
  outcome: Outcome | undefined;
};

/** Without a call there is nothing to record, but perhaps a reservation. */
function settle(
  { settlements, clock }: ProviderCheckDeps,
  { provider, userId, isMade, spending, outcome }: Booked,
): Promise<void> {
  const error = outcome && "error" in outcome ? outcome.error : undefined;
  const after = { provider, ok: outcome !== undefined && !error, ...(error && { code: error.code }) };
  const record = (db: Queryable) =>
    recordAudit(db, { kind: "provider-tested", at: clock.now(), actor: userId, subject: null, after });
  return settlements.settle(spending, { subject: { test: provider }, ...(isMade && { also: record }) });
}

function beginningOf(text: string): string {
  return text.slice(0, TEST_ANSWER_MAX).toWellFormed().trim();
}

function usageOf(call: CallCount | undefined) {
  if (!call) return {};
  const { inputTokens, outputTokens, costNanoUsd } = call;
  return {
    ...(inputTokens !== null && { inputTokens }),
    outputTokens,
    ...(costNanoUsd !== null && { cost: toUsd(costNanoUsd) }),
  };
}
