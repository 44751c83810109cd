/** Which models a person prefers: stored in this browser, by account. */

import * as z from "zod/mini";
import { AUTO_MODEL } from "#contract/models.ts";
import { parseJson } from "../api/api-error.ts";
import { StoredText } from "../storage/stored-text.ts";

const hiddenSchema = z.array(z.string());

export class OwnModels {
  readonly #chosen: StoredText;
  readonly #hidden: StoredText;

  constructor(account: string) {
    this.#chosen = new StoredText(`model:${account}`, "The choice of a model");
    this.#hidden = new StoredText(`model:${account}:hidden`, "The choice of models");
  }

  /** The value of the model that answers where nothing else is chosen. */
  chosen(): string {
    return this.#chosen.get() ?? AUTO_MODEL;
  }

  choose(value: string): void {
    this.#chosen.set(value);
  }

  /** The values of those that are left out of menus. */
  hidden(): readonly string[] {
    const stored = hiddenSchema.safeParse(parseJson(this.#hidden.get() ?? ""));
    return stored.success ? stored.data : [];
  }

  hide(values: readonly string[]): void {
    this.#hidden.set(JSON.stringify(values));
  }

  forget(): void {
    for (const text of [this.#chosen, this.#hidden]) text.set(null);
  }
}
