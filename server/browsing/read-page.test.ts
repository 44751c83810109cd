import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disposeAfterAll } from "../../testing/app/dispose-after-all.ts";
import { guardOf } from "../../testing/browsing/guarded.ts";
import { startWebServer, type WebServer } from "../../testing/browsing/web-server.ts";
import { bufferSource } from "../../testing/files/buffer-source.ts";
import { pdfOf } from "../../testing/files/pdf-files.ts";
import { DocumentReader } from "../files/documents/read-document.ts";
import type { PageParserSettings } from "./page-parser.ts";
import { PageReader, type PageReaderDeps } from "./read-page.ts";

const NOW = Date.UTC(2026, 4, 2, 10);
const flow = { network: "10.0.0.8", account: "ada" };
const WORDS = "Red pandas eat bamboo, and sleep in trees. ";
const PARAGRAPH = `<p>${WORDS.repeat(10)}</p>`;

const readerOf = (deps: Partial<PageReaderDeps> = {}, settings: Partial<PageParserSettings> = {}) =>
  new PageReader({ guard: guardOf(), clock: { now: () => NOW }, ...deps }, settings);
const reader = disposeAfterAll(readerOf());

let web: WebServer;
beforeEach(async () => {
  web = await startWebServer();
});
afterEach(() => web[Symbol.asyncDispose]());

/** Reads a page with these bytes. */
function read(body: string | Uint8Array, type = "text/html; charset=utf-8", by = reader) {
  web.answers.set("/page", { headers: { "content-type": type }, body });
  return by.read(web.url("/page"), { flow });
}

/** Returns the code of the failure of a page, or `none`. */
const codeOf = (page: Promise<unknown>) =>
  page.then(
    () => "none",
    (error: { code?: string }) => error.code,
  );

describe("a page of HTML", () => {
  it("a page is read as the text of its article, with its address after redirects", async () => {
    const head = `<title>Red pandas – Zoo</title><meta property="og:site_name" content="The Zoo">`;
    const around = [
      "<nav><a href=/>Home</a></nav>",
      "<script>alert(1)</script><style>p{}</style><footer>Imprint</footer>",
    ];
    const article = `<article><h1>Red pandas</h1>${PARAGRAPH}${PARAGRAPH}</article>`;
    const body = `<html><head>${head}</head><body>${around[0]}${article}${around[1]}</body></html>`;
    web.answers.set("/pandas", { body });
    web.answers.set("/old", { status: 301, headers: { location: "/pandas#food" } });
    const page = await reader.read(web.url("/old"), { flow });
    expect(page).toEqual({
      ...{ url: web.url("/pandas"), siteName: "The Zoo", fetchedAt: NOW, isCut: false },
      title: expect.stringMatching(/^Red pandas/),
      text: expect.stringContaining(WORDS.repeat(10).trim()),
    });
    expect(page.text).not.toMatch(/alert|p\{\}|Home|Imprint/);
  });

  it("a page keeps headings, lists, tables, line breaks and code", async () => {
    const lists = "<ul><li>One<li>Two <b>bold</b></li></ul><ol><li>First</ol>";
    const table = "<table><tr><th>Animal<th>Food</tr><tr><td>Panda</td> <td>Bamboo</table>";
    const code = "<pre>if (a) {\n    b;\n}</pre>";
    const body = `<article><h2>Facts</h2>${lists}${table}<p>A<br>B   \n C</p>${code}${PARAGRAPH}${PARAGRAPH}</article>`;
    const { text } = await read(`<html><body>${body}</body></html>`);
    const expected =
      "- One\n- Two bold\n1. First\nAnimal | Food\nPanda | Bamboo\nA\nB C\nif (a) {\n    b;\n}\nRed pandas eat";
    expect(text).toContain(expected);
    expect(text).toMatch(/^#+ Facts\n/);
  });

  it.each([
    ["<h1>Hi</h1><div>Just a line</div>", "page", "# Hi\nJust a line"],
    ["<title>T</title>no body", "T", "no body"],
    ["<!doctype html><title>T</title><p>a<p>b", "T", "a\nb"],
    ["<html><head><title>T</title></head>a<p>b</p></html>", "T", "a\nb"],
    ["<!doctype html>\n<!-- c --><title>T</title><body class=x>a", "T", "a"],
    ["only words", "page", "only words"],
    ["<ul><li>a<li>b</ul>", "page", "- a\n- b"],
  ])("reads %j without an article as its whole body", async (html, title, text) => {
    expect(await read(html)).toMatchObject({ title, text });
  });

  it.each([
    "",
    "<html></html>",
    "<body><script>fill()</script><noscript>No script</noscript></body>",
    "<!-- a -->",
    "<br>",
  ])("reports that %j has no text", async (html) => expect(await codeOf(read(html))).toBe("no-text"));

  it("a page has well-formed text, title and site", async () => {
    const html = "<title>a&#xD800;b&#0;\n c</title><body>x&#xDFFF;y\0z</body>";
    const page = await read(html);
    for (const text of [page.title, page.text])
      expect([text.isWellFormed(), text.includes("\0")]).toEqual([true, false]);
  });

  it.each([
    ["text/html; charset=iso-8859-1", Buffer.from("<p>caf\u00e9</p>", "latin1"), "café"],
    ['text/html; charset="Shift_JIS"', Buffer.from("3c703e93fa967b3c2f703e", "hex"), "日本"],
    ["text/html", Buffer.concat([Buffer.from('<meta charset="gbk"><p>'), Buffer.from("d6d0cec4", "hex")]), "中文"],
    ["text/html", Buffer.from('<meta http-equiv=x content="text/html; charset=iso-8859-2">\u00b1', "latin1"), "ą"],
    ["text/html; charset=unknown", Buffer.from("<p>日本</p>"), "日本"],
    ["text/html", Buffer.from("<p>caf\u00e9</p>", "latin1"), "café"],
    ["text/html; charset=iso-8859-1", Buffer.from("\uFEFF<p>日本</p>"), "日本"],
    ["text/html", Buffer.from("\uFEFF<p>日本</p>", "utf16le"), "日本"],
    ["text/html", Buffer.from('<meta charset="utf-16"><p>日本</p>'), "日本"],
  ])("a page is decoded with %s by its mark, header, meta or bytes", async (type, bytes, text) => {
    expect((await read(bytes, type)).text).toBe(text);
  });

  it("a page is cut at 100,000 characters", async () => {
    const page = await read(`<article><p>${"😀".repeat(60_000)}</p></article>`);
    expect([page.text.length, page.isCut, page.text.isWellFormed()]).toEqual([100_000, true, true]);
    const odd = await read(`<article><p>a${"😀".repeat(60_000)}</p></article>`);
    expect([odd.text.length, odd.text.isWellFormed()]).toEqual([99_999, true]);
  });

  it("I2 reading a page requests nothing that the page names, and runs no script", async () => {
    const loading = ["<img src=/img>", "<link rel=stylesheet href=/css>", "<iframe src=/frame></iframe>"];
    const scripts = [
      "<script src=/js></script>",
      "<script>document.title = 'ran'</script>",
      "<meta http-equiv=refresh content='0;/next'>",
    ];
    const { title } = await read(
      `<title>Still</title><body onload="document.title='ran'">${loading.join("")}${scripts.join("")}Text`,
    );
    expect(title).toBe("Still");
    expect(web.requests.map(({ path }) => path)).toEqual(["/page"]);
  });
});

describe("other types", () => {
  it.each(["text/plain", "text/markdown; charset=utf-8", "Text/X-Markdown"])(
    "a page of type %s is read as it is",
    async (type) => {
      const text = "# Title\n\n  <b>not markup</b> &amp;";
      expect(await read(`\n${text}\n`, type)).toEqual({
        ...{ url: web.url("/page"), title: "page", text, fetchedAt: NOW, isCut: false },
      });
    },
  );

  it("a plain text is cut at 100,000 characters, also between the bytes of one", async () => {
    for (const body of ["日".repeat(200_000), "é".repeat(200_000), "a".repeat(100_001)]) {
      const page = await read(body, "text/plain");
      expect([page.text.length, page.isCut, page.text.includes("\uFFFD")]).toEqual([100_000, true, false]);
    }
    expect(await read("日".repeat(100_000), "text/plain")).toMatchObject({ isCut: false });
  });

  it("a PDF is read where a reader for it is given, and refused otherwise", async () => {
    await using documents = new DocumentReader();
    const readPdf: PageReaderDeps["readPdf"] = (bytes, signal) =>
      documents.read(bufferSource(Buffer.from(bytes)), "application/pdf", signal);
    await using reading = readerOf({ readPdf });
    web.answers.set("/a%20b.pdf", { headers: { "content-type": "application/pdf" }, body: pdfOf("Fine") });
    const address = web.url("/a%20b.pdf");
    expect(await reading.read(address, { flow })).toMatchObject({
      url: address,
      title: "a b.pdf",
      text: "Fine",
      isCut: false,
    });
    expect(await codeOf(read("no PDF", "application/pdf", reading))).toBe("no-text");
    expect(await codeOf(reader.read(address, { flow }))).toBe("wrong-type");
  });

  it.each(["image/png", "image/svg+xml", "application/json", "application/octet-stream", "video/mp4", ""])(
    "refuses the type %j",
    async (type) => expect(await codeOf(read("Text", type))).toBe("wrong-type"),
  );
});

describe("failures", () => {
  it("a page that cannot be requested is reported by the code of the guard", async () => {
    expect(await codeOf(reader.read("http://169.254.169.254/", { flow }))).toBe("not-public");
    expect(await codeOf(reader.read(web.url("/", "inner.test"), { flow }))).toBe("not-public");
    expect(await codeOf(reader.read("file:///etc/passwd", { flow }))).toBe("bad-address");
    await expect(reader.read(web.url("/missing"), { flow })).rejects.toMatchObject({
      name: "PageFailure",
      status: 404,
    });
    await expect(reader.read("http://unknown.test", { flow })).rejects.toMatchObject({
      code: "unreachable",
      reason: "name",
    });
    expect(await codeOf(read(Buffer.alloc(2 * 1024 * 1024 + 1, "a"), "text/plain"))).toBe("too-large");
    const headers = { "content-type": "text/html", "content-encoding": "gzip" };
    web.answers.set("/bomb", { headers, body: gzipSync(Buffer.alloc(50_000_000, "a")) });
    expect(await codeOf(reader.read(web.url("/bomb"), { flow }))).toBe("too-large");
  });

  it("a signal ends the reading of a page with its reason, also while the page is parsed", async () => {
    const leaving = new AbortController();
    web.answers.set("/page", { body: "<p>".repeat(600_000) });
    const reading = reader.read(web.url("/page"), { flow, signal: leaving.signal });
    const isRefused = expect(reading).rejects.toThrow("Gone");
    await expect.poll(() => web.requests.length).toBe(1);
    leaving.abort(new Error("Gone"));
    await isRefused;
    expect(await read("Next")).toMatchObject({ text: "Next" });
  });

  it("a closed reader of pages is unavailable", async () => {
    const closing = readerOf();
    await closing[Symbol.asyncDispose]();
    expect(await codeOf(read("Text", "text/html", closing))).toBe("unavailable");
  });

  it("the process of pages starts again after idle time", async () => {
    await using resting = readerOf({}, { idleMs: 0 });
    for (const text of ["one", "two", "three"]) expect(await read(text, "text/html", resting)).toMatchObject({ text });
  });
});

describe("M4 hostile pages", () => {
  const limited = disposeAfterAll(readerOf({}, { timeoutMs: 3000 }));
  const SIZE = 2 * 1024 * 1024;
  /** Fills a page with one piece. */
  const full = (piece: string, before = "") => before + piece.repeat(Math.floor((SIZE - before.length) / piece.length));
  const PAGES: [string, string][] = [
    ["deep nesting", "<div>".repeat(10_000)],
    ["one tag", full("<p>")],
    ["nested formatting", full("<b>x")],
    ["tables in tables", full("<table><tr><td>")],
  ];
  const OTHERS: [string, string][] = [
    ["entities", full("&nbsp;&#x41;", "<p>")],
    ["attributes", full("a=1 ", "<p ")],
    ["open brackets", full("<")],
    ["an open comment", full("<!-- -", "<p>Text")],
    ["metadata in JSON", full("[", '<p>Text</p><script type="application/ld+json">')],
    ["classes", full("<p class='article-body comment hidden'>x, y</p>")],
  ];

  it.each(PAGES)(
    "M4 a page with %s ends within its limits as too complex, and the next one is read",
    async (_, html) => {
      expect(await codeOf(read(html, "text/html", limited))).toBe("too-complex");
      expect(await read("Next", "text/html", limited)).toMatchObject({ text: "Next" });
    },
  );

  it.each(OTHERS)("M4 a page with %s ends within its limits, and the next one is read", async (_, html) => {
    expect(await codeOf(read(html, "text/html", limited))).toBeOneOf(["none", "too-complex", "no-text"]);
    expect(await read("Next", "text/html", limited)).toMatchObject({ text: "Next" });
  });

  it("M4 a page that takes more memory than it may is too complex, and the next one is read", async () => {
    await using small = readerOf({}, { maxHeapMb: 32 });
    expect(await codeOf(read("<p>x".repeat(90_000), "text/html", small))).toBe("too-complex");
    expect(await read("Next", "text/html", small)).toMatchObject({ text: "Next" });
  });
});
