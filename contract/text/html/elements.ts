/** The HTML elements of answers, in the page and in exports. */

import { oldElements } from "./old-elements.ts";

const words = (names: string) => names.split(" ");

export const blockElements: ReadonlySet<string> = new Set(
  words(
    "h1 h2 h3 h4 h5 h6 p div section blockquote pre hr figure figcaption details summary ul ol li dl dt dd " +
      "table caption colgroup col thead tbody tfoot tr th td",
  ),
);

export const inlineElements: ReadonlySet<string> = new Set(
  words(
    "a img br span strong b em i u s del ins mark small sub sup code kbd samp var q cite abbr dfn time bdi bdo wbr " +
      "ruby rt rp",
  ),
);

/** Allow-list of the sanitisers. None of these elements runs code, loads a resource, covers the page or takes input. */
export const answerElements: readonly string[] = [...blockElements, ...inlineElements];

export const voidElements: ReadonlySet<string> = new Set(["img", "br", "hr", "wbr", "col"]);

/** Elements that have a meaning only in a table. */
export const tableElements: ReadonlySet<string> = new Set(words("caption colgroup col thead tbody tfoot tr th td"));

type Attribute = string | [name: string, ...values: (string | RegExp)[]];

const align: Attribute = ["align", "left", "center", "right", "justify"];
const aligned = Object.fromEntries(words("h1 h2 h3 h4 h5 h6 p div").map((name) => [name, [align]]));
const cell: Attribute[] = ["align", "colSpan", "rowSpan", "scope"];

/** Allowed attributes of {@link answerElements}, as properties of hast; with their values if only some are allowed. */
export const answerAttributes: Record<string, Attribute[]> = {
  ...aligned,
  a: ["href"],
  code: [["className", /^language-/]],
  col: ["span"],
  colgroup: ["span"],
  details: ["open"],
  img: ["src", "alt"],
  li: ["value"],
  ol: ["start", "reversed"],
  td: cell,
  th: cell,
  time: ["dateTime"],
  "*": ["dir", "lang", "title"],
};

/** Elements with an ancestor that they need. */
export const answerAncestors: Record<string, string[]> = Object.fromEntries(
  words("caption tbody td tfoot th thead tr").map((name) => [name, ["table"]]),
);

/** Elements that are removed with their content, which is not text of the answer. */
export const droppedElements: readonly string[] = words(
  "script style template noscript iframe object svg math title textarea select",
);

/** Elements of HTML that an answer does not have. */
const otherElements = words(
  "html head body title base link meta style script noscript template slot address article aside footer header " +
    "hgroup main nav search menu data area map iframe embed object param picture source audio video track svg math " +
    "canvas form button fieldset legend label input select option optgroup datalist textarea output progress meter " +
    "dialog acronym applet basefont dir frame frameset noframes marquee blink nobr noembed plaintext xmp isindex " +
    "keygen menuitem",
);

/** Elements that Markdown may contain. */
export const markdownElements: ReadonlySet<string> = new Set([...answerElements, ...oldElements.keys()]);

/** All names of HTML elements. Other names in angle brackets are text, such as `Map<K, V>`. */
export const allElements: ReadonlySet<string> = new Set([...markdownElements, ...otherElements]);
