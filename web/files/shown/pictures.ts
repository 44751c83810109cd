/** The pictures of the signed-in account that this page has read. */

import { useEffect } from "react";
import { currentSession, subscribeSession } from "../../accounts/session/session.ts";
import { onReturn } from "../../api/on-return.ts";
import { useStore } from "../../store/use-store.ts";
import { PictureCache, type PictureState } from "./picture-cache.ts";
import { readFileBytes } from "./read-file-bytes.ts";

export const pictures = new PictureCache(readFileBytes);

let account = currentSession().user?.id;
subscribeSession(() => {
  const before = account;
  account = currentSession().user?.id;
  if (account !== before) pictures.clear();
});
onReturn(() => pictures.retryAll());

/**
 * Returns the state of a picture.
 * @param isWanted loads the picture and keeps it; a picture that was loaded before is shown without it
 */
export function usePicture(id: string, isWanted: boolean): PictureState {
  const state = useStore(pictures.state(id));
  useEffect(() => (isWanted ? pictures.hold(id) : undefined), [id, isWanted]);
  return state;
}
