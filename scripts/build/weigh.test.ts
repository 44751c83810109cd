import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { Budget } from "./budgets.ts";
import { weighSteps } from "./weigh.ts";

/** A chunk of about `kb` kB after Brotli: random text hardly compresses. */
function chunk(fileName: string, { kb = 1, imports = [] as string[], isEntry = false }) {
  const code = randomBytes(kb * 750).toString("base64");
  return { fileName, code, imports, isEntry, moduleIds: [`/repo/web/${fileName.replace(".js", ".tsx")}`] };
}

const chunks = [
  chunk("main.js", { kb: 10, imports: ["react.js"], isEntry: true }),
  chunk("react.js", { kb: 20 }),
  chunk("login.js", { kb: 5, imports: ["form.js", "react.js"] }),
  chunk("form.js", { kb: 5 }),
  chunk("chat.js", { kb: 30, imports: ["react.js", "main.js"] }),
  chunk("markdown.js", { kb: 40, imports: ["react.js", "chat.js"] }),
];
const step = (name: string, maxKb: number, after: string[] = []): Budget => ({
  name,
  maxKb,
  sources: [`web/${name}.tsx`],
  after,
});
const toSource = (id: string) => id.replace("/repo/", "");
const weighed = (budgets: Budget[]) => weighSteps(chunks, budgets, toSource);

test("a step weighs the entry, its sources and all their static imports, each once", async () => {
  const [login] = await weighed([step("login", 45)]);
  expect(login?.files.toSorted()).toEqual(["form.js", "login.js", "main.js", "react.js"]);
  expect(login?.kb).toBeGreaterThan(28);
  expect(login?.kb).toBeLessThan(45);
  expect(login?.problem).toBeUndefined();
});

test("a step over its budget is reported with its weight and its files", async () => {
  const [login] = await weighed([step("login", 20)]);
  expect(login?.problem).toMatch(/^login: \d+\.\d kB of script, 20 kB allowed \(.*main\.js.*\)$/);
});

test("a step does not count the chunks of earlier steps again", async () => {
  const [, markdown] = await weighed([step("chat", 100), step("markdown", 100, ["chat"])]);
  expect(markdown?.files).toEqual(["markdown.js"]);
});

test("a later step that is loaded together with an earlier one is reported", async () => {
  const [, form] = await weighed([step("login", 100), step("form", 100, ["login"])]);
  expect(form?.problem).toBe("form: loaded with login instead of on its own");
});

test("a step has the same weight whatever the hashes in the names of files", async () => {
  const importing = (hash: string) => ({
    ...chunk("main.js", { isEntry: true }),
    code: Array.from({ length: 50 }, (_, at) => `import"./part-${at}-${hash}.js";`).join(""),
  });
  const of = async (hash: string) => (await weighSteps([importing(hash)], [step("main", 1)], toSource))[0]?.kb;
  expect(await of("AbCdEf12")).toBe(await of("zy-98_XW"));
  expect(await of("AbCdEf12")).toBeGreaterThan(0.3);
});

test("a source that is not in the build, whose budget would always hold, is reported", async () => {
  const [rich] = await weighed([step("rich", 100)]);
  expect(rich?.problem).toBe("rich: web/rich.tsx is not in the build, so it cannot be weighed");
});
