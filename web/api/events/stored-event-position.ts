import { readStorage, writeStorage } from "../../storage/browser-storage.ts";

/** The last position in an account's events that this browser has received, stored for the next page. */
export class StoredEventPosition {
  readonly #key: string;

  constructor(account: string) {
    this.#key = `events:${account}`;
  }

  /** Null if none is stored: the page then reads everything again. */
  read(): number | null {
    const position = Number.parseInt(readStorage(this.#key) ?? "", 10);
    return Number.isSafeInteger(position) && position >= 0 ? position : null;
  }

  write(position: number): void {
    writeStorage(this.#key, String(position));
  }

  forget(): void {
    writeStorage(this.#key, null);
  }
}
