/**
 * Sets the appearance settings as attributes of the root element for the style sheet: before the first paint, and after
 * a change in this or another tab. `ui/appearance/appearance.ts` has the same choices; the first value of each has no
 * attribute. The stored text is untrusted: only the values below reach the page.
 */
(() => {
  const KEY = "parley.appearance";
  const choices = {
    theme: ["system", "light", "dark"],
    contrast: ["system", "more"],
    motion: ["system", "less"],
    typeface: ["serif", "sans"],
    size: ["medium", "small", "large", "larger"],
    code: ["scroll", "wrap"],
    reasoning: ["remember", "collapse"],
    send: ["device", "enter", "mod-enter"],
  };
  const root = document.documentElement;

  const parse = (text) => {
    try {
      return Object(JSON.parse(text));
    } catch {
      return {};
    }
  };

  const apply = (text) => {
    const stored = parse(text);
    for (const [name, [usual, ...others]] of Object.entries(choices)) {
      const value = Object.hasOwn(stored, name) && others.includes(stored[name]) ? stored[name] : usual;
      if (value === usual) root.removeAttribute(`data-${name}`);
      else if (root.getAttribute(`data-${name}`) !== value) root.setAttribute(`data-${name}`, value);
    }
    const { theme } = root.dataset;
    // For the browser's own painting: the page before its style sheet, and one of the two colours of its frame.
    document.querySelector('meta[name="color-scheme"]')?.setAttribute("content", theme ?? "light dark");
    for (const colour of document.querySelectorAll("meta[data-scheme]")) {
      const { scheme } = colour.dataset;
      colour.media = !theme ? `(prefers-color-scheme: ${scheme})` : theme === scheme ? "all" : "not all";
    }
  };

  const read = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };

  apply(read());
  addEventListener("storage", ({ key }) => (key === KEY || key === null) && apply(read()));
  addEventListener(KEY, ({ detail }) => apply(detail));
})();
