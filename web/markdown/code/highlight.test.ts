import { expect, test } from "vitest";
import { highlight } from "./highlight.ts";

/** Counts tasks, so that a test can see which work shared one. */
function countTasks() {
  const counter = { task: 0, end: () => clearTimeout(timer) };
  let timer = setTimeout(function next() {
    counter.task += 1;
    timer = setTimeout(next);
  });
  return counter;
}

test("tokenizes each of several blocks in a task of its own, the last block first", async () => {
  const { signal } = new AbortController();
  await highlight("const warm = 1;", "js", signal);
  const tasks = countTasks();
  const done: { name: string; task: number }[] = [];
  const names = ["first", "second", "third"];
  await Promise.all(
    names.map(async (name) => {
      await highlight(`const ${name} = 1;`, "js", signal);
      done.push({ name, task: tasks.task });
    }),
  );
  tasks.end();
  expect(done.map(({ name }) => name)).toEqual(names.toReversed());
  expect(new Set(done.map(({ task }) => task)).size).toBe(3);
});

test("does not tokenize a block that was removed while it waited", async () => {
  const leaving = new AbortController();
  const removed = highlight("const removed = 1;", "js", leaving.signal);
  const shown = highlight("const shown = 1;", "js", new AbortController().signal);
  leaving.abort();
  await expect(removed).rejects.toThrow();
  expect(await shown).not.toBeNull();
});
