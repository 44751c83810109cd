import type { Effort } from "#contract/models/effort.ts";
import { AUTO_MODEL, type ModelGroup } from "#contract/models/models.ts";
import { isUnavailable } from "../api/keep-trying.ts";
import { log } from "../log.ts";
import type { Query } from "../queries/query.ts";
import { Store } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";
import { OwnModels } from "./own-models.ts";

/** `groups`: those that menus offer. `all`: with the hidden models, which automatic choice asks too. */
export type ModelChoiceState = {
  readonly groups: readonly ModelGroup[];
  readonly all: readonly ModelGroup[];
  readonly value: string;
};

/** The model of the active preset. `key` identifies the combination of chat, preset and model. */
type PresetModel = { key: string; model: string };

/**
 * Offered models and the current model of the open chat: the preset's model, or the person's choice. The choice is
 * stored by account; a choice that overrides a preset is in memory only, for that chat. Hidden models are not offered,
 * except the current one.
 */
export class ModelChoice {
  readonly state = new Store<ModelChoiceState>({ groups: [], all: [], value: AUTO_MODEL });
  readonly ownModels: OwnModels;
  readonly #models: Query<ModelGroup[]>;
  readonly #stopFollowing: () => void;
  readonly #overrides = new Map<string, string>();
  #presetModel: PresetModel | null = null;

  constructor(account: string, models: Query<ModelGroup[]>) {
    this.ownModels = new OwnModels(account);
    this.#models = models;
    this.#stopFollowing = models.state.subscribe(() => this.#change());
    this.#change();
  }

  current = this.state.get;

  /** Reads the list, and the choice in the settings; without a list only automatic choice is offered. Never rejects. */
  async load(): Promise<void> {
    this.#change();
    await this.#models.load();
    const { error } = this.#models.state.get();
    if (error !== null && !isUnavailable(error)) log.warn("The list of models could not be read", error);
  }

  /** Retries a failed read once the server is reachable. */
  readMissing(): void {
    if (this.#models.state.get().error !== null) void this.load();
  }

  /** Unsubscribes from the list. */
  dispose(): void {
    this.#stopFollowing();
  }

  /** Sets the model of the open chat's preset; null if it has none. */
  follow(presetModel: PresetModel | null): void {
    if (presetModel?.key === this.#presetModel?.key) return;
    this.#presetModel = presetModel;
    this.#change();
  }

  /** Removes the choice that overrides a preset's model. */
  removeOverride(key: string): void {
    if (this.#overrides.delete(key)) this.#change();
  }

  choose(value: string): void {
    if (this.#presetModel) this.#overrides.set(this.#presetModel.key, value);
    else this.ownModels.choose(value);
    this.#change();
  }

  /** Returns the effort that the person chose last; null is the default. */
  usualEffort(): Effort | null {
    return this.ownModels.effort();
  }

  keepEffort(effort: Effort | null): void {
    this.ownModels.chooseEffort(effort);
  }

  forget(): void {
    this.ownModels.forget();
  }

  /** The choice is the person's also while the list lacks it: a send then fails, and nobody else is asked instead. */
  #change(): void {
    const presetModel = this.#presetModel && (this.#overrides.get(this.#presetModel.key) ?? this.#presetModel.model);
    const value = presetModel ?? this.ownModels.chosen();
    const hidden = this.ownModels.hidden();
    const all = this.#models.state.get().value ?? [];
    const groups = all
      .map((group) => ({
        ...group,
        models: group.models.filter((model) => model.value === value || !hidden.includes(model.value)),
      }))
      .filter(({ models, unreachable }) => models.length > 0 || unreachable !== undefined);
    this.state.set({ groups, all, value });
  }
}

export function useModelChoice(choice: ModelChoice): ModelChoiceState {
  return useStore(choice.state);
}
