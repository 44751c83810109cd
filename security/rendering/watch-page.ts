/**
 * Runs in the page before its own scripts, and checks every mutation of the document, including short-lived ones. Must
 * be self-contained, because its source text is sent to the browser. Replies have no buttons of their own, but beside
 * code, and in the lines of thoughts and calls between their texts.
 */
export function watchPage(): void {
  const report = (finding: string) => {
    const teller: unknown = Reflect.get(window, "tellFinding");
    if (typeof teller === "function") void teller(finding);
  };
  for (const name of ["alert", "confirm", "prompt", "print", "open"]) {
    Object.defineProperty(window, name, { configurable: false, value: () => report(`${name} was called`) });
  }
  const words = (text: string) => new Set(text.split(" "));
  const inReply = words(
    "div p h1 h2 h3 h4 h5 h6 section blockquote pre hr br figure figcaption details summary ul ol li dl dt dd table caption " +
      "colgroup col thead tbody tfoot tr th td a span strong b em i u s del ins mark small sub sup code kbd samp var q " +
      "cite abbr dfn time bdi bdo wbr ruby rt rp input button svg path line rect polyline circle",
  );
  /** Elements that must not occur anywhere in the page. */
  const nowhere = words(
    "iframe frame frameset object embed applet base portal fencedframe webview video audio source track picture " +
      "marquee math template noscript style script link meta",
  );
  const own = location.origin;

  const isOurs = (element: Element) => {
    const address = element.getAttribute("href") ?? element.getAttribute("src");
    if (element.closest(".katex")) return element.localName === "math";
    if (element.localName === "noscript") return element.childElementCount === 0;
    if (element.localName === "meta")
      return element.parentElement === document.head && !element.hasAttribute("http-equiv");
    return address !== null && new URL(address, own).origin === own && new URL(address, own).pathname !== "/";
  };
  const linkProblem = (link: Element) => {
    const href = link.getAttribute("href");
    if (href === null) return null;
    if (/^#[\w-]+-fn(ref)?-/.test(href)) return link.hasAttribute("target") ? "a footnote's link with a target" : null;
    if (!/^(https?:|mailto:)/.test(href)) return "a link that is not http, https or mailto";
    if (link.getAttribute("target") !== "_blank") return "a link in the same tab";
    return link.getAttribute("rel") === "noopener noreferrer nofollow" ? null : "a link with an opener";
  };
  const attributeProblem = (element: Element, name: string, value: string) => {
    if (/^(on|xlink:|src|srcset|srcdoc|action|formaction|ping|poster|background|data$|name$|is$|popover)/.test(name))
      return name;
    if (name === "id" && !/-fn(ref)?-/.test(value)) return "an id of its own";
    if (name !== "style" || element.closest(".katex")) return null;
    // Diagrams have a space that our page keeps for them.
    const isSpace = element.matches("[data-language=mermaid] > *") && /^height: [\d.]+px;$/.test(value);
    return isSpace || /^color: var\(--code-\w+\);?$/.test(value) ? null : "a style of its own";
  };
  const problemOf = (element: Element): string | null => {
    if (element.matches(".reply-diagram > iframe[sandbox=allow-scripts][src='/sandbox/diagram.html']")) return null;
    if (nowhere.has(element.localName) && !isOurs(element)) return "an element that loads or runs";
    for (const { name } of element.attributes) if (name.startsWith("on")) return "a handler";
    if (!element.closest(".reply")) return null;
    if (!element.closest(".katex") && !inReply.has(element.localName)) return "an element that no reply may hold";
    if (element.localName === "input" && !element.matches("[type=checkbox][disabled]")) return "an input";
    if (element.matches("button:not(.reply-code *, .part-line > .reasoning-button)")) return "a button";
    for (const { name, value } of element.attributes) {
      const problem = attributeProblem(element, name, value);
      if (problem !== null) return problem;
    }
    return element.localName === "a" ? linkProblem(element) : null;
  };
  const check = (element: Element) => {
    const problem = problemOf(element);
    if (problem !== null) report(`${problem}: ${element.outerHTML.slice(0, 200)}`);
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "attributes" && target instanceof Element) check(target);
      for (const node of addedNodes)
        for (const element of node instanceof Element ? [node, ...node.querySelectorAll("*")] : []) check(element);
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });
}
