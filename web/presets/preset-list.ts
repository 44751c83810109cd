import { conversationPaths } from "#contract/conversation/paths.ts";
import { type Preset, presetListSchema } from "#contract/conversation/presets.ts";
import { SECOND } from "#contract/limits.ts";
import type { Api } from "../api/client.ts";
import { isUnavailable } from "../api/keep-trying.ts";
import { log } from "../log.ts";
import { Query } from "../queries/query.ts";
import { useStore } from "../store/use-store.ts";

/** How long (ms) a request for a reply waits for pending choices. */
const PENDING_WAIT_MS = 5 * SECOND;

const none: readonly Preset[] = [];

/** The account's presets in their order, and the pending requests that store choices. */
export class PresetList {
  /** Pending requests that store presets and efforts of chats. */
  readonly pendingRequests = new Set<Promise<void>>();
  readonly #query: Query<readonly Preset[]>;
  /** Whether the presets were not read yet, or the last read failed. */
  #isMissing = true;

  constructor(calls: Api) {
    this.#query = new Query((signal) => this.#read(calls, signal));
  }

  subscribe = (listener: () => void): (() => void) => this.#query.state.subscribe(listener);

  current = (): readonly Preset[] => this.#query.state.get().value ?? none;

  /** Reads the presets; the list is empty until then. Never rejects. */
  load(): Promise<void> {
    return this.#query.load();
  }

  isMissing = (): boolean => this.#isMissing;

  /** Whether events of the account report every change of the presets. */
  isLive = (): boolean => false;

  /** Reads the presets again, unless their changes are reported. */
  readStale(): void {
    if (!this.isLive()) void this.load();
  }

  /** Reads the presets unless they were read: at the start, and again after a failure. */
  readMissing(): void {
    if (this.#isMissing) void this.load();
  }

  /** Replaces the cached presets and notifies subscribers. */
  take(presets: readonly Preset[]): void {
    this.#isMissing = false;
    this.#query.change(presets);
  }

  /** Returns the API for replies, whose POST requests wait for pending choices, at most `PENDING_WAIT_MS`. */
  before(calls: Api): Api {
    return {
      ...calls,
      open: async (path, init) => {
        if (init?.method === "POST" && this.pendingRequests.size > 0) {
          await Promise.race([
            Promise.all(this.pendingRequests),
            new Promise((resolve) => setTimeout(resolve, PENDING_WAIT_MS)),
          ]);
        }
        return calls.open(path, init);
      },
    };
  }

  async #read(calls: Api, signal: AbortSignal): Promise<readonly Preset[]> {
    try {
      const presets = await calls.get(conversationPaths.presets, presetListSchema, { signal });
      this.#isMissing = false;
      return presets;
    } catch (cause) {
      if (!signal.aborted) {
        this.#isMissing = true;
        if (!isUnavailable(cause)) log.warn("The presets could not be read", cause);
      }
      throw cause;
    }
  }
}

export function usePresetList(list: PresetList): readonly Preset[] {
  return useStore({ subscribe: list.subscribe, get: list.current });
}
