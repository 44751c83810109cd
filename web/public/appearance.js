/**
 * Puts what the person chose in the settings on the root element, where the style sheet looks for it: before the first
 * paint, when another tab chooses, and when this page does (`ui/appearance.ts`, which knows the choices too; the first
 * of each is the one without an attribute). What was kept is not believed: only these words get onto the page.
 */
(() => {
  const KEY = "parley.appearance";
  const choices = {
    theme: ["system", "light", "dark"],
    contrast: ["system", "more"],
    motion: ["system", "less"],
    typeface: ["sans", "serif"],
    size: ["medium", "small", "large", "larger"],
    code: ["scroll", "wrap"],
    send: ["enter", "mod-enter"],
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
    const kept = parse(text);
    for (const [name, [usual, ...others]] of Object.entries(choices)) {
      const value = Object.hasOwn(kept, name) && others.includes(kept[name]) ? kept[name] : usual;
      if (value === usual) root.removeAttribute(`data-${name}`);
      else if (root.getAttribute(`data-${name}`) !== value) root.setAttribute(`data-${name}`, value);
    }
    const { theme } = root.dataset;
    // What the browser paints by itself: the page before its style sheet, and of the two colours for its frame one.
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
