import { AUTO_MODEL } from "#contract/models/models.ts";
import { type OwnModels, storedValues } from "../own-models.ts";

/** Number of last used models that are stored: the list shows fewer, and some of them may be gone. */
const MAX_RECENT = 8;

/** Pins a model, as the last of the pinned ones, or unpins it. Returns the pinned models. */
export function togglePin({ pinned }: OwnModels, value: string): readonly string[] {
  const former = storedValues(pinned);
  const next = former.includes(value) ? former.filter((each) => each !== value) : [...former, value];
  pinned.set(JSON.stringify(next));
  return next;
}

/** Adds a model to the last used ones. Returns them, the newest first. */
export function addRecent({ recent }: OwnModels, value: string): readonly string[] {
  const former = storedValues(recent);
  if (value === AUTO_MODEL || former[0] === value) return former;
  const next = [value, ...former.filter((each) => each !== value)].slice(0, MAX_RECENT);
  recent.set(JSON.stringify(next));
  return next;
}
