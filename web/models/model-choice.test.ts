import { beforeEach, expect, test } from "vitest";
import { AUTO_MODEL, type ModelGroup } from "#contract/models/models.ts";
import { Query } from "../queries/query.ts";
import { ModelChoice } from "./model-choice.ts";
import { isDemo } from "./model-name.ts";
import { OwnModels } from "./own-models.ts";

beforeEach(() => localStorage.clear());

const openai: ModelGroup = { label: "GPT", models: [{ label: "gpt-5", value: "GPT:gpt-5", available: true }] };
const local: ModelGroup = { label: "Local", models: [{ label: "llama", value: "LOCAL:llama", available: true }] };
const silent: ModelGroup = {
  label: "Local",
  unreachable: "LOCAL:",
  models: [{ label: "llama", value: "LOCAL:llama", available: false, unreachable: true }],
};

/** Returns the choice of a person whose lists of models follow each other. */
function choiceOf(...lists: ModelGroup[][]) {
  const query = new Query<ModelGroup[]>(async () => lists.shift() ?? []);
  return { query, choice: new ModelChoice("ada", query) };
}

test("a chosen local model stays the choice while its server does not answer, and once it is back", async () => {
  new OwnModels("ada").choose("LOCAL:llama");
  const { query, choice } = choiceOf([openai, local], [openai, silent], [openai], [openai, local]);
  await choice.load();
  const seen = [choice.current().value];
  for (let reading = 0; reading < 3; reading++) {
    await query.reload();
    seen.push(choice.current().value);
  }
  expect(seen).toEqual(Array(4).fill("LOCAL:llama"));
});

test("a model that is gone stays the choice, so that a send is refused instead of asking another one", async () => {
  new OwnModels("ada").choose("GPT:gone");
  const { choice } = choiceOf([openai]);
  await choice.load();
  expect(choice.current().value).toBe("GPT:gone");
  choice.choose(AUTO_MODEL);
  expect(choice.current().value).toBe(AUTO_MODEL);
});

test("a hidden model is offered while it is chosen, and an empty group only while its provider does not answer", async () => {
  new OwnModels("ada").hide(["GPT:gpt-5", "LOCAL:llama"]);
  const { choice } = choiceOf([openai, silent]);
  await choice.load();
  const offered = () => choice.current().groups.map(({ label, models }) => [label, models.length]);
  expect(offered()).toEqual([["Local", 0]]);
  choice.choose("GPT:gpt-5");
  expect(offered()).toEqual([
    ["GPT", 1],
    ["Local", 0],
  ]);
});

test("a provider that does not answer is not taken for a server without providers", () => {
  const notSetUp = { label: "GPT", models: [{ label: "gpt-5", value: "GPT:gpt-5", available: false }] };
  expect(isDemo([notSetUp])).toBe(true);
  expect(isDemo([notSetUp, silent])).toBe(false);
  expect(isDemo([notSetUp, { ...silent, models: [] }])).toBe(false);
  expect(isDemo([])).toBe(false);
});
