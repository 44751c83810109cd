/** The pictures that this page has read: those of the signed-in account, unless a page provides others. */

import { createContext, useContext, useEffect } from "react";
import { currentSession, subscribeSession } from "../../accounts/session/session.ts";
import { onReturn } from "../../api/on-return.ts";
import { useStore } from "../../store/use-store.ts";
import { PictureCache, type PictureState } from "./picture-cache.ts";
import { readFileBytes } from "./read-file-bytes.ts";

/** Of the signed-in account. */
export const pictures = new PictureCache(readFileBytes);

let account = currentSession().user?.id;
subscribeSession(() => {
  const before = account;
  account = currentSession().user?.id;
  if (account !== before) pictures.clear();
});
onReturn(() => pictures.retryAll());

/** Where components get pictures from. A page that shows messages of somebody else provides its own cache. */
export const PicturesContext = createContext<PictureCache>(pictures);

export const usePictures = (): PictureCache => useContext(PicturesContext);

/**
 * Returns the state of a picture.
 * @param isWanted loads the picture and keeps it; a picture that was loaded before is shown without it
 */
export function usePicture(id: string, isWanted: boolean): PictureState {
  const cache = usePictures();
  const state = useStore(cache.state(id));
  useEffect(() => (isWanted ? cache.hold(id) : undefined), [cache, id, isWanted]);
  return state;
}
