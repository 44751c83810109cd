import { expect, it } from "vitest";
import { readDocument, readScaling, withTables } from "./document.ts";
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

it("replaces the text between the markers of a document, and nothing else", () => {
  const page = [
    "# Title\n<!-- bench:machine -->\n<!-- /bench -->\nWords.\n<!-- bench:words -->\nold\n<!-- /bench -->",
    "<!-- bench:other -->\nstays\n<!-- /bench -->\nEnd",
  ].join("\n");
  const written = withTables(page, record);
  expect(written).toBe(
    [
      "# Title\n<!-- bench:machine -->\n\nMeasured on 2026-01-02: 2 cores of A processor, 24 GB, Linux 6.1; Node 24.1.0.\n",
      "<!-- /bench -->\nWords.\n<!-- bench:words -->\n\n| measurement | result | yardstick | ratio | allowed |\n|---|---:|---:|---:|---:|",
      "| kept | 80 µs | raw pipe 40 µs | 2 | 2 × |\n| broken | **1230 ms** |  |  | 1000 ms |\n\nCommit abc, 2 min.\n",
      "<!-- /bench -->\n<!-- bench:other -->\nstays\n<!-- /bench -->\nEnd",
    ].join("\n"),
  );
  expect(withTables(written, record)).toBe(written);
});

it("docs/benchmarks.md shows the last record", () => {
  const last = readLastRecord();
  if (!last) throw new Error("There is no record");
  const page = readDocument();
  expect(withTables(page, last)).toBe(page);
  for (const bench of Object.keys(last.benches)) expect(page).toContain(`<!-- bench:${bench} -->`);
  // A bench that is not in the record is reported as missing.
  expect(page).not.toMatch(/<!-- bench:[\w-]+ -->\s*<!-- \/bench -->/);
});

/** Returns the first number after these words in docs/scaling.md. */
function saidAfter(words: string): number {
  const [, number] = new RegExp(`${words}\\D*?([\\d.,]+)`).exec(readScaling()) ?? [];
  if (number === undefined) throw new Error(`docs/scaling.md does not say: ${words}`);
  return Number(number.replaceAll(",", ""));
}

/** Relative tolerance: noise of the machine and rounding in the text. */
const NOISE = 0.15;
function expectNear(said: number, measured: number): void {
  expect(Math.abs(said - measured) / measured, `${said} is said, ${measured} was measured`).toBeLessThan(NOISE);
}

it("docs/scaling.md computes with the numbers of the last record", () => {
  const rows = Object.values(readLastRecord()?.benches ?? {}).flatMap((bench) => bench.rows);
  const measured = (name: string) => {
    const row = rows.find((one) => one.name === name);
    if (!row) throw new Error(`Not in the record: ${name}`);
    return row;
  };
  const word = measured("a word, 20 ms apart, replies of 200 words");
  expectNear(saidAfter("\\| a streamed word, all of a reply of 200 words included \\| some"), word.value);
  expectNear(saidAfter("raw Node pipe:"), word.yardstick?.value ?? 0);
  expectNear(saidAfter("\\| 1 event stream, some"), measured("10,000 idle event streams: memory for each").value);
  expectNear(saidAfter("\\| a sign-in \\| one each"), measured("from one sign-in to the next").value);
  const atOnce = measured("10,000 idle event streams: processor for signs of life").value;
  expectNear(saidAfter("a sign of life each 15 s \\(") * 10, atOnce);
});

it("the computations in docs/scaling.md are correct", () => {
  const [small, large] = [1, 2].map((column) => (row: string) => {
    const line = readScaling()
      .split("\n")
      .find((one) => one.startsWith(`| ${row}`));
    const [, number] = /([\d.,]+)/.exec(line?.split("|")[column + 1] ?? "") ?? [];
    if (number === undefined) throw new Error(`docs/scaling.md has no row: ${row}`);
    return Number(number.replaceAll(",", ""));
  });
  if (!small || !large) throw new Error("There are two columns");
  const word = saidAfter("\\| processor for words, at");
  expectNear(small("processor for words") / 100, (small("words a second") * word) / 1e6);
  expectNear(large("processor for words"), (large("words a second") * word) / 1e6);
  expectNear(
    large("memory for event streams"),
    (large("event streams") * saidAfter("memory for event streams, at")) / 1e3,
  );
  expectNear(large("memory for running replies"), (large("running at once") * saidAfter("running replies, at")) / 1e3);
  expectNear(large("disk a year"), (large("messages a day") * 365 * saidAfter("disk a year, at")) / 1e6);
});
