/** The parts of a message as elements of the page. */

import "./parts.css";
import { type FilePart, type KnownPart, toKnownPart } from "#contract/conversation/known-parts.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import parts from "../../locales/en/parts.json";
import { registerTexts } from "../../locales/i18n.ts";
import type { BlockInsert } from "../../markdown/inserts.ts";
import { NamedFiles } from "../question-files.tsx";
import { NoticeLine } from "./notice-line.tsx";
import type { PartOwner, ShownParts } from "./part-types.ts";
import { Reasoning } from "./reasoning.tsx";

registerTexts("parts", parts);

export function shownParts(all: readonly MessagePart[], owner: PartOwner): ShownParts {
  const known = all.flatMap((part) => toKnownPart(part) ?? []);
  const elements = known.flatMap((part, index): BlockInsert[] => {
    const element =
      part.kind === "file"
        ? filesElement(part, known)
        : elementOf(part, owner, owner.isAtEnd && index === known.length - 1);
    return element ? [{ key: `${part.seq}`, at: part.at, element }] : [];
  });
  return {
    above: elements.filter(({ at }) => at === 0).map(({ element }) => element),
    inserts: elements.filter(({ at }) => at > 0),
    isBusy: owner.isAtEnd && known.at(-1)?.kind === "reasoning",
  };
}

/** Returns all files at the position of a part, if it is the first of them: they open in one viewer. */
function filesElement({ seq, at }: FilePart, known: readonly KnownPart[]) {
  const files = known.flatMap((part) => (part.kind === "file" && part.at === at ? [part] : []));
  if (files[0]?.seq !== seq) return null;
  return (
    <div key={seq} className="part-line part-files mb-3">
      <NamedFiles files={files} isOfAnswer />
    </div>
  );
}

function elementOf(part: Exclude<KnownPart, FilePart>, owner: PartOwner, isBusy: boolean) {
  if (part.kind === "reasoning") return <Reasoning key={part.seq} part={part} owner={owner} isBusy={isBusy} />;
  return part.kind === "notice" ? <NoticeLine key={part.seq} notice={part} /> : null;
}
