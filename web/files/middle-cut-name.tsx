import { tooltip } from "../ui/tooltips/tooltip.ts";

/** Characters at the end of a name that stay visible: an ending, and what sets `scan-1.pdf` and `scan-2.pdf` apart. */
const END = 9;

/** A file name on one line. A long one is cut in the middle, by CSS: screen readers get all of it. */
export function MiddleCutName({ name }: { name: string }) {
  const characters = [...name];
  const at = Math.max(0, characters.length - END);
  // With a direction of its own: in an Arabic line, `report (1).pdf` stays as it is.
  return (
    <bdi className="flex min-w-0 max-w-full">
      <span className="sr-only">{name}</span>
      <span aria-hidden="true" className="truncate whitespace-pre" {...tooltip(name, { isForCutText: true })}>
        {characters.slice(0, at).join("")}
      </span>
      <span aria-hidden="true" className="shrink-0 whitespace-pre">
        {characters.slice(at).join("")}
      </span>
    </bdi>
  );
}
