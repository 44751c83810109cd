import { expect, test } from "vitest";
import { check, closingLine, judged, nothing, sum, withRetried } from "./tally.ts";

const retried = [{ title: "chat.spec.ts: a reply streams", error: "\u001b[31mexpected 1\u001b[39m\n\nreceived 2" }];
const counted = { passed: 3, failed: 0, skipped: 1 };

test("a test that passed at its second try is noted and counts as passed", () => {
  const tally = withRetried(counted, retried, false);
  expect(tally).toMatchObject(counted);
  expect(tally.notes).toEqual([
    "passed only at its second try: chat.spec.ts: a reply streams",
    "  expected 1",
    "  received 2",
  ]);
});

test("a test that passed at its second try fails a proof", () => {
  expect(withRetried(counted, retried, true)).toMatchObject({ passed: 2, failed: 1, skipped: 1 });
});

test("a sum retains the notes of its parts", () => {
  const all = sum([check(true), withRetried(counted, retried, false), nothing]);
  expect(closingLine(all)).toBe("4 passed, 0 failed, 1 skipped");
  expect(all.notes).toHaveLength(3);
});

test("a runner that exits with an error, or that ran nothing, counts as failed", () => {
  expect(judged(counted, 1).failed).toBe(1);
  expect(judged(nothing, 0).failed).toBe(1);
  expect(judged(counted, 0).failed).toBe(0);
});
