import type { Model } from "../models/model.ts";
import type { ModelChoice } from "../models/open-models.ts";

/** Returns the models to ask in order. Under automatic choice `first` comes before the others. */
export function candidatesOf(choice: ModelChoice, first?: string | null) {
  if (choice.kind === "specific") return { candidates: [choice.model], isAutomatic: false };
  const isFirst = ({ value }: Model) => value === first;
  const { candidates } = choice;
  return {
    candidates: [...candidates.filter(isFirst), ...candidates.filter((model) => !isFirst(model))],
    isAutomatic: true,
  };
}
