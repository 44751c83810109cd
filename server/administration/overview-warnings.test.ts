import { expect, it } from "vitest";
import type { OverviewWarning } from "#contract/administration/overview.ts";
import { parseConfig } from "../config/config.ts";
import { effectiveValues } from "../installation/effective-values.ts";
import { type OverviewFacts, warningsOf } from "./overview-warnings.ts";

const GB = 1e9;

/** @param installation what is spent of its budget, from 0 to 1 */
function budgets(installation?: number, groups = { nearlyUsed: 0, usedUp: 0 }) {
  return { budgets: { installation, groups } };
}

/** A server that other machines reach, without a fault. */
const fine = {
  env: { PUBLIC_URL: "https://chat.example.org", SMTP_URL: "smtp://mail.example.org", REGISTRATION: "closed" },
  facts: { providers: [{ isPaid: true }], hasOwner: true, disk: { free: 50 * GB, size: 100 * GB }, ...budgets() },
} as const;

type Case = [
  what: string,
  expected: OverviewWarning[],
  env: Record<string, string>,
  facts?: Partial<Omit<OverviewFacts, "config" | "registration">>,
];

const open = { REGISTRATION: "open" };
const local = { PUBLIC_URL: "http://127.0.0.1:3000" };

it.each<Case>([
  ["nothing is wrong", [], {}],
  ["there is no owner", ["no-owner"], {}, { hasOwner: false }],
  ["no mail server is set", ["no-mail-server"], { SMTP_URL: "" }],
  ["no model is configured", ["no-model"], open, { providers: [] }],
  ["registration is open with a key of OpenAI", ["open-registration-with-paid-keys"], open],
  [
    "registration is open with a key of Anthropic",
    ["open-registration-with-paid-keys"],
    open,
    { providers: [{ isPaid: true }] },
  ],
  ["registration is open with a local model only", [], open, { providers: [{ isPaid: false }] }],
  ["registration is open to one domain", [], { ...open, REGISTRATION_DOMAINS: "example.org" }],
  ["registration is open on this machine only", [], { ...open, ...local }],
  ["limits are off", ["rate-limits-off"], { RATE_LIMITS: "off" }],
  ["limits are off on this machine only", [], { ...local, RATE_LIMITS: "off" }],
  [
    "limits are off and other machines reach the port",
    ["rate-limits-off"],
    { ...local, HOST: "0.0.0.0", RATE_LIMITS: "off" },
  ],
  ["less than 1 GB is free", ["disk-nearly-full"], {}, { disk: { free: GB - 1, size: 2 * GB } }],
  ["1 GB is free", [], {}, { disk: { free: GB, size: 2 * GB } }],
  ["less than 5 % is free", ["disk-nearly-full"], {}, { disk: { free: 5 * GB - 1, size: 100 * GB } }],
  ["5 % is free", [], {}, { disk: { free: 5 * GB, size: 100 * GB } }],
  ["less than 80 % of the budget is spent", [], {}, budgets(0.799)],
  ["80 % of the budget is spent", ["budget-nearly-used"], {}, budgets(0.8)],
  ["less than 1 % of the budget is left", ["budget-used-up"], {}, budgets(0.99)],
  [
    "budgets of groups are nearly or wholly used up",
    ["group-budgets-used-up", "group-budgets-nearly-used"],
    {},
    budgets(undefined, { nearlyUsed: 1, usedUp: 2 }),
  ],
  [
    "several are wrong, the most urgent first",
    ["no-owner", "disk-nearly-full", "rate-limits-off", "no-model", "no-mail-server"],
    { SMTP_URL: "", RATE_LIMITS: "off" },
    { hasOwner: false, providers: [], disk: { free: 0, size: GB } },
  ],
])("the overview, if %s, has the warnings %j", (_what, expected, env, facts) => {
  const { config } = parseConfig({ ...fine.env, ...env });
  const registration = effectiveValues(config.fixedSettings);
  expect(warningsOf({ ...fine.facts, ...facts, config, registration })).toEqual(expected);
});
