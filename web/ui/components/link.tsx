import type { ComponentProps, MouseEvent } from "react";
import { createPath, useHref, useLocation, useNavigate } from "react-router";

export type LinkProps = Omit<ComponentProps<"a">, "href" | "target"> & {
  /** Path in this application, with its query and fragment. */
  to: string;
  /** State of the new entry of the history. */
  state?: unknown;
};

/**
 * Link to a page of this application, without a reload. A link to the current address replaces its entry of the
 * history, as a browser does. React Router's own `Link` brings 3.5 kB for servers that render pages.
 */
export function Link({ to, state, onClick, ...props }: LinkProps) {
  const href = useHref(to);
  const location = useLocation();
  const navigate = useNavigate();
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    void navigate(to, { replace: href === createPath(location), state });
  };
  return <a {...props} href={href} onClick={open} />;
}

/** Whether the click opens the link here: others open a tab or a window, download, or show a menu. */
const isPlainClick = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent) =>
  button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;
