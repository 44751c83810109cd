/** Lazy module of the composer, which works without it. */

import { Component, type RefObject } from "react";
import { motionTiming } from "../../ui/appearance/motion-timing.ts";

export { afterPointer } from "../../ui/after-pointer.ts";

type SlideDownProps = { element: RefObject<HTMLElement | null>; chat: string | null; isWelcome: boolean };

/**
 * Animates the composer from the welcome to the foot of the page when the first message of a chat is sent (FLIP: the
 * layout changes at once, a transform leads from the old position to the new one). A class, because hooks have no
 * `getSnapshotBeforeUpdate`.
 */
export class SlideDown extends Component<SlideDownProps> {
  /** Time of the frame in which the welcome was rendered last. */
  #welcomeAt: CSSNumberish | null = null;

  override getSnapshotBeforeUpdate({ chat, isWelcome }: SlideDownProps): number | null {
    // Not when another chat is opened: nothing of that moves. Not from a welcome that was never painted: between its
    // creation and its first message, a new chat is empty.
    const isSent = isWelcome && !this.props.isWelcome && chat === this.props.chat;
    return isSent && this.#welcomeAt !== document.timeline.currentTime ? this.#top() : null;
  }

  override componentDidUpdate({ isWelcome }: SlideDownProps, _: unknown, before: number | null): void {
    if (this.props.isWelcome && !isWelcome) this.#welcomeAt = document.timeline.currentTime;
    // Measuring forces a layout, and the composer is rendered again with each piece of an answer.
    if (before === null) return;
    const after = this.#top();
    const timing = motionTiming();
    if (after === null || before === after || timing.duration === 0) return;
    this.props.element.current?.animate({ transform: [`translateY(${before - after}px)`, "none"] }, timing);
  }

  override render() {
    return null;
  }

  #top(): number | null {
    return this.props.element.current?.getBoundingClientRect().top ?? null;
  }
}
