import { i18n } from "../locales/i18n.ts";
import { notify } from "../ui/notifications/notify.ts";

const following = new Set<InstructionsNotices>();

/**
 * Notifies the person that another page or device has changed the account's instructions. Each session has its own, so
 * that no text stays in memory after a sign-out.
 */
export class InstructionsNotices {
  /** Texts that this page has sent and whose events have not arrived, in the order of sending. */
  readonly #sent: string[] = [];
  #latest: string | null = null;

  constructor() {
    following.add(this);
  }

  /** Records a text that this page sends. Must precede the request: the event may arrive before the response. */
  static noteSent(instructions: string): void {
    for (const each of following) each.#sent.push(instructions);
  }

  /** Handles an event of a change. The field saves while a person types: a further notification replaces the former one. */
  take(instructions: string): void {
    // Events report states: one may be repeated, or stand for several changes.
    if (instructions === this.#latest) return;
    this.#latest = instructions;
    const index = this.#sent.indexOf(instructions);
    this.#sent.splice(0, index + 1);
    if (index === -1) notify("info", i18n.t("app:instructionsChanged"));
  }

  dispose(): void {
    following.delete(this);
  }
}
