import { useState } from "react";
import { moved } from "../connections/connection-words.ts";

/** A rule as it is entered; `target`: id of a group, or a role; empty until it is chosen. */
export type EnteredRule = { key: number; value: string; target: string };

type Rule = { value: string; target: string };

/** Ordered rules of a form. `entered`: the complete ones; undefined while one lacks its value or its target. */
export function useRules(initial: readonly Rule[]) {
  const [rules, setRules] = useState<readonly EnteredRule[]>(() => initial.map((rule, key) => ({ ...rule, key })));
  const [nextKey, setNextKey] = useState(initial.length);
  const add = () => {
    setRules([...rules, { key: nextKey, value: "", target: "" }]);
    setNextKey(nextKey + 1);
  };
  const change = (key: number, changed: Partial<Rule>) =>
    setRules(rules.map((rule) => (rule.key === key ? { ...rule, ...changed } : rule)));
  const remove = (key: number) => setRules(rules.filter((rule) => rule.key !== key));
  const move = (from: number, to: number) => setRules(moved(rules, from, to));
  return { rules, add, change, remove, move, entered: completeRules(rules) };
}

export type Rules = ReturnType<typeof useRules>;

/** Leaves out rules without anything in them. */
function completeRules(rules: readonly EnteredRule[]): Rule[] | undefined {
  const filled = rules
    .map(({ value, target }) => ({ value: value.trim(), target }))
    .filter(({ value, target }) => value !== "" || target !== "");
  return filled.every(({ value, target }) => value !== "" && target !== "") ? filled : undefined;
}
