/** The parts of a message as elements of the page. */

import "./parts.css";
import { citedSources } from "#contract/conversation/citations/cited-sources.ts";
import { type FilePart, type KnownPart, type ToolPart, toKnownPart } from "#contract/conversation/known-parts.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import parts from "../../locales/en/parts.json";
import { registerTexts } from "../../locales/i18n.ts";
import type { BlockInsert } from "../../markdown/inserts.ts";
import { NamedFiles } from "../question-files.tsx";
import { citationsOf } from "../sources/citations.ts";
import { SourceList } from "../sources/source-list.tsx";
import { sourceMarksOf } from "../sources/source-marks.tsx";
import { NoticeLine } from "./notice-line.tsx";
import type { PartOwner, ShownParts } from "./part-types.ts";
import { Reasoning } from "./reasoning.tsx";
import { isActive, ToolCalls } from "./tool-line.tsx";

registerTexts("parts", parts);

export function shownParts(all: readonly MessagePart[], owner: PartOwner): ShownParts {
  const known = all.flatMap((part) => toKnownPart(part) ?? []);
  const elements = known.flatMap((part, index): BlockInsert[] => {
    const element = elementOf(part, owner, known, owner.isAtEnd && index === known.length - 1);
    return element ? [{ key: `${part.seq}`, at: part.at, element }] : [];
  });
  const sources = citedSources(all);
  return {
    above: elements.filter(({ at }) => at === 0).map(({ element }) => element),
    inserts: elements.filter(({ at }) => at > 0),
    ...(sources.length > 0 && { marks: sourceMarksOf(citationsOf(known)), below: <SourceList sources={sources} /> }),
    isBusy:
      (owner.isAtEnd && known.at(-1)?.kind === "reasoning") ||
      (owner.isWriting && known.some((part) => part.kind === "tool" && isActive(part))),
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

/** Returns all calls at the position of a part, if it is the first of them: they are one line. */
function callsElement({ seq, at }: ToolPart, known: readonly KnownPart[], owner: PartOwner) {
  const calls = known.flatMap((part) => (part.kind === "tool" && part.at === at ? [part] : []));
  return calls[0]?.seq === seq ? <ToolCalls key={seq} calls={calls} owner={owner} /> : null;
}

function elementOf(part: KnownPart, owner: PartOwner, known: readonly KnownPart[], isBusy: boolean) {
  switch (part.kind) {
    case "file":
      return filesElement(part, known);
    case "tool":
      return callsElement(part, known, owner);
    case "reasoning":
      return <Reasoning key={part.seq} part={part} owner={owner} isBusy={isBusy} />;
    case "notice":
      return <NoticeLine key={part.seq} notice={part} />;
    // It stands in the text and below it.
    case "source":
      return null;
  }
}
