/** Rendering of replies for paper: what differs from the screen, and what must end before the page is printed. */

import { createContext, useContext, useEffect } from "react";
import type { Drawn } from "../sandbox/diagram-messages.ts";
import { Store } from "../store/store.ts";

/** `isIncomplete`: something is printed as text, because its module or its drawing could not be loaded. */
export type PrintState = { pending: number; isIncomplete: boolean };

/** A drawn diagram as a picture. `address`: of the picture, valid until {@link PrintWork.dispose}. */
export type DiagramPicture = { address: string; drawn: Drawn };

/** Request for the picture of a diagram; null if it cannot be drawn. */
export type PictureRequest = { source: string; resolve: (picture: DiagramPicture | null) => void };

/** Counts the asynchronous work of a page that is printed, and queues the diagrams that one frame draws in turn. */
export class PrintWork {
  readonly state = new Store<PrintState>({ pending: 0, isIncomplete: false });
  readonly requests = new Store<readonly PictureRequest[]>([]);
  readonly #pictures = new Map<string, Promise<DiagramPicture | null>>();

  /** Adds a piece of work. @returns a function that ends it, once */
  begin(): () => void {
    let isOpen = true;
    this.#count(1);
    return () => {
      if (isOpen) this.#count(-1);
      isOpen = false;
    };
  }

  noteMissing(): void {
    this.state.set({ ...this.state.get(), isIncomplete: true });
  }

  /** Returns the picture of a diagram, drawn once for each source. */
  picture(source: string): Promise<DiagramPicture | null> {
    const known = this.#pictures.get(source);
    if (known) return known;
    const { promise, resolve } = Promise.withResolvers<DiagramPicture | null>();
    const request: PictureRequest = {
      source,
      resolve: (picture) => {
        this.requests.set(this.requests.get().filter((other) => other !== request));
        resolve(picture);
      },
    };
    this.#pictures.set(source, promise);
    this.requests.set([...this.requests.get(), request]);
    return promise;
  }

  dispose(): void {
    for (const picture of this.#pictures.values()) {
      void picture.then((drawn) => drawn && URL.revokeObjectURL(drawn.address));
    }
    for (const { resolve } of this.requests.get()) resolve(null);
  }

  #count(change: number): void {
    const { pending, isIncomplete } = this.state.get();
    this.state.set({ pending: pending + change, isIncomplete });
  }
}

/** Null on the screen. */
export const PrintContext = createContext<PrintWork | null>(null);

export const useIsPrinted = (): boolean => useContext(PrintContext) !== null;

/** Holds printing while `isPending`. `isMissing`: it failed, and text is printed instead. */
export function usePrintHold(isPending: boolean, isMissing = false): void {
  const work = useContext(PrintContext);
  useEffect(() => (isPending ? work?.begin() : undefined), [work, isPending]);
  useEffect(() => {
    if (isMissing) work?.noteMissing();
  }, [work, isMissing]);
}
