import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../child.mjs";
import { bareStrings } from "./bare-strings.ts";

const isTest = (path: string) => path.includes(".test.");

test("no component contains text outside the catalogue", () => {
  const components = globSync("web/**/*.tsx", { cwd: root }).filter((path) => !isTest(path));
  expect(components.length).toBeGreaterThan(100);
  const found = components.flatMap((path) =>
    bareStrings(path, readFileSync(join(root, path), "utf8")).map((words) => `${path}:${words}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["<p>{`Closed`}</p>", ["1: Closed"]],
  ["<p>Bare</p>", ["1: Bare"]],
  ["<>{'Bare'}</>", ["1: Bare"]],
  ["<p>{isOpen ? 'Open' : 'Closed ' + name}</p>", ["1: Open", "1: Closed"]],
  ["<p>{isOpen && 'Bare'}</p>", ["1: Bare"]],
  ["<button aria-label='Bare' />", ["1: Bare"]],
  ["<Field label={isNew ? 'Name' : t('name')} />", ["1: Name"]],
  ["<p>日本語</p>", ["1: 日本語"]],
  ["<p className='words here' id={'the-' + id}>{t('a.key')} · {count}/{all} ×</p>", []],
  ["<p>{state === 'open' ? t('open') : null}</p>", []],
  ["<Field type='text' name='label' render={() => t('x', { name: 'Bare' })} />", []],
])("the bare strings of %s are %j", (element, words) => {
  expect(bareStrings("x.tsx", `const a = ${element};`)).toEqual(words);
});
