import { expect, test } from "vitest";
import { isHtmlAnswer } from "./html-answer.ts";

test.each([
  ...["<p>Hi</p>", "<span>x</span>", "\n <b>x", "<P\n class='>'>x", "<br/>x", "<img src=x>", "<ol start='3'>"],
  ...["<pre>", "<a href=x>", "<li>x", "<hr>", "<code>x</code>", "<H2>", "<div\n>", "<section>x"],
])("an answer that begins with an element is HTML: %j", (text) => {
  expect(isHtmlAnswer(text)).toBe(true);
});

test.each([
  ...["", "<p", "< p>", "</p>", "<path>", "<platform>", "<script>x</script>", "<!-- a --><p>", "`<p>`", "<K, V>"],
  ...["# a\n<p>b</p>", "a <div>b</div>", "<details><summary>a</summary>\n\n**b**</details>", "<https://a.example>"],
])("an answer that begins otherwise is Markdown: %j", (text) => {
  expect(isHtmlAnswer(text)).toBe(false);
});

test("a long beginning is read in linear time", () => {
  expect(isHtmlAnswer(`${" ".repeat(500_000)}<p ${'a="'.repeat(100_000)}`)).toBe(false);
});
