import { type NativeKind, orderByFiles } from "#contract/files/file-readers.ts";
import type { Model, ModelChoice } from "../../models/model.ts";

/**
 * `first`: value of the model that comes before the others. `kinds`: of the question's files; the models that receive
 * more of them come first.
 */
type Wishes = { first?: string | null | undefined; kinds?: readonly NativeKind[] };

/** Returns the models to ask in order. The wishes apply to automatic choice. */
export function candidatesOf(choice: ModelChoice, { first, kinds = [] }: Wishes = {}) {
  if (choice.kind === "specific") return { candidates: [choice.model], isAutomatic: false };
  const isFirst = ({ value }: Model) => value === first;
  const ordered = orderByFiles(choice.candidates, kinds, ({ accepts }) => accepts ?? {});
  return {
    candidates: [...ordered.filter(isFirst), ...ordered.filter((model) => !isFirst(model))],
    isAutomatic: true,
  };
}
