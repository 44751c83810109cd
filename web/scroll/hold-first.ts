import { Component, type RefObject } from "react";
import { hasScrollAnchoring } from "./keep-position.ts";

type HoldFirstProps = {
  box: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
  /** Holds the button above the list, which goes when there is no more to be shown. */
  above: RefObject<HTMLElement | null>;
  chat: string;
  /** The place in the chat of the first message on the page. */
  start: number;
};

/** What is on the screen stays there when messages appear above it. A class, as nothing else is told before a change. */
export class HoldFirst extends Component<HoldFirstProps> {
  override getSnapshotBeforeUpdate({ chat, start }: HoldFirstProps): (() => void) | null {
    const { box, list, above, ...now } = this.props;
    // The focus must not go with the button.
    if (now.start === 0 && above.current?.contains(document.activeElement)) box.current?.focus({ preventScroll: true });
    const first = list.current?.firstElementChild;
    // The browser does so itself, and without ending a scroll that is under way; but not at the very top.
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
