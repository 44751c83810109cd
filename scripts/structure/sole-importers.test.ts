import { expect, test } from "vitest";
import { soleImporterProblems } from "./sole-importers.ts";
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

test("each restricted module of the list exists, and its listed importers import it", () => {
  const files = readSourceFiles(sourceRoots);
  const importers = files.filter(
    ({ imports, isTest }) => !isTest && imports.some(({ target }) => target === "server/config/loopback.ts"),
  );
  expect(importers.map(({ path }) => path).sort()).toEqual([
    "server/config/config.ts",
    "server/config/files-url.ts",
    "server/http/anti-forgery.ts",
    "server/http/local-request.ts",
  ]);
});
