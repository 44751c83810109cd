import { expect, test } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import { resultOf } from "../../testing/tools/shop-server.ts";
import { NumberedProvider } from "../provider/numbered-provider.ts";
import { Report } from "../report.ts";
import { checkTools, type ToolLedger } from "./check-tools.ts";
import { type Decision, itemOf } from "./tool-records.ts";
import { Turn } from "./turn.ts";

const none: ToolLedger = { executions: [], decisions: [], unknowns: [], outages: [], answeredWithinMs: 100 };

const bought = (change: Partial<ToolPart> = {}): ToolPart => ({
  seq: 0,
  at: 0,
  kind: "tool",
  server: "shop",
  name: "buy",
  call: "call_1",
  step: 0,
  state: "succeeded",
  arguments: '{"item":"tea"}',
  digest: "d",
  result: resultOf({ tool: "buy", item: "tea" }),
  ...change,
});

const executedAt = (at: number) => ({ tool: "buy", item: "tea", caller: "a", at });

const decidedAt = (sentAt: number, onState: Decision["onState"], answers: Decision["answers"] = ["once", "once"]) => ({
  item: "tea",
  answers,
  onState,
  sentAt,
  settledAt: sentAt + 1,
});

/** Checks a reply with one call. @returns the violated claims */
function violations(part: ToolPart, ledger: Partial<ToolLedger>): string[] {
  const report = new Report(() => undefined);
  const turn = new Turn("chat", new NumberedProvider().ask({ pieces: 1, paceMs: 0 }));
  const reply = { id: "r", role: "assistant", content: "", state: "complete", parts: [part] } as unknown as Message;
  checkTools(report, { turn, reply, calls: [] }, { ...none, ...ledger });
  return report.violations.map(({ what }) => what.split(":")[0] ?? "");
}

test("an approved call that was executed once violates nothing", () => {
  expect(violations(bought(), { executions: [executedAt(20)], decisions: [decidedAt(10, "proposed")] })).toEqual([]);
});

test("a call of a server that was executed before any decision is a violation, also of a tool that only reads", () => {
  const read = bought({ name: "look_up", result: resultOf({ tool: "look_up", item: "tea" }), isRepeatable: true });
  const ofServer = { ...read, from: { name: "Shop", host: "shop.test" } };
  const ledger = { executions: [executedAt(20)], decisions: [decidedAt(30, "proposed")] };
  expect(violations(read, ledger)).toEqual([]);
  expect(violations(ofServer, ledger)).toEqual(["no tool of a server is executed before a decision"]);
  expect(violations(ofServer, { ...ledger, decisions: [decidedAt(10, "proposed")] })).toEqual([]);
});

test("a second execution without an approval of its own is a violation", () => {
  const executions = [executedAt(20), executedAt(40)];
  const claim = "executions per approval are at most one";
  expect(violations(bought(), { executions, decisions: [decidedAt(10, "proposed")] })).toEqual([claim]);
  // Tabs that showed the call as proposed have not approved it again.
  const twice = [decidedAt(10, "proposed"), decidedAt(30, "proposed")];
  expect(violations(bought(), { executions, decisions: twice })).toEqual([claim]);
  const again = [decidedAt(10, "proposed"), decidedAt(30, "unknown")];
  expect(violations(bought(), { executions, decisions: again })).toEqual([]);
});

test("an execution without any approval is a violation, except of a call that only reads", () => {
  expect(violations(bought(), { executions: [executedAt(20)] })).toEqual(["executions per approval are at most one"]);
  const weighed = bought({ name: "weigh", result: resultOf({ tool: "weigh", item: "tea" }) });
  expect(violations(weighed, { executions: [executedAt(20)] })).toEqual([]);
});

test("an executed call that ends as declined is a violation", () => {
  const decisions = [decidedAt(10, "proposed", ["once", "no"])];
  expect(violations(bought({ state: "declined", result: "no" }), { executions: [executedAt(20)], decisions })).toEqual([
    "no declined call is executed",
  ]);
});

test("a call that was seen as unknown must have lost its process between sent and result", () => {
  const part = bought({ state: "unknown", result: "It is not known." });
  const ledger = {
    executions: [executedAt(2000)],
    decisions: [decidedAt(1900, "proposed")],
    unknowns: [{ item: "tea", at: 9000 }],
  };
  const claim = "a call is unknown only after a kill, freeze or cut between sent and result";
  const outage = (server: string, from: number) => [{ server, from, to: from + 100 }];
  expect(violations(part, { ...ledger, outages: outage("a", 2050) })).toEqual([]);
  expect(violations(part, { ...ledger, outages: outage("b", 2050) })).toEqual([claim]);
  expect(violations(part, { ...ledger, outages: outage("a", 5000) })).toEqual([claim]);
});

test("a call that was left waiting is a violation", () => {
  const { result: _, ...waiting } = bought({ state: "proposed" });
  expect(violations(waiting, {})).toEqual(["every call ends in a final state"]);
});

test("the item of a call is read from its arguments", () => {
  expect(itemOf(bought())).toBe("tea");
});
