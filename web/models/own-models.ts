/** A person's preferred models, stored in this browser by account. */

import * as z from "zod/mini";
import { type Effort, effortSchema } from "#contract/models/effort.ts";
import { AUTO_MODEL } from "#contract/models/models.ts";
import { parseJson } from "../api/api-error.ts";
import { StoredText } from "../storage/stored-text.ts";

const hiddenSchema = z.array(z.string());

export class OwnModels {
  readonly #chosen: StoredText;
  readonly #hidden: StoredText;
  readonly #effort: StoredText;

  constructor(account: string) {
    this.#chosen = new StoredText(`model:${account}`, "The choice of a model");
    this.#hidden = new StoredText(`model:${account}:hidden`, "The choice of models");
    this.#effort = new StoredText(`model:${account}:effort`, "The choice of an effort");
  }

  /** Returns the value of the preferred model; the automatic choice by default. */
  chosen(): string {
    return this.#chosen.get() ?? AUTO_MODEL;
  }

  choose(value: string): void {
    this.#chosen.set(value);
  }

  /** Returns the values of the models that menus omit. */
  hidden(): readonly string[] {
    const stored = hiddenSchema.safeParse(parseJson(this.#hidden.get() ?? ""));
    return stored.success ? stored.data : [];
  }

  hide(values: readonly string[]): void {
    this.#hidden.set(JSON.stringify(values));
  }

  /** Returns the effort that was chosen last; null is the default. */
  effort(): Effort | null {
    return effortSchema.safeParse(this.#effort.get()).data ?? null;
  }

  chooseEffort(effort: Effort | null): void {
    this.#effort.set(effort);
  }

  forget(): void {
    for (const text of [this.#chosen, this.#hidden, this.#effort]) text.set(null);
  }
}
