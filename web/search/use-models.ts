import { useEffect, useState } from "react";
import { type ModelGroup, modelListSchema } from "#contract/models.ts";
import { paths } from "#contract/paths.ts";
import { api } from "../api/client.ts";

/** The models to choose from, once they are wanted; none where they could not be read. */
export function useModels(isWanted: boolean) {
  const [groups, setGroups] = useState<ModelGroup[]>([]);
  useEffect(() => {
    if (!isWanted) return;
    const leaving = new AbortController();
    api.get(paths.models, modelListSchema, { signal: leaving.signal }).then(setGroups, () => {});
    return () => leaving.abort();
  }, [isWanted]);
  return groups.flatMap(({ models }) => models);
}
