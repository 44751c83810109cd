import { expect, test } from "vitest";
import { AUTO_MODEL, type ModelGroup } from "#contract/models/models.ts";
import "../testing/english-texts.ts";
import { optionText, withChosen } from "./listed-models.ts";

const openai: ModelGroup = {
  label: "GPT",
  models: [
    { label: "gpt-5", value: "GPT:gpt-5", available: true },
    { label: "gpt-6", value: "GPT:gpt-6", available: false },
  ],
};
const silent: ModelGroup = {
  label: "Local",
  unreachable: "LOCAL:",
  models: [{ label: "llama", value: "LOCAL:llama", available: false, unreachable: true }],
};
const shown = (groups: ModelGroup[], ...chosen: (string | null)[]) =>
  withChosen(groups, ...chosen).map(({ label, models }) => [label, ...models.map(optionText)]);

test("a chosen model that is not listed is in its silent provider's group, else among those that are gone", () => {
  const listed = ["GPT", "gpt-5", "gpt-6 (not set up)"];
  const known = "llama (does not answer now)";
  expect(shown([openai, silent], "GPT:gpt-5")).toEqual([listed, ["Local", known]]);
  expect(shown([openai, silent], "LOCAL:qwen")).toEqual([listed, ["Local", known, "qwen (does not answer now)"]]);
  expect(shown([openai, silent], "GPT:old", "LOCAL:llama")).toEqual([
    listed,
    ["Local", known],
    ["Not on this server", "old (no longer available)"],
  ]);
  expect(shown([openai], "LOCAL:llama")).toEqual([listed, ["Not on this server", "llama (no longer available)"]]);
});

test("automatic choice and no choice add no model, and a group without models is not shown", () => {
  expect(shown([{ ...silent, models: [] }], AUTO_MODEL, null)).toEqual([]);
});
