/** A person's preferred models, stored in this browser by account. */

import * as z from "zod/mini";
import { type Effort, effortSchema } from "#contract/models/effort.ts";
import { AUTO_MODEL } from "#contract/models/models.ts";
import { parseJson } from "../api/api-error.ts";
import { StoredText } from "../storage/stored-text.ts";

const valuesSchema = z.array(z.string());

/** Returns the values in a stored list; none if it cannot be read. */
export function storedValues(text: StoredText): readonly string[] {
  const stored = valuesSchema.safeParse(parseJson(text.get() ?? ""));
  return stored.success ? stored.data : [];
}

export class OwnModels {
  /** Values of the models that menus show first, as JSON. */
  readonly pinned: StoredText;
  /** Values of the models that were used last, the newest first, as JSON. */
  readonly recent: StoredText;
  readonly #chosen: StoredText;
  readonly #hidden: StoredText;
  readonly #effort: StoredText;

  constructor(account: string) {
    this.#chosen = new StoredText(`model:${account}`, "The choice of a model");
    this.#hidden = new StoredText(`model:${account}:hidden`, "The choice of models");
    this.pinned = new StoredText(`model:${account}:pinned`, "The pinned models");
    this.recent = new StoredText(`model:${account}:recent`, "The last used models");
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
    return storedValues(this.#hidden);
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
    for (const text of [this.#chosen, this.#hidden, this.pinned, this.recent, this.#effort]) text.set(null);
  }
}
