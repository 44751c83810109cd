import { type ComponentProps, useEffect, useRef } from "react";

let hasShownAPage = false;

/** Records that a page without focus on its title was shown, so that the next page's title takes the focus. */
export function notePageShown(): void {
  hasShownAPage = true;
}

/**
 * First heading of a page. It takes the focus after each navigation but not at the initial load, so that a screen
 * reader announces the new page and Tab continues from its top.
 */
export function PageTitle(props: ComponentProps<"h1">) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasShownAPage) heading.current?.focus({ preventScroll: true });
    hasShownAPage = true;
  }, []);
  return <h1 ref={heading} tabIndex={-1} {...props} />;
}
