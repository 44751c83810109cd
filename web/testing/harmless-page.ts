/** For tests: allow-list of the elements and attributes of a rendered reply. */

const harmless = new Set(
  (
    "div p h1 h2 h3 h4 h5 h6 section blockquote pre hr br figure figcaption details summary ul ol li dl dt dd table caption " +
    "colgroup col thead tbody tfoot tr th td a span strong b em i u s del ins mark small sub sup code kbd samp var q cite " +
    "abbr dfn time bdi bdo wbr ruby rt rp input button svg path line rect polyline circle"
  ).split(" "),
);

/** Returns the elements that execute, load, mislead or take input; `prefix` is the required prefix of ids. */
export function problemsOf(page: Element, prefix: string): string[] {
  return [...page.querySelectorAll("*")].flatMap((element) => {
    if (element.closest(".katex")) return [];
    const problem = problemOf(element, prefix);
    return problem === null ? [] : [`${problem}: ${element.outerHTML.slice(0, 200)}`];
  });
}

function problemOf(element: Element, prefix: string): string | null {
  const name = element.localName;
  if (!harmless.has(name)) return "an element that no reply may hold";
  for (const attribute of element.attributes) {
    const problem = attributeProblem(attribute, element, prefix);
    if (problem !== null) return problem;
  }
  if (name === "a" && !element.getAttribute("href")?.startsWith("#")) {
    const isGuarded = element.getAttribute("rel") === "noopener noreferrer nofollow";
    if (!isGuarded || element.getAttribute("target") !== "_blank") return "a link with an opener";
  }
  if (name === "input" && !element.matches("[type=checkbox][disabled]")) return "an input";
  return name === "button" && !element.closest(".reply-code") ? "a button" : null;
}

function attributeProblem({ name, value }: Attr, element: Element, prefix: string): string | null {
  if (/^on|^(?:src|srcset|srcdoc|action|formaction|ping|poster|background|data|name)$/.test(name)) return name;
  if (name === "style") {
    const isColour = element.closest(".reply-code") && /^color: ?var\(--code-\w+\);?$/.test(value);
    // Until a diagram is drawn, the page reserves its space: the height is a number of its own.
    const isSpace = element.matches("[data-language=mermaid] > *") && /^height: [\d.]+px;$/.test(value);
    if (!isColour && !isSpace) return name;
  }
  if (name === "id" && !value.startsWith(`${prefix}-`)) return "an id without its prefix";
  if (name === "href" && !/^(?:https?:|mailto:)/.test(value) && !value.startsWith(`#${prefix}-`)) return "a link";
  return null;
}
