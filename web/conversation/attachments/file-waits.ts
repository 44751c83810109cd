import { Emitter } from "../../store/emitter.ts";
import { useStore } from "../../store/use-store.ts";
import type { ChatSession, SessionKey } from "../chat-session.ts";

type DraftKey = string | null;

/** Messages that are sent once their files are uploaded, at most one of each box. */
export class FileWaits {
  readonly #drafts: ChatSession["drafts"];
  readonly #waits = new Map<DraftKey, AbortController>();
  readonly #changes = new Emitter();

  constructor(drafts: ChatSession["drafts"]) {
    this.#drafts = drafts;
  }

  subscribe = this.#changes.subscribe;

  isWaiting(draftKey: DraftKey): boolean {
    return this.#waits.has(draftKey);
  }

  /** The message stays in its box. */
  cancel(draftKey: DraftKey): void {
    this.#waits.get(draftKey)?.abort();
  }

  /**
   * Waits for the files of the draft in a box. Resolves with true if the message is to be sent now; with false if a
   * file has failed, if the wait was cancelled, or if the draft is another message now.
   */
  async wait(draftKey: DraftKey, upload: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> {
    const drafts = this.#drafts;
    const draft = drafts.get(draftKey);
    const leave = new AbortController();
    const unsubscribe = drafts.subscribe(() => {
      if (!drafts.get(draftKey).isSame(draft)) leave.abort();
    });
    this.#waits.set(draftKey, leave);
    this.#changes.notify();
    try {
      return (await upload(leave.signal)) && !leave.signal.aborted;
    } catch (cause) {
      if (leave.signal.aborted) return false;
      throw cause;
    } finally {
      unsubscribe();
      this.#waits.delete(draftKey);
      this.#changes.notify();
    }
  }

  dispose(): void {
    for (const wait of this.#waits.values()) wait.abort();
  }
}

export const fileWaits: SessionKey<FileWaits> = {
  create: ({ drafts }) => new FileWaits(drafts),
  dispose: (waits) => waits.dispose(),
};

/** Returns whether the message in a box is sent once its files are uploaded, and a function that cancels that. */
export function useFileWait(session: ChatSession, draftKey: DraftKey): { isWaiting: boolean; cancel: () => void } {
  const waits = session.get(fileWaits);
  const isWaiting = useStore({ subscribe: waits.subscribe, get: () => waits.isWaiting(draftKey) });
  return { isWaiting, cancel: () => waits.cancel(draftKey) };
}
