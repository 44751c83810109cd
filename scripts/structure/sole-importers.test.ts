import { expect, test } from "vitest";
import { importedModule, restricted, soleImporterProblems } from "./sole-importers.ts";
import { parseSourceFile, readSourceFiles, sourceRoots } from "./source-files.ts";

const problemsIn = (path: string, source: string) => soleImporterProblems([parseSourceFile(path, source)]);
const importing = 'import { isLoopbackUrl } from "../config/loopback.ts";';

test("a file that asks for itself whether others reach the server is reported", () => {
  expect(problemsIn("server/accounts/owners.ts", importing)).toEqual([
    expect.stringMatching(/^server\/accounts\/owners\.ts imports server\/config\/loopback\.ts\. Whether others/),
  ]);
  expect(
    problemsIn("server/accounts/owners.ts", 'const { isLoopbackUrl } = await import("../config/loopback.ts");'),
  ).toHaveLength(1);
});

test("the listed importers and tests of a restricted module are allowed", () => {
  expect(problemsIn("server/http/anti-forgery.ts", importing)).toEqual([]);
  expect(problemsIn("server/http/client.test.ts", importing)).toEqual([]);
});

test("a file that imports the whole of zod is reported", () => {
  expect(problemsIn("server/accounts/owners.ts", 'import { z } from "zod";')).toHaveLength(1);
  expect(problemsIn("server/accounts/owners.ts", 'import * as z from "zod/mini";')).toEqual([]);
});

test("the listed importers of each restricted module import it", () => {
  const files = readSourceFiles(sourceRoots).filter(({ isTest }) => !isTest);
  for (const [module, { importers }] of Object.entries(restricted)) {
    const found = files.filter(({ imports }) => imports.some((imported) => importedModule(imported) === module));
    expect(found.map(({ path }) => path).sort(), module).toEqual([...importers].sort());
  }
});
