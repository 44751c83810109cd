import { type ComponentProps, useEffect, useRef } from "react";

let hasShownAPage = false;

/** For a page that keeps the focus to itself: the next one's title takes it. */
export function notePageShown(): void {
  hasShownAPage = true;
}

/**
 * The first heading of a page. After a change of page, but not at the first one, it takes the focus, so that the new
 * page is read out and Tab goes on from its top.
 */
export function PageTitle(props: ComponentProps<"h1">) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasShownAPage) heading.current?.focus({ preventScroll: true });
    hasShownAPage = true;
  }, []);
  return <h1 ref={heading} tabIndex={-1} {...props} />;
}
