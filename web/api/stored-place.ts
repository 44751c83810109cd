import { readStorage, writeStorage } from "../storage/browser-storage.ts";

/** The last position in an account's events that this browser has received, stored for the next page. */
export class StoredPlace {
  readonly #key: string;

  constructor(account: string) {
    this.#key = `events:${account}`;
  }

  /** Null if none is stored: the page then reads everything again. */
  read(): number | null {
    const place = Number.parseInt(readStorage(this.#key) ?? "", 10);
    return Number.isSafeInteger(place) && place >= 0 ? place : null;
  }

  write(place: number): void {
    writeStorage(this.#key, String(place));
  }

  forget(): void {
    writeStorage(this.#key, null);
  }
}
