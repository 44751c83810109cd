/** The parts of a message as elements of the page. */

import "./parts.css";
import { type KnownPart, toKnownPart } from "#contract/conversation/known-parts.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import parts from "../../locales/en/parts.json";
import { registerTexts } from "../../locales/i18n.ts";
import type { BlockInsert } from "../../markdown/inserts.ts";
import { NoticeLine } from "./notice-line.tsx";
import type { PartOwner, ShownParts } from "./part-types.ts";
import { Reasoning } from "./reasoning.tsx";

registerTexts("parts", parts);

export function shownParts(all: readonly MessagePart[], owner: PartOwner): ShownParts {
  const known = all.flatMap((part) => toKnownPart(part) ?? []);
  const elements = known.flatMap((part, index): BlockInsert[] => {
    const element = elementOf(part, owner, owner.isAtEnd && index === known.length - 1);
    return element ? [{ key: `${part.seq}`, at: part.at, element }] : [];
  });
  return {
    above: elements.filter(({ at }) => at === 0).map(({ element }) => element),
    inserts: elements.filter(({ at }) => at > 0),
    isBusy: owner.isAtEnd && known.at(-1)?.kind === "reasoning",
  };
}

function elementOf(part: KnownPart, owner: PartOwner, isBusy: boolean) {
  if (part.kind === "reasoning") return <Reasoning key={part.seq} part={part} owner={owner} isBusy={isBusy} />;
  return part.kind === "notice" ? <NoticeLine key={part.seq} notice={part} /> : null;
}
