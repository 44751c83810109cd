import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { costlyTexts } from "../../testing/chats/costly-texts.ts";
import { search } from "../../testing/chats/search-for.ts";

let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Returns the snippet of a message found by a query, with its matches in `«»`. */
async function snippetOf(content: string, q: string, role = "assistant"): Promise<string> {
  ada = await signUp(app);
  const chat = (await (await app.call("POST", conversationPaths.chats, { token: ada.token })).json()) as { id: string };
  await app.call("POST", conversationPaths.chatMessage(chat.id), { token: ada.token, body: { role, content } });
  const hit = (await search(app, ada.token, { q, role })).hits[0];
  if (!hit) return "";
  let [text, at] = ["", 0];
  for (const [start, end] of hit.marks) {
    text += `${hit.snippet.slice(at, start)}«${hit.snippet.slice(start, end)}»`;
    at = end;
  }
  return text + hit.snippet.slice(at);
}

describe("snippets of answers", () => {
  it.each([
    ["emphasis", "A **bold *needle*** in ~~the~~ __hay__ and _grass_", "A bold «needle» in the hay and grass"],
    ["headings", "## The needle ##\n\nWords\n# Next", "The «needle» Words Next"],
    ["items", "- one\n* needle\n  + [x] done\n3. **three**\n4. [ ] four", "one «needle» done 3. three 4. four"],
    ["quotes and rules", "> > A needle\n\n---\n\n* * *\nEnd", "A «needle» End"],
    ["links", 'See [the **needle**](https://x.y/a_(b) "Title") and ![a cat](c.png).', "See the «needle» and a cat."],
    [
      "references",
      "A [needle][1] and <https://x.y/z>, noted[^note]. [Sic] it is.",
      "A «needle» and https://x.y/z, noted. [Sic] it is.",
    ],
    ["code", "Run `a * b` with ``c ` d`` by needle.", "Run a * b with c ` d by «needle»."],
    [
      "fences",
      "Do:\n```ts\nconst needle = a * b * c;\n# no title\n```\nDone *now*",
      "Do: const «needle» = a * b * c; # no title Done now",
    ],
    ["tables", "| A | B |\n|---|:-:|\n| needle | **2** \\| 3 |\n\nEnd", "A B «needle» 2 | 3 End"],
    ["tables without outer bars", "A | B\n--- | ---\nneedle | 2\n\na | b", "A B «needle» 2 a | b"],
    ["tags", "A <b>needle</b><br>in <span class='x'>hay</span><!-- no -->", "A «needle» in hay"],
    ["escapes and entities", "5 \\* needle &amp; \\# 2 &lt; 3", "5 * «needle» & # 2 < 3"],
    ["a paragraph of several lines", "A **bold\nneedle** here", "A bold «needle» here"],
  ])("the snippet of an answer has no Markdown syntax: %s", async (_, content, expected) => {
    expect(await snippetOf(content, "needle")).toBe(expected);
  });

  it.each([
    "needle: 2 * 3 * 4, snake_case_name, a < b and Array<string>, ~5 to ~6, [1] and x|y",
    "needle: **unclosed and `unclosed",
    "needle in a__b__c.py",
  ])("the snippet of an answer keeps text that only resembles Markdown: %s", async (content) => {
    expect(await snippetOf(content, "needle")).toBe(content.replace("needle", "«needle»"));
  });
});

describe("snippets in Chinese, Japanese and Korean, and of answers that are HTML", () => {
  it.each([
    ["これは**「重要なこと」**です。", "重要", "これは「«重要»なこと」です。"],
    ["**注意：**请看说明。", "请看", "注意：«请看»说明。"],
    ["~~删除的文字（带括号）。~~这个句子", "括号", "删除的文字（带«括号»）。这个句子"],
    ["오전 9~12시, 오후 1~6시", "오후", "오전 9~12시, «오후» 1~6시"],
    ["문서는 **마크다운(Markdown)**을 씁니다", "마크다운", "문서는 «마크다운»(Markdown)을 씁니다"],
    ["<p>2 * 3 * 4 &amp; <b>needle</b></p><p># a</p>", "needle", "2 * 3 * 4 & «needle» # a"],
    ["A <placeholder> and Map<K, V> needle", "needle", "A <placeholder> and Map<K, V> «needle»"],
  ])("the snippet of %s has the match of %s", async (content, query, expected) => {
    expect(await snippetOf(content, query)).toBe(expected);
  });
});

describe("matches in snippets", () => {
  it("matches keep their exact range if syntax is removed around and within words", async () => {
    expect(await snippetOf("**nee**dle and [need](u)les and *Né́e*d", "nee dle")).toBe(
      "«needle» and «nee»dles and «Né́e»d",
    );
  });

  it("matches within syntax are shown if there are no others around", async () => {
    expect(await snippetOf("Read [the docs](https://x.y/needle), please", "needle")).toBe(
      "Read the docs https://x.y/«needle» , please",
    );
    expect(await snippetOf("Read [the needle](https://x.y/needle)", "needle")).toBe("Read the «needle»");
    expect(await snippetOf("```python\na = 1\n```", "python")).toBe("«python» a = 1");
    expect(await snippetOf('A <span title="needle">word</span>', "needle")).toBe('A <span title="«needle»">word');
    expect(await snippetOf("A <b>word</b> by b", "b")).toBe("A word «b»y «b»");
  });

  it("matches far into code and long texts are found by reading only the text around them", async () => {
    const code = `\`\`\`c\n${"int *a, *b;\n".repeat(2000)}needle *c, *d;\n\`\`\`\n`;
    expect(await snippetOf(`Words\n${code}`, "needle")).toMatch(/^…(int \*a, \*b; )+«needle» \*c, \*d;$/);
    const after = await snippetOf(`${code.replace("needle", "int")}A **bold** needle`, "needle");
    expect(after).toMatch(/ \*b; int \*c, \*d; A bold «needle»$/);
    const words = await snippetOf(`${"**filler** ".repeat(2000)}needle ${"*filler* ".repeat(2000)}`, "needle");
    expect(words).toMatch(/^…(filler )+«needle»( filler)+…$/);
    expect(words.length).toBeLessThan(190);
  });
});

it("the snippet of a question keeps its signs except those of code, as it is displayed", async () => {
  const question = "> Why is **needle**\n- in `a * b`\n```py\n_c_ | d\n```\n---\n<b>?</b>";
  expect(await snippetOf(question, "needle", "user")).toBe("> Why is **«needle»** - in a * b _c_ | d --- <b>?</b>");
});

it.each(Object.entries(costlyTexts(4000)))(
  "K1 finds a snippet amid a text that is costly to read: %s",
  async (_, text) => {
    expect(await snippetOf(`${text} needle ${text}`, "needle")).toContain("«needle»");
  },
);
