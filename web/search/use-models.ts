import { modelsQuery } from "../queries/models-query.ts";
import { useQuery } from "../queries/use-query.ts";

/** The models to choose from, once they are wanted; none where they could not be read. */
export function useModels(isWanted: boolean) {
  const { value } = useQuery(modelsQuery, isWanted);
  return (value ?? []).flatMap(({ models }) => models);
}
