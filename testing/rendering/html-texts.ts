/** Texts with HTML, in the page and in exports. */
export type HtmlText = {
  name: string;
  text: string;
  /** Elements that the rendered text has, as selectors. */
  has?: readonly string[];
  /** Words of the rendered text, without white space between them. */
  words: string;
};

/** Answers that begin with an element: HTML. */
export const htmlAnswers: readonly HtmlText[] = [
  ...(
    [
      ["p", "<p>Hello</p>"],
      ["span", "<span>Hello</span>"],
      ["blockquote", "<blockquote>Hello</blockquote>"],
      ["section", "<section>Hello</section>"],
      ["li", "<li>Hello</li>"],
      ["code", "<code>Hello</code>"],
      ["pre", "<pre>Hello</pre>"],
      ["b", "\n  <b>Hello</b>"],
      ["a", '<a href="https://a.example/">Hello</a>'],
      ["hr", "<hr>Hello"],
      ["dl dd", "<dl><dd>Hello</dd></dl>"],
      ["figure figcaption", "<figure><figcaption>Hello</figcaption></figure>"],
    ] as const
  ).map(([has, text]) => ({ name: has, text, has: [has], words: "Hello" })),
  {
    name: "a whole page of elements",
    text: '<h1 align="center">Title</h1>\n<p>**not bold**</p>\n\n    <ol start="3"><li>x</li></ol><pre><code>a\n  b</code></pre>',
    has: ['h1[align="center"]', "ol > li", "pre"],
    words: "Title**notbold**xab",
  },
  {
    name: "names that are no elements",
    text: "<p>A Map<K, V> and <placeholder>, </placeholder> <my-id> stay.</p>",
    has: ["p"],
    words: "AMap<K,V>and<placeholder>,</placeholder><my-id>stay.",
  },
  { name: "old elements", text: "<center>Hello</center>", has: ['div[align="center"]'], words: "Hello" },
];

/** Answers that begin with words or Markdown: HTML within Markdown. */
export const htmlInMarkdown: readonly HtmlText[] = [
  {
    name: "a block between Markdown",
    text: '## Title\n\n<div align="center">\n\n**bold** and *more*\n\n</div>\n\n- one\n- two\n\n`<id>` and Map<K, V> and <placeholder>',
    has: ["h2", 'div[align="center"] strong', "li", "code"],
    words: "Titleboldandmoreonetwo<id>andMap<K,V>and<placeholder>",
  },
  {
    name: "elements within words",
    text: 'Words <span title="t">in *a* span</span>, <kbd>K</kbd>, H<sub>2</sub>O<br>and <a href="https://a.example/">a link</a>.',
    has: ["p span em", "kbd", "sub", "br", 'a[href="https://a.example/"]'],
    words: "Wordsinaspan,K,H2Oandalink.",
  },
  {
    name: "a table of HTML",
    text: 'Look:\n\n<table>\n<tr><th colspan="2">Head</th></tr>\n<tr><td>1<td>&eacute; &lt;b&gt;\n</table>\n\n**End**',
    has: ["table tr th[colspan]", "td + td", "strong"],
    words: "Head1é<b>End".replace("Head", "Look:Head"),
  },
  {
    name: "omitted end tags",
    text: "Lists:\n\n<ul>\n<li>one\n<li>two\n</ul>\n\n<p>three\n<p>four",
    has: ["ul > li + li", "p + p"],
    words: "Lists:onetwothreefour",
  },
  {
    name: "a block within a line",
    text: "Hello <div>you</div> there **now**",
    has: ["p", "div", "strong"],
    words: "Helloyoutherenow",
  },
  {
    name: "an end tag behind words",
    text: "# A\n\n<div>\n\nWords **so**.</div>\n\nAfter.",
    has: ["div p strong"],
    words: "AWordsso.After.",
  },
  { name: "a tag without its end", text: "Use <div> and <b> for it, or </p>.", words: "Use<div>and<b>forit,or</p>." },
  {
    name: "names on lines of their own",
    text: "Fill in:\n\n<placeholder>\n\n## Next\n\n<your name>\n- **one**",
    has: ["h2", "li strong"],
    words: "Fillin:<placeholder>Next<yourname>one",
  },
  {
    name: "elements that no answer has",
    text: "The <script> element, <button>a button</button> and <title>.",
    words: "The<script>element,<button>abutton</button>and<title>.",
  },
  {
    name: "preformatted text",
    text: 'So:\n\n<pre><code class="language-js">\nlet a;\n\n  a **= 2;\n</code></pre>\n\nEnd',
    has: ["pre code"],
    words: "So:leta;a**=2;End",
  },
  {
    name: "a list in a cell",
    text: "| a | b |\n|---|---|\n| <ul><li>x</li><li>**y**</li></ul> | <br> z |",
    has: ["td ul > li + li strong"],
    words: "abxyz",
  },
  {
    name: "types of a programming language",
    text: "`Map<K, V>`, List<T>, Promise<string | null>, vector<int>, a < b and c > d, x<y, <T extends Foo>",
    has: ["code"],
    words: "Map<K,V>,List<T>,Promise<string|null>,vector<int>,a<bandc>d,x<y,<TextendsFoo>",
  },
  {
    name: "a disclosure first",
    text: "<details><summary>Why</summary>\n\n**so** <p>then</p>\n\n</details>\n\n# End",
    has: ["details summary", "details strong", "details p", "h1"],
    words: "WhysothenEnd",
  },
  {
    name: "a comment",
    text: "One <!-- two --> three.\n\n<!-- four\n\nfive -->\n\n*six*",
    has: ["em"],
    words: "Onethree.six",
  },
  {
    name: "centred words",
    text: "Words.\n\n<center>middle</center>\n\n<p align=right>right</p>",
    has: ['div[align="center"]', 'p[align="right"]'],
    words: "Words.middleright",
  },
  {
    name: "a block within a paragraph",
    text: "a <b>b <div>c</div> d</b> e\n\n<p>f <span>g<ul><li>h</ul></span> i</p>",
    words: "abcdefghi",
  },
  { name: "a table within a paragraph", text: "<p>a <b>b<table><tr><td>c</table></b></p>", has: ["td"], words: "abc" },
  { name: "a row within a link of a table", text: "<table><a>\n<tr><td>c", has: ["table td"], words: "c" },
  { name: "words between rows", text: "x\n\n<table>a<tr>b<td>c</td></tr></table>", has: ["td"], words: "xabc" },
  { name: "a cell without a row", text: "x <table><td>a</table>", has: ["tr > td"], words: "xa" },
  { name: "a heading within a heading", text: "x\n\n<h2>a<h3>b</h3></h2>", words: "xab" },
  {
    name: "code within a link",
    text: 'x\n\n<a href="https://a.example">a<pre>b</pre>c</a>',
    has: ["pre"],
    words: "xabc",
  },
  { name: "an item within an item", text: "x\n\n<ul><li>a <b><li>b</b></ul>", has: ["li"], words: "xab" },
  { name: "attributes without values", text: "<a href>a</a> x <p dir title>b</p>", words: "axb" },
];
