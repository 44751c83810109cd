import { expect, test } from "vitest";
import { parseSourceFile } from "./source-files.ts";
import { titleProblems } from "./title-attributes.ts";

const problemsIn = (element: string, path = "web/a/b.tsx") =>
  titleProblems([parseSourceFile(path, `export const a = ${element};`)]);

test.each(["<button title='Close' />", "<p><time title={exact}>Now</time></p>"])(
  "the title attribute in %s is reported",
  (element) => {
    expect(problemsIn(element)).toEqual([
      "web/a/b.tsx has a title attribute. Use tooltip() of web/ui/tooltips/tooltip.ts.",
    ]);
  },
);

test.each(["<iframe title='Flowchart' />", "<Dialog title='Rename' />", "<p>title=</p>"])(
  "the title in %s is allowed",
  (element) => {
    expect(problemsIn(element)).toEqual([]);
  },
);

test("title attributes in tests are not reported", () => {
  expect(problemsIn("<p title='a' />", "web/a/b.test.tsx")).toEqual([]);
});
