import { expect, it } from "vitest";
import { bufferSource } from "../../../../testing/files/buffer-source.ts";
import { mediaTypeOf, NOTEBOOK_TYPE } from "../../media-type.ts";
import { extractText } from "../extract-text.ts";

const typeOf = (json: unknown, name = "Study.ipynb") =>
  mediaTypeOf(bufferSource(Buffer.from(typeof json === "string" ? json : JSON.stringify(json))), name);
const textOf = async (notebook: object) => {
  expect(await typeOf(notebook)).toBe(NOTEBOOK_TYPE);
  return (await extractText(Buffer.from(JSON.stringify(notebook)), NOTEBOOK_TYPE)).text;
};
const PYTHON = { language_info: { name: "python" } };
const notebookOf = (cells: readonly object[], metadata: object = PYTHON) => ({
  cells,
  metadata,
  nbformat: 4,
  nbformat_minor: 5,
});
const code = (source: string | string[], ...outputs: readonly object[]) => ({ cell_type: "code", source, outputs });
const stream = (text: string | string[], name = "stdout") => ({ output_type: "stream", name, text });
const data = (forms: object) => ({ output_type: "display_data", data: forms, metadata: {} });
/** Base64 of pictures in real notebooks has line ends. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAf\n";

it("a notebook has its cells in their order: Markdown as it is, code in fences with its language, outputs", async () => {
  const cells = [
    { cell_type: "markdown", source: ["# Depths\n", "Of *fjords*"] },
    code(["depth = 1308\n", "depth"], {
      output_type: "execute_result",
      data: { "text/plain": ["1308"] },
      metadata: {},
    }),
    code('print("```")', stream(["```\n", "next"]), stream("\n"), stream("a warning\n", "stderr")),
    { cell_type: "raw", source: "raw words" },
    code("", stream("")),
  ];
  expect(await textOf(notebookOf(cells))).toBe(`# Depths
Of *fjords*

\`\`\`python
depth = 1308
depth
\`\`\`

Output:
\`\`\`
1308
\`\`\`

\`\`\`\`python
print("\`\`\`")
\`\`\`\`

Output:
\`\`\`\`
\`\`\`
next
a warning
\`\`\`\`

raw words`);
});

it("errors of a notebook are without colours, and progress bars have their last state", async () => {
  const traceback = [
    "\u001b[0;31mNameError\u001b[0m  Traceback",
    "\u001b[0;31mNameError\u001b[0m: name 'x' is not defined",
  ];
  const error = { output_type: "error", ename: "NameError", evalue: "name 'x' is not defined", traceback };
  expect(await textOf(notebookOf([code("x", error)]))).toContain(
    "Output:\n```\nNameError  Traceback\nNameError: name 'x' is not defined\n```",
  );
  expect(await textOf(notebookOf([code("x", { ...error, traceback: [] })]))).toContain("\nNameError: name 'x' is not");
  const progress = stream(" 0%|  |\r 50%|# |\r\u001b[32m100%|##|\u001b[0m\nDone\r\n");
  expect(await textOf(notebookOf([code("x", progress)]))).toContain("```\n100%|##|\nDone\n```");
});

it("pictures of a notebook are named, and their base64 is left out", async () => {
  const figure = data({ "image/png": PNG, "text/plain": "<Figure size 640x480>" });
  const frame = data({ "text/html": "<table><tr><td>1<td>2</table>", "text/plain": "   a  b\n0  1  2" });
  const html = data({ "text/html": ["<h2>Table</h2>", "<table><tr><td>1<td>2</table>"] });
  const named = data({ "text/html": ["<b>Bold</b>"], "text/plain": ["<IPython.core.display.HTML object>"] });
  const plot = data({ "application/vnd.plotly.v1+json": { data: [1, 2, 3] } });
  const other = data({ "application/vnd.own+json": { data: 1 } });
  const markdown = { cell_type: "markdown", source: `![Map](data:image/png;base64,${PNG}) and words` };
  const text = await textOf(notebookOf([markdown, code("plot()", figure, frame, html, named, plot, other)]));
  expect(text).toBe(`![Map]([picture]) and words

\`\`\`python
plot()
\`\`\`

Output:
[picture]
\`\`\`
   a  b
0  1  2
\`\`\`
\`\`\`
## Table
1 | 2
\`\`\`
\`\`\`
Bold
\`\`\`
[picture]
\`\`\`
[application/vnd.own+json]
\`\`\``);
});

it("a notebook of version 3 has its sheets, headings and outputs by their old names", async () => {
  const outputs = [
    { output_type: "pyout", text: ["4\n"], prompt_number: 1 },
    { output_type: "display_data", png: PNG },
    { output_type: "pyerr", ename: "E", evalue: "v", traceback: ["\u001b[31mE\u001b[0m: v"] },
    { output_type: "stream", stream: "stdout", text: "printed\n" },
  ];
  const cells = [
    { cell_type: "heading", level: 2, source: ["Sums"] },
    { cell_type: "code", language: "julia", input: ["2 + 2"], outputs },
  ];
  expect(
    await textOf({ metadata: { name: "" }, nbformat: 3, nbformat_minor: 0, worksheets: [{ cells }] }),
  ).toBe(`## Sums

\`\`\`julia
2 + 2
\`\`\`

Output:
\`\`\`
4
\`\`\`
[picture]
\`\`\`
E: v
\`\`\`
\`\`\`
printed
\`\`\``);
});

it("a notebook that names no language has fences without one", async () => {
  expect(await textOf(notebookOf([code("print(1)")], {}))).toBe("```\nprint(1)\n```");
  expect(await textOf(notebookOf([code("1")], { kernelspec: { language: "R" } }))).toBe("```R\n1\n```");
});

it("JSON that is no notebook stays a text", async () => {
  expect(await typeOf({ name: "a" })).toBe("text/plain");
  expect(await typeOf(["nbformat", "cells"])).toBe("text/plain");
  expect(await typeOf(notebookOf([]), "notebook.json")).toBe("text/plain");
  expect(await typeOf({ a: "x".repeat(70_000), ...notebookOf([]) })).toBe(NOTEBOOK_TYPE);
  for (const json of [
    '{"nbformat": "4", "cells": []}',
    '{"a": "nbformat", "cells": []}',
    '{"nbformat": 4, "cells": [',
  ]) {
    expect(await extractText(Buffer.from(json), NOTEBOOK_TYPE)).toEqual({ text: json });
  }
});

it("M4 a notebook with values of other types, deep nesting or much text ends within its limits", async () => {
  const odd = [
    null,
    1,
    { cell_type: "code", source: 1, outputs: [null, { data: { "text/plain": {} } }] },
    { source: [{}, "a"] },
  ];
  expect(await textOf({ cells: odd, metadata: null, nbformat: 4 })).toBe("a");
  const nested = `{"nbformat":4,"cells":${"[".repeat(1_000_000)}`;
  expect((await extractText(Buffer.from(nested), NOTEBOOK_TYPE)).text.length).toBe(1_000_000);
  const inOneLine = notebookOf([code("", stream("x".repeat(500_000)))]);
  expect((await textOf(inOneLine)).length).toBeGreaterThan(500_000);
  const long = notebookOf(Array.from({ length: 100 }, () => ({ cell_type: "markdown", source: "a".repeat(50_000) })));
  expect(await extractText(Buffer.from(JSON.stringify(long)), NOTEBOOK_TYPE)).toMatchObject({ remark: "cut" });
});

it("a picture of a notebook keeps the words beside it, but not the name of its object", async () => {
  const formula = data({ "image/png": PNG, "text/latex": "$\\frac12$", "text/plain": "1/2" });
  const figure = data({ "image/png": PNG, "text/plain": "<Figure size 640x480 with 1 Axes>" });
  const text = await textOf(notebookOf([code("", formula), code("", figure)]));
  expect(text).toContain("[picture]\n$\\frac12$");
  expect(text).not.toContain("Figure");
});

it("a line that a program writes again and again in pieces has its last state", async () => {
  const pieces = ["\r 10%|#", " 5it/s", "\r 20%|##", "\r100%|###"].map((piece) => stream(piece));
  expect(await textOf(notebookOf([code("", ...pieces)]))).toContain("\n100%|###\n");
});
