/** Open elements beyond this depth are counted, but have no entry: a small archive can open millions. */
const MAX_DEPTH = 64;

/** A stack of what is known of open elements. */
export class BoundedStack<T> {
  readonly #entries: T[] = [];
  #deeper = 0;

  /** The innermost entry. */
  get top(): T | undefined {
    return this.#entries.at(-1);
  }

  /** Whether `top` is the only entry. */
  get isOutermost(): boolean {
    return this.#entries.length === 1 && this.#deeper === 0;
  }

  push(entry: T): void {
    if (this.#entries.length < MAX_DEPTH) this.#entries.push(entry);
    else this.#deeper++;
  }

  /** Removes the innermost element. @returns its entry, undefined beyond the depth */
  pop(): T | undefined {
    if (this.#deeper === 0) return this.#entries.pop();
    this.#deeper--;
    return undefined;
  }
}
