import { AUTO_MODEL, type ModelGroup } from "#contract/models.ts";
import { isAway } from "../api/keep-trying.ts";
import { log } from "../log.ts";
import type { Query } from "../queries/query.ts";
import { Store } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";
import { OwnModels } from "./own-models.ts";

export type ModelChoiceState = { readonly groups: readonly ModelGroup[]; readonly value: string };

/** The model of a preset that is on: `key` is one for the chat, the preset and the model together. */
type Brought = { key: string; model: string };

/**
 * The models on offer and the one that answers in the open chat: what its preset brings along, or what the person has
 * chosen. Their choice is remembered by account; one that they make against a preset holds on this page for that chat.
 * Those that they hid are not on offer, unless one of them answers.
 */
export class ModelChoice {
  readonly state = new Store<ModelChoiceState>({ groups: [], value: AUTO_MODEL });
  readonly #kept: OwnModels;
  readonly #models: Query<ModelGroup[]>;
  readonly #stopFollowing: () => void;
  readonly #against = new Map<string, string>();
  #brought: Brought | null = null;
  #own: string;
  #groups: readonly ModelGroup[] = [];

  constructor(account: string, models: Query<ModelGroup[]>) {
    this.#kept = new OwnModels(account);
    this.#models = models;
    this.#stopFollowing = models.state.subscribe(() => this.#takeModels());
    this.#own = this.#kept.chosen();
    this.state.set({ groups: [], value: this.#own });
  }

  current = this.state.get;

  /** Reads the list, and what was chosen in the settings; without a list there is automatic choice alone. Never throws. */
  async load(): Promise<void> {
    this.#own = this.#kept.chosen();
    this.#change();
    await this.#models.load();
    const { error } = this.#models.state.get();
    if (error !== null && !isAway(error)) log.warn("The list of models could not be read", error);
  }

  /** The server is there: reads what could not be read before. */
  readMissing(): void {
    if (this.#models.state.get().error !== null) void this.load();
  }

  /** Ends the following of the list. */
  dispose(): void {
    this.#stopFollowing();
  }

  /** The open chat has a preset with a model of its own now, or none. */
  follow(brought: Brought | null): void {
    if (brought?.key === this.#brought?.key) return;
    this.#brought = brought;
    this.#change();
  }

  /** What was chosen against a preset's model counts no more. */
  takeBrought(key: string): void {
    if (this.#against.delete(key)) this.#change();
  }

  choose(value: string): void {
    if (this.#brought) this.#against.set(this.#brought.key, value);
    else {
      this.#own = value;
      this.#kept.choose(value);
    }
    this.#change();
  }

  forget(): void {
    this.#kept.forget();
  }

  #takeModels(): void {
    const groups = this.#models.state.get().value;
    if (groups === null) return;
    this.#groups = groups;
    // A model that is gone must not make every send fail. Of a preset's, the server says so.
    const isThere = groups.some(({ models }) => models.some(({ value }) => value === this.#own));
    if (!isThere) this.#own = AUTO_MODEL;
    this.#change();
  }

  #change(): void {
    const brought = this.#brought && (this.#against.get(this.#brought.key) ?? this.#brought.model);
    const value = brought ?? this.#own;
    const hidden = this.#kept.hidden();
    const groups = this.#groups
      .map(({ label, models }) => ({
        label,
        models: models.filter((model) => model.value === value || !hidden.includes(model.value)),
      }))
      .filter(({ models }) => models.length > 0);
    this.state.set({ groups, value });
  }
}

export function useModelChoice(choice: ModelChoice): ModelChoiceState {
  return useStore(choice.state);
}
