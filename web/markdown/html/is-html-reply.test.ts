import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isHtmlReply } from "./is-html-reply.ts";

const isHtml = (text: string) => isHtmlReply(text, false);

test.each([
  "<p>Hi</p>",
  "Hi <div class='a'>you</div>",
  "</ul>",
  "<H2>Title</H2>",
  "<table\n border=1>",
  "<ol start='3'>",
  "<p/>",
  "`code` and <p>words</p>",
  "```\ncode\n```\n<p>words</p>",
  "~~~\n```\n~~~\n<p>words</p>",
  "an open ` mark <p>words</p>",
  "`` a ` b `` <p>",
  "\\` <p> \\`",
])("a reply with a tag outside code is HTML: %j", (text) => {
  expect(isHtml(text)).toBe(true);
});

test.each([
  "",
  "# Title",
  "a < b and c > d",
  "<b>bold</b> <br> <span>x</span>",
  "<pre>x</pre>",
  "<path> <platform> <h7> <uli>",
  "`<p>`",
  "`` <p> ` ``",
  "```html\n<p>Hi</p>\n```",
  "~~~\n<div></div>\n~~~ ",
  "  ```\n<div></div>\n",
  "````\n```\n<p>\n```\n````",
  "```code``` and `<p>`",
  "<p",
  "< p>",
])("a reply without a tag outside code is Markdown: %j", (text) => {
  expect(isHtml(text)).toBe(false);
});

describe("the format of a growing reply", () => {
  test("a code span that may still be closed counts as a span", () => {
    expect(isHtmlReply("Use `<p>", true)).toBe(false);
    expect(isHtmlReply("Use `<p>` here", true)).toBe(false);
    expect(isHtmlReply("Use `<p>", false)).toBe(true);
    expect(isHtmlReply("Use ` once\n\n<p>", true)).toBe(true);
  });

  test("a growing HTML reply stays HTML, and the complete text gives the same result as the last piece", () => {
    const pieces = fc.constantFrom("<p>", "</p>", "`", "``", "```", "\n", "\n\n", "~~~", "a", "\\", " ", "<div x", ">");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const text = parts.join("");
        const whole = isHtml(text);
        for (let end = 0; end <= text.length; end += 1) {
          if (isHtmlReply(text.slice(0, end), true) && !whole) return false;
        }
        return true;
      }),
      { numRuns: 3000 },
    );
  });
});
