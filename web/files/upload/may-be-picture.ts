/** Types of files whose kind a system does not know, as of HEIC and other new kinds. */
const UNKNOWN = ["", "application/octet-stream"];

/** Whether a file may have to be prepared, by its media type. An SVG is attached as its source. */
export const mayBePicture = ({ type }: File): boolean =>
  UNKNOWN.includes(type) || (type.startsWith("image/") && type !== "image/svg+xml");
