import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../../scripts/child.mjs";
import { reportWords, transferWords } from "./report-words.ts";

const textsOf = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(join(root, "web", "locales", "en", `${name}.json`), "utf8"));

it("the report of an import by command has the words of the page", async () => {
  expect(await textsOf("moving")).toMatchObject(reportWords);
  expect(await textsOf("transfer")).toMatchObject(transferWords);
});
