import { Store } from "../../store/store.ts";
import { isOverlaid } from "../../ui/dialogs/is-overlaid.ts";
import { carriesFiles } from "./transferred-files.ts";

/**
 * Follows drags of files over the window, and takes what is dropped. Drags that began in the page, such as that of a
 * picture of a message, and drags of text or links are left alone.
 */
export class FileDrags {
  /** Whether files are dragged over the window. */
  readonly isOver = new Store(false);
  readonly #onDrop: (transfer: DataTransfer) => void;
  readonly #leaving = new AbortController();
  /** The element that was entered last: browsers enter an element before they leave the one before. */
  #entered: EventTarget | null = null;
  #isOwn = false;

  /** @param onDrop receives what was dropped, valid during the call only */
  constructor(onDrop: (transfer: DataTransfer) => void) {
    this.#onDrop = onDrop;
    const { signal } = this.#leaving;
    window.addEventListener("dragstart", () => this.#setOwn(true), { signal, capture: true });
    window.addEventListener("dragend", () => this.#setOwn(false), { signal, capture: true });
    // There is no `dragend` if the dragged element was removed meanwhile.
    window.addEventListener("pointerdown", () => this.#setOwn(false), { signal, capture: true });
    window.addEventListener("dragenter", this.#enter, { signal });
    window.addEventListener("dragover", this.#pass, { signal });
    window.addEventListener("dragleave", this.#leave, { signal });
    window.addEventListener("drop", this.#drop, { signal });
  }

  dispose(): void {
    this.#leaving.abort();
    this.#end();
  }

  #setOwn(isOwn: boolean): void {
    this.#isOwn = isOwn;
  }

  #filesOf({ dataTransfer }: DragEvent): DataTransfer | null {
    return dataTransfer && !this.#isOwn && carriesFiles(dataTransfer) ? dataTransfer : null;
  }

  readonly #enter = (event: DragEvent): void => {
    if (!this.#filesOf(event)) return;
    event.preventDefault();
    this.#entered = event.target;
    this.isOver.set(!isOverlaid());
  };

  readonly #pass = (event: DragEvent): void => {
    const transfer = this.#filesOf(event);
    if (!transfer) return;
    // Without this, the browser opens the dropped file instead of the page.
    event.preventDefault();
    transfer.dropEffect = this.isOver.get() ? "copy" : "none";
  };

  readonly #leave = ({ target }: DragEvent): void => {
    if (target === this.#entered) this.#end();
  };

  readonly #drop = (event: DragEvent): void => {
    const transfer = this.#filesOf(event);
    if (!transfer) return;
    event.preventDefault();
    if (this.isOver.get()) this.#onDrop(transfer);
    this.#end();
  };

  #end(): void {
    this.#entered = null;
    this.isOver.set(false);
  }
}
