import { useSyncExternalStore } from "react";
import { AUTO_MODEL, type ModelGroup, modelListSchema } from "#contract/models.ts";
import { paths } from "#contract/paths.ts";
import { log } from "../app/log.ts";
import type { Api } from "../chats/chats-store.ts";

export type ModelChoiceState = { readonly groups: readonly ModelGroup[]; readonly value: string };

/** The models on offer and the one that the person has chosen, remembered by account. */
export class ModelChoice {
  readonly #key: string;
  readonly #api: Api;
  readonly #listeners = new Set<() => void>();
  #state: ModelChoiceState;

  constructor(account: string, calls: Api) {
    this.#key = `model:${account}`;
    this.#api = calls;
    this.#state = { groups: [], value: this.#read() };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  current = (): ModelChoiceState => this.#state;

  /** Reads the list; without it there is automatic choice alone. Never throws. */
  async load(): Promise<void> {
    try {
      const groups = await this.#api.get(paths.models, modelListSchema);
      const isThere = groups.some(({ models }) => models.some(({ value }) => value === this.#state.value));
      // A model that is gone must not make every send fail.
      this.#change({ groups, value: isThere ? this.#state.value : AUTO_MODEL });
    } catch (cause) {
      log.warn("The list of models could not be read", cause);
    }
  }

  choose(value: string): void {
    this.#change({ ...this.#state, value });
    try {
      localStorage.setItem(this.#key, value);
    } catch (cause) {
      log.warn("The choice of a model could not be kept in this browser", cause);
    }
  }

  forget(): void {
    localStorage.removeItem(this.#key);
  }

  #read(): string {
    try {
      return localStorage.getItem(this.#key) ?? AUTO_MODEL;
    } catch {
      return AUTO_MODEL;
    }
  }

  #change(state: ModelChoiceState): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }
}

export function useModelChoice(choice: ModelChoice): ModelChoiceState {
  return useSyncExternalStore(choice.subscribe, choice.current);
}
