import { useSyncExternalStore } from "react";
import { AUTO_MODEL, type ModelGroup, modelListSchema } from "#contract/models.ts";
import { paths } from "#contract/paths.ts";
import { log } from "../app/log.ts";
import type { Api } from "../chats/chats-store.ts";

export type ModelChoiceState = { readonly groups: readonly ModelGroup[]; readonly value: string };

/** The model of a preset that is on: `key` is one for the chat, the preset and the model together. */
type Brought = { key: string; model: string };

/**
 * The models on offer and the one that answers in the open chat: what its preset brings along, or what the person has
 * chosen. Their choice is remembered by account; one that they make against a preset holds on this page for that chat.
 */
export class ModelChoice {
  readonly #key: string;
  readonly #api: Api;
  readonly #listeners = new Set<() => void>();
  readonly #against = new Map<string, string>();
  #brought: Brought | null = null;
  #own: string;
  #state: ModelChoiceState;

  constructor(account: string, calls: Api) {
    this.#key = `model:${account}`;
    this.#api = calls;
    this.#own = this.#read();
    this.#state = { groups: [], value: this.#own };
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
      const isThere = groups.some(({ models }) => models.some(({ value }) => value === this.#own));
      // A model that is gone must not make every send fail. Of a preset's, the server says so.
      if (!isThere) this.#own = AUTO_MODEL;
      this.#change(groups);
    } catch (cause) {
      log.warn("The list of models could not be read", cause);
    }
  }

  /** The open chat has a preset with a model of its own now, or none. */
  follow(brought: Brought | null): void {
    if (brought?.key === this.#brought?.key) return;
    this.#brought = brought;
    this.#change(this.#state.groups);
  }

  /** What was chosen against a preset's model counts no more. */
  takeBrought(key: string): void {
    if (this.#against.delete(key)) this.#change(this.#state.groups);
  }

  choose(value: string): void {
    if (this.#brought) this.#against.set(this.#brought.key, value);
    else this.#keep(value);
    this.#change(this.#state.groups);
  }

  #keep(value: string): void {
    this.#own = value;
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

  #change(groups: readonly ModelGroup[]): void {
    const brought = this.#brought && (this.#against.get(this.#brought.key) ?? this.#brought.model);
    this.#state = { groups, value: brought ?? this.#own };
    for (const listener of [...this.#listeners]) listener();
  }
}

export function useModelChoice(choice: ModelChoice): ModelChoiceState {
  return useSyncExternalStore(choice.subscribe, choice.current);
}
