import { expect, it } from "vitest";
import { compareBenches } from "./compare.ts";
import type { Row } from "./row.ts";

const row = (value: number, more: Partial<Row> = {}): Row => ({ name: "a word", value, unit: "µs", ...more });
const beside = (value: number): Partial<Row> => ({ yardstick: { name: "raw pipe", value } });
const compare = (before: Row[], now: Row[]) =>
  compareBenches({ words: { rows: before } }, { words: { rows: now } }).map(({ name, kind }) => `${name}: ${kind}`);

it("a comparison reports results that got worse or better beyond the noise, and nothing else", () => {
  expect(compare([row(100)], [row(121)])).toEqual(["a word: worse"]);
  expect(compare([row(100)], [row(79)])).toEqual(["a word: better"]);
  expect(compare([row(100)], [row(119)])).toEqual([]);
  expect(compare([row(100)], [row(81)])).toEqual([]);
});

it("a comparison has a relative and an absolute noise threshold for each unit", () => {
  expect(compare([row(10, { unit: "ms" })], [row(12.5, { unit: "ms" })])).toEqual([]);
  expect(compare([row(10, { unit: "ms" })], [row(13.5, { unit: "ms" })])).toEqual(["a word: worse"]);
  expect(compare([row(1, { unit: "ms" })], [row(2.9, { unit: "ms" })])).toEqual([]);
  expect(compare([row(100, { unit: "kB" })], [row(106, { unit: "kB" })])).toEqual(["a word: worse"]);
  expect(compare([row(0, { unit: "count" })], [row(1, { unit: "count" })])).toEqual(["a word: worse"]);
});

it("a comparison takes ratios to the yardstick, so that a slower machine changes nothing", () => {
  expect(compare([row(80, beside(40))], [row(240, beside(120))])).toEqual([]);
  expect(compare([row(80, beside(40))], [row(80, beside(30))])).toEqual(["a word: worse"]);
  expect(compare([row(80, beside(40))], [row(80, beside(60))])).toEqual(["a word: better"]);
  expect(compare([row(0.6, beside(0.4))], [row(0.6, beside(0.2))])).toEqual([]);
});

it("a comparison lists rows that a bench no longer measures, but not benches that were not run", () => {
  const before = { words: { rows: [row(1), row(2, { name: "gone" })] }, start: { rows: [row(3)] } };
  expect(compareBenches(before, { words: { rows: [row(1), row(4, { name: "new" })] } })).toEqual([
    { bench: "words", name: "gone", kind: "missing", before: "2 µs", now: "not measured" },
  ]);
});

it("a comparison prints both values with their ratios", () => {
  const [change] = compareBenches(
    { words: { rows: [row(80, beside(40))] } },
    { words: { rows: [row(90, beside(30))] } },
  );
  expect(change).toMatchObject({ before: "80 µs (2 × raw pipe)", now: "90 µs (3 × raw pipe)" });
});
