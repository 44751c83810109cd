import { describe, expect, it } from "vitest";
import { HtmlRenderer, plainHtml } from "./html-renderer.ts";

it("renders a message over 100,000 characters as plain text", async () => {
  await using renderer = new HtmlRenderer(new AbortController().signal);
  expect((await renderer.render(`**a** ${"b".repeat(100_000)}`)).join("")).toMatch(/^<pre class="plain">\*\*a\*\* b/);
  expect(await renderer.render("**a**")).toEqual(["<p><strong>a</strong></p>"]);
});

/** References to one long address: HTML of `count` times its length, which is joined into one string. */
const manyReferences = (count: number) => `文 ${"[a] ".repeat(count)}\n\n[a]: https://a.example/${"x".repeat(40_000)}`;

describe("K1 M4 texts whose HTML is a thousand times as long", () => {
  it("a text that makes V8 abort ends its render process only, and the next text is rendered", async () => {
    await using renderer = new HtmlRenderer(new AbortController().signal, { maxHeapMb: 64, messageMs: 60_000 });
    const text = manyReferences(300);
    expect(await renderer.render(text)).toEqual([await plainHtml(text)]);
    expect(await renderer.render("**next**")).toEqual(["<p><strong>next</strong></p>"]);
  });

  it("a text above the limit of HTML is plain text, and stays in its render process", async () => {
    await using renderer = new HtmlRenderer(new AbortController().signal);
    const text = manyReferences(110);
    expect(await renderer.render(text)).toEqual([await plainHtml(text)]);
    expect((await renderer.render(manyReferences(20))).join("")).toMatch(/^<p>文 <a href/);
  });

  it("rendering ends when its client has left", async () => {
    const leaving = new AbortController();
    await using renderer = new HtmlRenderer(leaving.signal);
    const rendering = renderer.render(manyReferences(1000));
    leaving.abort(new Error("Gone"));
    await expect(rendering).rejects.toThrow("Gone");
  });
});
