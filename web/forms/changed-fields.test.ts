import { expect, test } from "vitest";
import { changedFields, isUnchanged } from "./changed-fields.ts";

test("the changed fields of a form are those whose values differ, also by null, order and absence", () => {
  const initial = { name: "Choir", models: ["a", "b"] as string[] | null, budget: 20 as number | null };
  const differs = (given: typeof initial) => Object.keys(changedFields(initial, given));
  expect(differs({ ...initial, models: ["a", "b"] })).toEqual([]);
  expect(differs({ ...initial, budget: null })).toEqual(["budget"]);
  expect(differs({ ...initial, models: ["b", "a"] })).toEqual(["models"]);
  expect(differs({ name: "Band", models: null, budget: 20 })).toEqual(["name", "models"]);
  const unknownBefore: Partial<typeof initial> = { name: "Choir" };
  expect(changedFields(unknownBefore, initial)).toEqual({ models: ["a", "b"], budget: 20 });
  expect(isUnchanged(changedFields(initial, initial))).toBe(true);
  expect(isUnchanged(changedFields({}, initial))).toBe(false);
});
