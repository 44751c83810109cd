import { useSyncExternalStore } from "react";
import { SECOND } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { type Preset, presetListSchema } from "#contract/presets.ts";
import { isAway } from "../api/keep-trying.ts";
import { log } from "../app/log.ts";
import type { Api } from "../chats/chats-store.ts";

/** So long (ms) a request waits for choices to be told before it. */
const TOLD_MS = 5 * SECOND;

/** The account's presets in their order, and the choices of them that the server is being told. */
export class PresetList {
  /** What chats are to have. */
  readonly tellings = new Set<Promise<void>>();
  readonly #api: Api;
  readonly #listeners = new Set<() => void>();
  #presets: readonly Preset[] = [];
  #loading: Promise<void> | null = null;
  #isMissing = false;

  constructor(calls: Api) {
    this.#api = calls;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  current = (): readonly Preset[] => this.#presets;

  /** Reads them; without that there are none. Never throws. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /** The server is there: reads what could not be read before. */
  readMissing(): void {
    if (this.#isMissing) void this.load();
  }

  /** Those that there are now. */
  take(presets: readonly Preset[]): void {
    this.#isMissing = false;
    this.#presets = presets;
    for (const listener of [...this.#listeners]) listener();
  }

  /** The API for replies: what is asked for goes by what was chosen before. */
  before(calls: Api): Api {
    return {
      ...calls,
      open: async (path, init) => {
        if (init?.method === "POST" && this.tellings.size > 0) {
          await Promise.race([Promise.all(this.tellings), new Promise((resolve) => setTimeout(resolve, TOLD_MS))]);
        }
        return calls.open(path, init);
      },
    };
  }

  async #load(): Promise<void> {
    try {
      this.take(await this.#api.get(paths.presets, presetListSchema));
    } catch (cause) {
      this.#isMissing = true;
      if (!isAway(cause)) log.warn("The presets could not be read", cause);
    }
  }
}

export function usePresetList(list: PresetList): readonly Preset[] {
  return useSyncExternalStore(list.subscribe, list.current);
}
