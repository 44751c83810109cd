import { SECOND } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { type Preset, presetListSchema } from "#contract/presets.ts";
import type { Api } from "../api/client.ts";
import { isAway } from "../api/keep-trying.ts";
import { log } from "../log.ts";
import { Store } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";

/** So long (ms) a request waits for choices to be told before it. */
const TOLD_MS = 5 * SECOND;

/** The account's presets in their order, and the choices of them that the server is being told. */
export class PresetList {
  /** What chats are to have. */
  readonly tellings = new Set<Promise<void>>();
  readonly #api: Api;
  /** The presets in their order. */
  readonly state = new Store<readonly Preset[]>([]);
  #loading: Promise<void> | null = null;
  #isMissing = false;

  constructor(calls: Api) {
    this.#api = calls;
  }

  subscribe = this.state.subscribe;

  current = this.state.get;

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
    this.state.set(presets);
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
  return useStore(list.state);
}
