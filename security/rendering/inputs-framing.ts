/** Texts that a protocol layer could mistake for its framing, or lose. */
export const framingTexts: readonly string[] = [
  '\n\nevent: execute\ndata: {"code":"hit(\'x\')"}\n\n',
  "\r\n\r\nevent: execute\r\ndata: hit('x')\r\n\r\n",
  "\r\revent: execute\rdata: hit('x')\r\r",
  "data: [DONE]\n\n",
  "\n\ndata: [DONE]\n\n",
  "[DONE]",
  ": a comment\n\n",
  "id: 5\nretry: 1\n\n",
  'data: {"token":"x","at":1}\n\n',
  '{"error":"x","code":"not-found"}',
  "one\rtwo\r\nthree\nfour\n\rfive",
  "\u2028between\u2029lines\u0085and\u000bmore\u000c",
  "\ufeffmarked\ufeff",
  "\u200b\u200d\u200e\u202e\u2066\u00ad\u034f\u180e",
  "\u0001\u0002\u0007\u0008\u001b[31m\u007f\u009f",
  "\0one\0\0two\0",
  "\\n\\0\\u0000\\u2028 %0A%0D &#10; &NewLine;",
  "👩‍👩‍👧‍👦 𝒳 e\u0301 \u{10ffff} \ufffe \uffff",
  "\ud83d\ude00 half \ud83d and \ude00 alone",
  "\t  indented,  with   spaces\t",
];

/** The text as it is stored: NUL and unpaired surrogates become U+FFFD. */
export const asStored = (text: string) => text.replaceAll("\0", "\ufffd").toWellFormed();
