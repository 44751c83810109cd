import type { NewPreset, PresetChange } from "#contract/conversation/preset-calls.ts";
import type { Preset } from "#contract/conversation/presets.ts";
import { PRESETS_MAX, UNDO_LIFE_MS } from "#contract/limits.ts";
import { type Bus, topics } from "../bus/bus.ts";
import type { Clock } from "../concurrency/clock.ts";
import { newId } from "../database/new-id.ts";
import { nextPosition, positionsAfter } from "../database/positions.ts";
import type { Database, PresetRow, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import {
  findDeletedPreset,
  findPreset,
  insertPreset,
  listPresets,
  markPresetsChanged,
  updatePreset,
} from "./preset-store.ts";
import { toPreset } from "./to-preset.ts";
import { storedToolGroups } from "./tool-groups.ts";

type Deps = { database: Database; clock: Clock; bus: Bus };

/** Presets of accounts. Each change locks the account, so that concurrent changes are serialised. */
export class Presets {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async list(userId: string): Promise<Preset[]> {
    return (await listPresets(this.#deps.database, userId)).map(toPreset);
  }

  /** Adds a preset at the end of the list. @throws Failure `too-many-presets` */
  add(userId: string, given: NewPreset): Promise<Preset> {
    return this.#change(userId, async (db) => {
      const presets = await listPresets(db, userId);
      refuseTooMany(presets);
      const row: PresetRow = {
        ...given,
        effort: given.effort ?? null,
        tools: storedToolGroups(given.tools),
        id: newId(),
        user_id: userId,
        position: nextPosition(presets),
        created_at: this.#deps.clock.now(),
        deleted_at: null,
      };
      await insertPreset(db, row);
      return toPreset(row);
    });
  }

  /** @throws Failure `not-found` */
  change(userId: string, id: string, { position, ...change }: PresetChange): Promise<Preset> {
    return this.#change(userId, async (db) => {
      const found = await findPreset(db, userId, id);
      if (!found) throw new Failure("not-found");
      const { tools, ...others } = change;
      const given = definedOf({ ...others, ...(tools !== undefined && { tools: storedToolGroups(tools) }) });
      if (Object.keys(given).length > 0) await updatePreset(db, userId, id, given);
      if (position !== undefined) await move(db, found, position);
      return toPreset({ ...found, ...given });
    });
  }

  /**
   * Deletes a preset, which can be restored for {@link UNDO_LIFE_MS}; its chats have none meanwhile.
   * @throws Failure `not-found`
   */
  delete(userId: string, id: string): Promise<void> {
    return this.#change(userId, async (db) => {
      if (!(await findPreset(db, userId, id))) throw new Failure("not-found");
      await updatePreset(db, userId, id, { deleted_at: this.#deps.clock.now() });
    });
  }

  /**
   * Restores a deleted preset; one that is not deleted does not change.
   * @throws Failure `not-found`, `too-many-presets`
   */
  async restore(userId: string, id: string): Promise<Preset> {
    const present = await findPreset(this.#deps.database, userId, id);
    if (present) return toPreset(present);
    return this.#change(userId, async (db) => {
      const found = await findDeletedPreset(db, userId, id, this.#deps.clock.now() - UNDO_LIFE_MS);
      if (!found) throw new Failure("not-found");
      refuseTooMany(await listPresets(db, userId));
      await updatePreset(db, userId, id, { deleted_at: null });
      return toPreset(found);
    });
  }

  async #change<T>(userId: string, work: (db: Queryable) => Promise<T>): Promise<T> {
    const { database, bus } = this.#deps;
    const result = await database.transaction().execute(async (db) => {
      await markPresetsChanged(db, userId);
      return work(db);
    });
    bus.publish(topics.account(userId));
    return result;
  }
}

function refuseTooMany(presets: PresetRow[]): void {
  if (presets.length >= PRESETS_MAX) throw new Failure("too-many-presets");
}

/** Moves a preset to an index of the list, and stores the positions that change. */
async function move(db: Queryable, preset: PresetRow, position: number): Promise<void> {
  const { user_id: userId } = preset;
  for (const { id, position: own } of positionsAfter(await listPresets(db, userId), preset, position)) {
    await updatePreset(db, userId, id, { position: own });
  }
}

type Given = Partial<Pick<PresetRow, keyof NewPreset>>;

/** Omits undefined fields, which do not change. */
function definedOf(change: { [Field in keyof Given]: Given[Field] | undefined }): Given {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
