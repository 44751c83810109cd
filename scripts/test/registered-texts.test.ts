import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entrySentences } from "#contract/entry-errors.ts";
import { root } from "../child.mjs";
import { missingTexts, readTextModule } from "./registered-texts.ts";

const isTest = (path: string) => path.includes(".test.");
const lazyNamespaces = readdirSync(join(root, "web/locales/en")).map((name) => name.replace(".json", ""));
/** Of every page, and of the page of links, which has no i18next. */
const shellNamespaces = ["app", "accounts", "sharedPage"];
const namespaces = [...lazyNamespaces.filter((name) => !shellNamespaces.includes(name)), "errors"].sort();
/** Pages before the sign-in show an error that the start does not have in the words of the answer. */
const isErrorBeforeSignIn = (missing: string) =>
  /^web\/(main\.tsx|app\/link-page\.tsx|accounts\/.*|access\/.*): errors in /.test(missing);

test("the texts that a lazy module uses are registered before it runs", () => {
  const paths = globSync("web/**/*.{ts,tsx}", { cwd: root }).filter((path) => !isTest(path));
  const read = (path: string) => readTextModule(path, readFileSync(join(root, path), "utf8"), namespaces);
  const modules = new Map(paths.map((path) => [path, read(path)]));
  expect(modules.size).toBeGreaterThan(300);
  const registered = new Set([...modules.values()].flatMap((module) => module.registered));
  expect([...registered].sort()).toEqual(namespaces);
  const missing = missingTexts(modules, "web/main.tsx");
  expect(missing.filter((each) => !isErrorBeforeSignIn(each))).toEqual([]);
});

test("the errors that pages before the sign-in name are among those of the start", () => {
  const sources = globSync("web/accounts/**/*.{ts,tsx}", { cwd: root })
    .filter((path) => !isTest(path))
    .map((path) => readFileSync(join(root, path), "utf8"));
  const codes = sources.flatMap((source) => [...source.matchAll(/"([\w-]+)", \{ ns: "errors" \}|"errors:([\w-]+)"/g)]);
  expect(codes.length).toBeGreaterThan(0);
  for (const [, code, key] of codes) expect(entrySentences).toHaveProperty(code ?? key ?? "");
});

const sources = {
  "main.tsx": `import "./page.tsx"; import type { A } from "./a.tsx";`,
  "page.tsx": `registerTexts("chat", chat); later(() => import("./a.tsx")); later(() => import("./b.ts"));`,
  "a.tsx": `const { t } = useTranslation(["chat", "search"]); registerTexts("search", search); import("./c.tsx");`,
  "b.ts": `export { c } from "./c.tsx"; import("./a.tsx");`,
  "c.tsx": `useTranslation("app"); i18n.t("search:found");`,
};

test("a module that is reached on one path without its texts is reported", () => {
  const modules = new Map(
    Object.entries(sources).map(([path, source]) => [path, readTextModule(path, source, ["chat", "search"])]),
  );
  expect(missingTexts(modules, "main.tsx")).toEqual(["b.ts: search in c.tsx"]);
});
