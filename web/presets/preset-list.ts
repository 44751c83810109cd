import { SECOND } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { type Preset, presetListSchema } from "#contract/presets.ts";
import type { Api } from "../api/client.ts";
import { isAway } from "../api/keep-trying.ts";
import { log } from "../log.ts";
import { Query } from "../queries/query.ts";
import { useStore } from "../store/use-store.ts";

/** So long (ms) a request waits for choices to be told before it. */
const TOLD_MS = 5 * SECOND;

const none: readonly Preset[] = [];

/** The account's presets in their order, and the choices of them that the server is being told. */
export class PresetList {
  /** What chats are to have. */
  readonly tellings = new Set<Promise<void>>();
  readonly #query: Query<readonly Preset[]>;
  #isMissing = false;

  constructor(calls: Api) {
    this.#query = new Query((signal) => this.#read(calls, signal));
  }

  subscribe = (listener: () => void): (() => void) => this.#query.state.subscribe(listener);

  current = (): readonly Preset[] => this.#query.state.get().value ?? none;

  /** Reads them; without that there are none. Never throws. */
  load(): Promise<void> {
    return this.#query.load();
  }

  /** The server is there: reads what could not be read before. */
  readMissing(): void {
    if (this.#isMissing) void this.load();
  }

  /** Those that there are now. */
  take(presets: readonly Preset[]): void {
    this.#isMissing = false;
    this.#query.change(presets);
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

  async #read(calls: Api, signal: AbortSignal): Promise<readonly Preset[]> {
    try {
      const presets = await calls.get(paths.presets, presetListSchema, { signal });
      this.#isMissing = false;
      return presets;
    } catch (cause) {
      if (!signal.aborted) {
        this.#isMissing = true;
        if (!isAway(cause)) log.warn("The presets could not be read", cause);
      }
      throw cause;
    }
  }
}

export function usePresetList(list: PresetList): readonly Preset[] {
  return useStore({ subscribe: list.subscribe, get: list.current });
}
