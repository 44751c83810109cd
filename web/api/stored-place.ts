/** The last position in an account's events that this browser knows, kept over a reload. */
export class StoredPlace {
  readonly #key: string;

  constructor(account: string) {
    this.#key = `events:${account}`;
  }

  read(): number | null {
    try {
      const place = Number.parseInt(localStorage.getItem(this.#key) ?? "", 10);
      return Number.isSafeInteger(place) && place >= 0 ? place : null;
    } catch {
      return null;
    }
  }

  write(place: number): void {
    try {
      localStorage.setItem(this.#key, String(place));
    } catch {
      // Then the next page begins without one, and reads anew.
    }
  }

  forget(): void {
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // Without a storage there is nothing to forget.
    }
  }
}
