import { expect, test } from "vitest";
import { NumberedProvider } from "../provider/numbered-provider.ts";
import type { ProviderCall } from "../provider/provider-call.ts";
import { wasCutOffBy } from "./check-deaths.ts";

const question = new NumberedProvider().ask({ pieces: 3, paceMs: 0 });
const CLOSED_AT = 10_000;

const callThat = (isWhole: boolean): ProviderCall => ({
  kind: "chat",
  question,
  startedAt: 9000,
  round: 0,
  results: [],
  from: 0,
  saidUpTo: 86,
  closedAt: CLOSED_AT,
  isWhole,
});

const killedAfter = (ms: number) => ({
  server: "parley",
  signal: "SIGKILL" as const,
  at: CLOSED_AT + ms,
  goneAt: CLOSED_AT + ms + 5,
  readyAgainAt: undefined,
});

test("a kill cuts off a call that closes with it", () => {
  expect(wasCutOffBy(callThat(false), killedAfter(-2))).toBe(true);
  expect(wasCutOffBy(callThat(false), killedAfter(100))).toBe(false);
});

test("a kill cuts off a complete call whose end may not be stored", () => {
  expect(wasCutOffBy(callThat(true), killedAfter(100))).toBe(true);
  expect(wasCutOffBy(callThat(true), killedAfter(5000))).toBe(false);
});

test("a kill cuts off a stopped call whose end may not be stored", () => {
  expect(wasCutOffBy(callThat(false), killedAfter(100), { stopAskedAt: CLOSED_AT - 3 })).toBe(true);
  expect(wasCutOffBy(callThat(false), killedAfter(5000), { stopAskedAt: CLOSED_AT - 3 })).toBe(false);
  expect(wasCutOffBy(callThat(false), killedAfter(100), { stopAskedAt: CLOSED_AT + 3 })).toBe(false);
});
