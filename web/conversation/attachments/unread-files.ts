import {
  countReceived,
  firstAutomatic,
  type NativeKind,
  nativeKindsOf,
  receives,
} from "#contract/files/file-readers.ts";
import { AUTO_MODEL, type ModelGroup, type ModelOption } from "#contract/models/models.ts";

/**
 * `unread`: the kinds that the model does not receive as they are. `readers`: the available models that receive more of
 * the kinds, the best first.
 */
export type Unread = { unread: readonly NativeKind[]; readers: readonly ModelOption[] };

/**
 * Returns which of the files a model does not receive as they are; null if it receives all, or if the models are not
 * known yet. Automatic choice is the model that the server asks first, by the same rule.
 * @param offered groups that menus offer
 * @param model value of the chosen model
 * @param all groups of the server, with those that menus omit
 */
export function unreadFiles(
  files: readonly { type: string }[],
  offered: readonly ModelGroup[],
  model: string,
  all = offered,
): Unread | null {
  const kinds = nativeKindsOf(files);
  const models = all.flatMap((group) => group.models);
  const asked = model === AUTO_MODEL ? firstAutomatic(models, kinds) : models.find(({ value }) => value === model);
  if (kinds.length === 0 || asked === undefined || !models.some(({ available }) => available)) return null;
  const unread = kinds.filter((kind) => !receives(asked, kind));
  if (unread.length === 0) return null;
  const count = (each: ModelOption) => countReceived(each, kinds);
  const readers = offered
    .flatMap((group) => group.models)
    .filter((each) => each.available && count(each) > count(asked))
    .sort((one, other) => count(other) - count(one));
  return { unread, readers };
}
