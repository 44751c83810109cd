import { Component, type RefObject } from "react";
import { hasScrollAnchoring } from "./keep-position.ts";

type HoldFirstProps = {
  box: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
  /** Contains the button above the list, which is removed when there is nothing more to show. */
  above: RefObject<HTMLElement | null>;
  chat: string;
  /** Index in the chat of the first message on the page. */
  start: number;
};

/**
 * Keeps the scroll position when messages appear above the view. A class, because hooks have no
 * `getSnapshotBeforeUpdate`.
 */
export class HoldFirst extends Component<HoldFirstProps> {
  override getSnapshotBeforeUpdate({ chat, start }: HoldFirstProps): (() => void) | null {
    const { box, list, above, ...now } = this.props;
    // Removing the button must not lose the focus.
    if (now.start === 0 && above.current?.contains(document.activeElement)) box.current?.focus({ preventScroll: true });
    const first = list.current?.firstElementChild;
    // Scroll anchoring does this without interrupting a scroll in progress, but not at the very top.
    if (
      now.chat !== chat ||
      now.start >= start ||
      !first ||
      (hasScrollAnchoring() && (box.current?.scrollTop ?? 0) > 0)
    ) {
      return null;
    }
    const { top } = first.getBoundingClientRect();
    return () => {
      if (box.current) box.current.scrollTop += first.getBoundingClientRect().top - top;
    };
  }

  override componentDidUpdate(_: HoldFirstProps, __: unknown, hold: (() => void) | null): void {
    hold?.();
  }

  override render() {
    return null;
  }
}
