import { fileKindOf } from "#contract/files/files.ts";

/** Whether a file may have to be prepared. */
export const mayBePicture = ({ name, type }: File): boolean =>
  fileKindOf(type) === "picture" || /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);
