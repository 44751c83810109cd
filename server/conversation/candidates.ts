import type { Model } from "../models/model.ts";
import type { ModelChoice } from "../models/open-models.ts";

/** Who is asked, in their order; `first` before the others, where automatic choice has it. */
export function candidatesOf(choice: ModelChoice, first?: string | null) {
  if (choice.kind === "specific") return { candidates: [choice.model], isAutomatic: false };
  const isFirst = ({ value }: Model) => value === first;
  const { candidates } = choice;
  return {
    candidates: [...candidates.filter(isFirst), ...candidates.filter((model) => !isFirst(model))],
    isAutomatic: true,
  };
}
