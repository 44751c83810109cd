import { expect, it } from "vitest";
import { readDocument, withTables } from "./document.ts";
import { type RunRecord, readLastRecord } from "./record.ts";

const record: RunRecord = {
  measuredOn: "2026-01-02",
  machine: { processor: "A processor", cores: 2, memoryGb: 24, system: "Linux 6.1" },
  versions: { Node: "24.1.0" },
  benches: {
    words: {
      commit: "abc",
      seconds: 61,
      rows: [
        { name: "kept", value: 80, unit: "µs", yardstick: { name: "raw pipe", value: 40 }, allowedRatio: 2 },
        { name: "broken", value: 1234, unit: "ms", allowed: 1000 },
      ],
    },
  },
};

it("replaces what stands between the markers, and nothing else", () => {
  const page = [
    "# Title\n<!-- bench:machine -->\n<!-- /bench -->\nWords.\n<!-- bench:words -->\nold\n<!-- /bench -->",
    "<!-- bench:other -->\nstays\n<!-- /bench -->\nEnd",
  ].join("\n");
  const written = withTables(page, record);
  expect(written).toBe(
    [
      "# Title\n<!-- bench:machine -->\n\nMeasured on 2026-01-02: 2 cores of A processor, 24 GB, Linux 6.1; Node 24.1.0.\n",
      "<!-- /bench -->\nWords.\n<!-- bench:words -->\n\n| what | measured | yardstick | ratio | allowed |\n|---|---:|---:|---:|---:|",
      "| kept | 80 µs | raw pipe 40 µs | 2 | 2 × |\n| broken | **1230 ms** |  |  | 1000 ms |\n\nCommit abc, 2 min.\n",
      "<!-- /bench -->\n<!-- bench:other -->\nstays\n<!-- /bench -->\nEnd",
    ].join("\n"),
  );
  expect(withTables(written, record)).toBe(written);
});

it("shows in docs/benchmarks.md what was recorded last", () => {
  const last = readLastRecord();
  if (!last) throw new Error("There is no record");
  const page = readDocument();
  expect(withTables(page, last)).toBe(page);
  for (const bench of Object.keys(last.benches)) expect(page).toContain(`<!-- bench:${bench} -->`);
});
