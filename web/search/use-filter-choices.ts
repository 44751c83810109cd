import { useEffect, useState } from "react";
import { type Folder, folderListSchema } from "#contract/folders.ts";
import { type ModelGroup, modelListSchema } from "#contract/models.ts";
import { paths } from "#contract/paths.ts";
import { api } from "../api/client.ts";

/** Folders and models to choose from, once they are wanted; those that could not be read are left out. */
export function useFilterChoices(isWanted: boolean) {
  const [folders, setFolders] = useState<Folder[]>([]);
  const [groups, setGroups] = useState<ModelGroup[]>([]);
  useEffect(() => {
    if (!isWanted) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    api.get(paths.folders, folderListSchema, { signal }).then(setFolders, () => {});
    api.get(paths.models, modelListSchema, { signal }).then(setGroups, () => {});
    return () => leaving.abort();
  }, [isWanted]);
  return { folders, models: groups.flatMap(({ models }) => models) };
}
