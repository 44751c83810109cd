import { useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Components, Streamdown } from "streamdown";
import { nestFences } from "#contract/text/nested-fences.ts";
import { useAfterPointer } from "../ui/use-after-pointer.ts";
import { BlockSplitter } from "./blocks/block-splitter.ts";
import { type Note, splitFootnotes } from "./blocks/footnotes.ts";
import { firstHeadingOf } from "./blocks/heading-levels.ts";
import { stablePrefix } from "./blocks/stable-prefix.ts";
import { DepthSearch } from "./costly-markup.ts";
import { rehypePluginsFor } from "./directions.ts";
import { ReplyNotes } from "./footnote-list.tsx";
import { type BlockInsert, NO_INSERTS, type PositionedInsert, positionInserts } from "./inserts.ts";
import { useMaths } from "./maths/use-maths.ts";
import { LongText } from "./plain/long-text.tsx";
import { PlainReply } from "./plain/plain-reply.tsx";
import { splitAtRenderBudget } from "./render-budget.ts";
import {
  BlockInserts,
  type Blocks,
  ReplyBlock,
  remarkPlugins,
  SharedBlockContext,
  type SharedBlockState,
  splitWithinBudget,
} from "./reply-blocks.tsx";
import { ReplyContext, replyComponents } from "./reply-components.tsx";
import { NO_SEAMS, visibleSeams } from "./seams.ts";
import { type MarkSpan, markSpans, NO_MARKS, type TextMark } from "./text-marks.ts";

let allComponents: Components | null = null;

function withFormulas(formulas: Components): Components {
  allComponents ??= { ...replyComponents, ...formulas };
  return allComponents;
}

type MarkdownReplyProps = {
  text: string;
  seams?: readonly number[];
  inserts?: readonly BlockInsert[];
  marks?: readonly TextMark[];
  isGrowing: boolean;
  prefix: string;
};

/** Renders a Markdown reply. Too deeply nested replies, blocks with too many marks and text over budget stay plain. */
export function MarkdownReply(props: MarkdownReplyProps) {
  const [written] = splitAtRenderBudget(props.text);
  const [depths] = useState(() => new DepthSearch());
  return depths.find(written) ? (
    <>
      <BlockInserts of={props.inserts ?? NO_INSERTS} />
      <PlainReply text={props.text} />
    </>
  ) : (
    <FormattedReply {...props} />
  );
}

function FormattedReply({ text: whole, prefix, seams = NO_SEAMS, inserts = NO_INSERTS, ...now }: MarkdownReplyProps) {
  const [written, rest] = splitAtRenderBudget(whole);
  // The change at the end of the stream is rendered at low priority.
  const isGrowing = useDeferredValue(now.isGrowing);
  const isOpen = isGrowing && rest === "";
  const { text, positionOf } = useMemo(() => nestFences(written, isOpen), [written, isOpen]);
  const [splitter] = useState(() => new BlockSplitter());
  const { maths, awaitedFrom } = useMaths(text);
  const plugins = useMemo(() => (maths ? { math: maths.maths } : {}), [maths]);
  const components = maths ? withFormulas(maths.formulaComponents) : replyComponents;
  const [blocks] = useState<Blocks>({ now: [], plainFrom: 0 });
  const split = useMemo(
    () => (markdown: string) => splitWithinBudget(splitter, blocks, markdown, isGrowing),
    [splitter, blocks, isGrowing],
  );
  // Streamdown searches all of a growing last block at each update. A last block that is plain text needs no completion.
  const isOpenEnded = isGrowing && blocks.plainFrom >= blocks.now.length;
  const stable = useStableText(text, isOpen, awaitedFrom);
  const rewritten = useMemo(() => (maths ? maths.rewriteFormulas(stable) : unchanged(stable)), [maths, stable]);
  const shown = rewritten.text;
  const notes = useMemo(() => splitFootnotes(shown, isGrowing), [shown, isGrowing]);
  const positionInShown = (at: number) => rewritten.positionOf(positionOf(at));
  const seamPositions = visibleSeams(seams.map(positionInShown), shown).map(notes.positionInBody);
  const positioned = usePressed(
    positionInserts(inserts, notes.body, (at) => notes.positionInBody(positionInShown(at))),
  );
  const marks = markSpans(now.marks ?? NO_MARKS, whole, notes.body, (at) => notes.positionInBody(positionInShown(at)));
  const firstHeading = useMemo(() => firstHeadingOf(shown), [shown]);
  const rehypePlugins = useMemo(() => rehypePluginsFor(text), [text]);
  const numbers = notes.numbers;
  const state = useSharedBlockState({ splitter, blocks, seamPositions, marks, inserts: positioned, prefix, numbers });
  const here = useMemo(() => ({ prefix, firstHeading }), [prefix, firstHeading]);
  const remarkRehypeOptions = useFootnoteOptions(prefix);
  return (
    <SharedBlockContext value={state}>
      <ReplyContext value={here}>
        <Streamdown
          className={isGrowing ? "reply reply-growing" : "reply"}
          components={components}
          remarkPlugins={remarkPlugins}
          rehypePlugins={rehypePlugins}
          remarkRehypeOptions={remarkRehypeOptions}
          parseMarkdownIntoBlocksFn={split}
          BlockComponent={ReplyBlock}
          plugins={plugins}
          parseIncompleteMarkdown={isOpenEnded && !hasPre(notes.body)}
          isAnimating={isOpenEnded}
          controls={false}
        >
          {notes.body}
        </Streamdown>
        {/* An empty body has no block beside which they could stand. */}
        {notes.body === "" && <BlockInserts of={positioned} />}
        {notes.section !== "" && (
          <ReplyNotes {...{ remarkPlugins, rehypePlugins, remarkRehypeOptions, components, plugins }}>
            {notes.section}
          </ReplyNotes>
        )}
        {rest !== "" && <LongText text={rest} />}
      </ReplyContext>
    </SharedBlockContext>
  );
}

const unchanged = (text: string) => ({ text, positionOf: (at: number) => at });

/** Returns the text, of an open reply (`isOpen`) only what further text does not change. */
function useStableText(text: string, isOpen: boolean, awaitedFrom: number | null): string {
  return useMemo(() => {
    if (!isOpen) return text;
    return stablePrefix(awaitedFrom === null ? text : text.slice(0, awaitedFrom));
  }, [isOpen, text, awaitedFrom]);
}

/** Returns the texts of footnotes. Several replies on one page may have some: the prefix keeps their ids unique. */
function useFootnoteOptions(prefix: string | undefined) {
  const { t } = useTranslation("chat");
  return useMemo(
    () => ({
      clobberPrefix: `${prefix}-`,
      footnoteLabel: t("footnotes.label"),
      footnoteBackLabel: (reference: number, again: number) =>
        t("footnotes.back", { name: again > 1 ? `${reference + 1}-${again}` : reference + 1 }),
    }),
    [prefix, t],
  );
}

/** In preformatted HTML the marks of Markdown are text, which must not be completed. */
const hasPre = (text: string) => /^ {0,3}<pre[\s>]/im.test(text);

type SharedBlockDeps = Pick<SharedBlockState, "splitter" | "prefix" | "numbers" | "inserts" | "marks"> & {
  blocks: Blocks;
  seamPositions: readonly number[];
};

/** Returns a state that is referentially stable until a seam, a mark, an insert or a note changes, so that no block is rendered again. */
function useSharedBlockState({
  splitter,
  blocks,
  seamPositions,
  marks,
  inserts,
  prefix,
  numbers,
}: SharedBlockDeps): SharedBlockState {
  const at = seamPositions.join();
  const [standing, setStanding] = useState(inserts);
  if (!isSameInserts(standing, inserts)) setStanding(inserts);
  const notes = JSON.stringify([...numbers]);
  const spans = JSON.stringify(marks);
  return useMemo(() => {
    const entries: [string, Note][] = JSON.parse(notes);
    const standingMarks: MarkSpan[] = JSON.parse(spans);
    return {
      splitter,
      prefix,
      blocks: () => blocks.now,
      before: 0,
      depth: 0,
      plainFrom: () => blocks.plainFrom,
      inserts: standing,
      marks: standingMarks,
      seams: at === "" ? [] : at.split(",").map(Number),
      numbers: new Map(entries),
    };
  }, [splitter, prefix, blocks, at, spans, standing, notes]);
}

function isSameInserts(some: readonly PositionedInsert[], others: readonly PositionedInsert[]): boolean {
  return (
    some.length === others.length &&
    some.every((one, index) => {
      const other = others[index];
      return one.before === other?.before && one.isAtEnd === other.isAtEnd && one.element === other.element;
    })
  );
}

/**
 * Keeps the inserts at the end where they are while a pointer is held down. Text that continues the block above them
 * would move them above that block, and the click would miss the pressed one.
 */
function usePressed(positioned: readonly PositionedInsert[]): readonly PositionedInsert[] {
  const atEnd = JSON.stringify(positioned.filter(({ isAtEnd }) => isAtEnd).map(({ key }) => key));
  const shown = useAfterPointer(atEnd);
  if (shown === atEnd) return positioned;
  const held: string[] = JSON.parse(shown);
  return positioned.map((insert) => (held.includes(insert.key) ? { ...insert, isAtEnd: true } : insert));
}
