/** Texts in Chinese, Japanese and Korean, and the HTML of their paragraphs in the page and in exports. */
export const cjkTexts: readonly [markdown: string, html: string][] = [
  ["これは**「重要なこと」**です。", "これは<strong>「重要なこと」</strong>です。"],
  ["这是**我想做的事。**所以继续。", "这是<strong>我想做的事。</strong>所以继续。"],
  [
    "문서를 작성할 때 **마크다운(Markdown)**을 사용하세요.",
    "문서를 작성할 때 <strong>마크다운(Markdown)</strong>을 사용하세요.",
  ],
  ["**Markdown（マークダウン）**は便利", "<strong>Markdown（マークダウン）</strong>は便利"],
  ["**注意：**请看", "<strong>注意：</strong>请看"],
  ["*「斜体」*です", "<em>「斜体」</em>です"],
  ["~~删除的文字（带括号）。~~这个句子", "<del>删除的文字（带括号）。</del>这个句子"],
  ["~~gone~~ here", "<del>gone</del> here"],
  ["오전 9~12시, 오후 1~6시", "오전 9~12시, 오후 1~6시"],
  ["需要1~2天，最多3~5天。", "需要1~2天，最多3~5天。"],
  ["20~25°C。20~25°C", "20~25°C。20~25°C"],
  ["about (~5)~(6)", "about (~5)~(6)"],
  ["~one~ two", "~one~ two"],
];

/** Bare addresses in texts, with the links of the page: address and text. */
export const bareAddresses: readonly [markdown: string, links: readonly [url: string, text: string][]][] = [
  ["参考：https://example.com。然后", [["https://example.com/", "https://example.com"]]],
  [
    "请看https://example.com/路径，然后继续。",
    [["https://example.com/%E8%B7%AF%E5%BE%84", "https://example.com/路径"]],
  ],
  ["見 https://example.com/docs（説明）を参照", [["https://example.com/docs", "https://example.com/docs"]]],
  [
    "https://a.example，https://b.example/x。www.c.example、end",
    [
      ["https://a.example/", "https://a.example"],
      ["https://b.example/x", "https://b.example/x"],
      ["http://www.c.example/", "www.c.example"],
    ],
  ],
  ["https://example.com然后继续", [["https://example.com/", "https://example.com"]]],
  ["“https://example.com/a”と", [["https://example.com/a", "https://example.com/a"]]],
  ["https://example.com/a?b=c…等", [["https://example.com/a?b=c", "https://example.com/a?b=c"]]],
  ["https://example.com.，次", [["https://example.com/", "https://example.com"]]],
  ["https://www.bücher.example/x", [["https://www.xn--bcher-kva.example/x", "https://www.bücher.example/x"]]],
  ["https://www.abc中文.example/x", [["https://www.xn--abc-x68do18h.example/x", "https://www.abc中文.example/x"]]],
  ["See https://example.com/a?b=c. Then", [["https://example.com/a?b=c", "https://example.com/a?b=c"]]],
  ["https://例え.jp/パス。次", [["https://xn--r8jz45g.jp/%E3%83%91%E3%82%B9", "https://例え.jp/パス"]]],
];
