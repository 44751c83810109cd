import { useEffect } from "react";

/**
 * Replaces the package react-style-singleton (an alias in vite.config.ts), which Radix's dialogs and menus use to lock
 * scrolling. The package appends a <style> element, which the Content Security Policy forbids; a constructed style
 * sheet is allowed. Same contract: the first mounted sheet adds its styles, the last unmounted one removes them.
 */
export function styleSingleton() {
  const sheet = sharedSheet();
  // biome-ignore lint/correctness/noComponentHookFactories: the package's shape, made once per module
  return function Sheet({ styles, dynamic = false }: { styles: string; dynamic?: boolean }) {
    // biome-ignore lint/correctness/useExhaustiveDependencies: styles are read at mounting, later only if dynamic
    useEffect(() => {
      sheet.add(styles);
      return sheet.remove;
    }, [dynamic && styles]);
    return null;
  };
}

function sharedSheet() {
  let users = 0;
  let sheet: CSSStyleSheet | undefined;
  return {
    add(styles: string) {
      users += 1;
      if (users > 1) return;
      sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
      document.adoptedStyleSheets.push(sheet);
    },
    remove() {
      users -= 1;
      if (users > 0) return;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    },
  };
}
