/** Which models a person prefers: kept in this browser, by account. */

import * as z from "zod/mini";
import { AUTO_MODEL } from "#contract/models.ts";
import { parseJson } from "../api/api-error.ts";
import { KeptText } from "../ui/stored-text.ts";

const hiddenSchema = z.array(z.string());

export class OwnModels {
  readonly #chosen: KeptText;
  readonly #hidden: KeptText;

  constructor(account: string) {
    this.#chosen = new KeptText(`model:${account}`, "The choice of a model");
    this.#hidden = new KeptText(`model:${account}:hidden`, "The choice of models");
  }

  /** The value of the model that answers where nothing else is chosen. */
  chosen(): string {
    return this.#chosen.current() ?? AUTO_MODEL;
  }

  choose(value: string): void {
    this.#chosen.keep(value);
  }

  /** The values of those that are left out of menus. */
  hidden(): readonly string[] {
    const kept = hiddenSchema.safeParse(parseJson(this.#hidden.current() ?? ""));
    return kept.success ? kept.data : [];
  }

  hide(values: readonly string[]): void {
    this.#hidden.keep(JSON.stringify(values));
  }

  forget(): void {
    for (const kept of [this.#chosen, this.#hidden]) kept.keep(null);
  }
}
