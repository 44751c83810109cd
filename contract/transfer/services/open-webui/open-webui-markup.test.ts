import { describe, expect, it } from "vitest";
import { splitMarkup } from "./open-webui-markup.ts";

const split = (text: string) => splitMarkup(text, () => []);
/** The pieces as `kind: words`. */
const wordsOf = (text: string) =>
  split(text).map((piece) => `${piece.kind}: ${"text" in piece ? piece.text : "name" in piece ? piece.name : ""}`);

const reasoning = (body: string, attributes = ' done="true" duration="7"') =>
  `<details type="reasoning"${attributes}>\n<summary>Thought for 7 seconds</summary>\n${body}\n</details>\n`;

describe("reasoning in the text of an answer of Open WebUI", () => {
  it("reasoning is read as it was written and as it is escaped by later versions", () => {
    const lines = "Is 1 < 2 & 3 > 2?\n\nIt's &lt;";
    const quoted = lines.replaceAll(/^/gm, "> ");
    const escaped = quoted
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll("'", "&#x27;");
    for (const body of [quoted, escaped]) {
      expect(split(`${reasoning(body)}Yes.`)).toEqual([
        { kind: "reasoning", text: lines, durationMs: 7000 },
        { kind: "text", text: "Yes." },
      ]);
    }
  });

  it("an answer may have several elements between its texts, which lose only the empty lines around", () => {
    const text = `First.\n\n${reasoning("> One")}\n    code\n\n${reasoning("> Two")}${reasoning("> Three")}Last.`;
    expect(wordsOf(text)).toEqual([
      ...["text: First.", "reasoning: One", "text:     code", "reasoning: Two", "reasoning: Three", "text: Last."],
    ]);
  });

  it("reasoning that names the element ends where it should", () => {
    expect(wordsOf(`${reasoning("> See <details> and </details> here")}Yes.`)).toEqual([
      ...["reasoning: See <details> and </details> here", "text: Yes."],
    ]);
    expect(wordsOf(`${reasoning("> See <details> here")}Yes.`)).toEqual([
      "reasoning: See <details> here",
      "text: Yes.",
    ]);
  });

  it("an element that never ends lasts to the end", () => {
    expect(wordsOf('Yes.\n<details type="reasoning" done="false">\n<summary>Thinking…</summary>\n> Hm')).toEqual([
      ...["text: Yes.", "reasoning: Hm"],
    ]);
    expect(wordsOf('Yes.\n<details type="reasoning')).toEqual(['text: Yes.\n<details type="reasoning']);
  });
});

describe("calls of tools in the text of an answer of Open WebUI", () => {
  it("a call has its arguments and its result, in an attribute or in the element", () => {
    const call = '<details type="tool_calls" done="true" id="c1" name="weather" arguments="';
    const json = "&quot;{\\&quot;city\\&quot;:\\&quot;Å &amp;lt;\\&quot;}&quot;";
    const rest = "<summary>Tool Executed</summary>\n";
    const expected = { kind: "tool", name: "weather", call: "c1", state: "succeeded", arguments: '{"city":"Å &lt;"}' };
    expect(split(`${call}${json}" result="&quot;Rain\\n&quot;" files="">\n${rest}</details>\nIt rains.`)).toEqual([
      { ...expected, result: "Rain\n" },
      { kind: "text", text: "It rains." },
    ]);
    expect(split(`${call}{}">\n${rest}{&quot;rain&quot;:1}\n</details>`)).toMatchObject([{ result: '{"rain":1}' }]);
    expect(split(`${call}{}">\n${rest}\`\`\`json\n{"rain": 1}\n\`\`\`\n</details>`)).toMatchObject([
      { result: '```json\n{"rain": 1}\n```' },
    ]);
    expect(split(`${call}not json" result="&#39;">\n${rest}</details>`)).toMatchObject([
      { arguments: "not json", result: "'" },
    ]);
  });

  it("a call that was not done is unknown, and one without a result was done", () => {
    const call = (done: boolean) =>
      split(`<details type="tool_calls" done="${done}" name="n" arguments="{}">\n</details>`);
    expect([call(false), call(true)]).toMatchObject([[{ state: "unknown" }], [{ state: "succeeded", result: "" }]]);
    expect(call(false)[0]).not.toHaveProperty("result");
  });

  it("the files of a call are read", () => {
    const found: unknown[] = [];
    const text =
      '<details type="tool_calls" done="true" name="n" files="[{&quot;url&quot;:&quot;u&quot;}]">\n</details>';
    splitMarkup(text, (files) => {
      found.push(files);
      return [];
    });
    expect(found).toEqual([[{ url: "u" }]]);
  });

  it("the several calls of an element of early versions are read", () => {
    const quote = (value: unknown) => JSON.stringify(value).replaceAll('"', "&quot;");
    const calls = [
      { id: "1", function: { name: "a", arguments: "{}" } },
      { id: "2", function: { name: "b" } },
    ];
    const results = quote([{ tool_call_id: "1", content: "A" }]);
    const text = `<details type="tool_calls" done="true" content="${quote(calls)}" results="${results}">\n</details>`;
    expect(split(text)).toMatchObject([
      { kind: "tool", name: "a", call: "1", arguments: "{}" },
      { kind: "tool", name: "b", call: "2" },
      { kind: "result", call: "1", text: "A" },
    ]);
  });

  it("code that was run is a call with its output", () => {
    const output = "{&quot;stdout&quot;: &quot;ok\\n&quot;, &quot;stderr&quot;: null, &quot;result&quot;: 4}";
    const element = (attributes: string) =>
      split(
        `<details type="code_interpreter" ${attributes}>\n<summary>Analyzed</summary>\n\`\`\`python\n2 < 4\n\`\`\`\n</details>`,
      );
    const json = JSON.stringify({ language: "python", code: "2 < 4" });
    expect(element(`done="true" output="${output}"`)).toMatchObject([
      { kind: "tool", name: "code_interpreter", arguments: json, state: "succeeded", result: "ok\n\n4" },
    ]);
    expect(element('done="false"')).toMatchObject([{ arguments: json, state: "unknown" }]);
    expect(element('done="true" output="{&quot;stderr&quot;:&quot;Bad&quot;}"')).toMatchObject([
      { state: "failed", result: "Bad" },
    ]);
  });
});

describe("markup that an answer of Open WebUI shows", () => {
  it("elements in code are text, also in code that never ends", () => {
    const fenced = (end: string) => `See:\n\`\`\`html\n${reasoning("> Not mine")}${end}`;
    for (const text of [fenced("```\nDone."), fenced(""), 'Write `<details type="reasoning">` so.', "~~~\n<details>"]) {
      expect(split(text)).toEqual([{ kind: "text", text }]);
    }
  });

  it("marks of code within a line or within an element hide no later element", () => {
    expect(wordsOf(`Let me see \`\`\`\n${reasoning("> One")}Yes.`)).toEqual([
      ...["text: Let me see ```", "reasoning: One", "text: Yes."],
    ]);
    expect(
      wordsOf(`${reasoning("```\nOne")}${reasoning("> Two")}\`\`\`\ncode\n\`\`\`\n${reasoning("> Three")}`),
    ).toEqual([...["reasoning: ```\nOne", "reasoning: Two", "text: ```\ncode\n```", "reasoning: Three"]]);
  });

  it("elements of other types are text", () => {
    for (const text of ["<details><summary>a</summary>b</details>", '<details type="constructor">a</details>']) {
      expect(split(text)).toEqual([{ kind: "text", text }]);
    }
  });

  it.each([
    ["tags without an end", '<details type="reasoning">'],
    ["tags that are no elements", '<details type="reasoning" '],
    ["tags with open quotes", '<details a="'],
    ["quotes", '<details a="<details b=" c="'],
    ["elements that do not nest", '<details type="reasoning"><details></details>'],
    ["ends", "</details>"],
    ["marks of code", "```\n<details type='reasoning'>\n"],
    ["long marks of code", `${"`".repeat(50)}\n`],
    ["summaries without an end", '<details type="reasoning"><summary></details>'],
    ["code without an end", '<details type="code_interpreter">```\n```x </details>'],
    ["spaces", '<details type="reasoning"          \n\n\n\n'],
  ])("many %s take linear time", (_, unit) => {
    const pieces = split(unit.repeat(Math.ceil(2_000_000 / unit.length)));
    expect(pieces.length).toBeGreaterThan(0);
  });
});
