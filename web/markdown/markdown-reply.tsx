import { createContext, memo, type ReactNode, useContext, useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import remarkBreaks from "remark-breaks";
import { Block, type BlockProps, type Components, defaultRemarkPlugins, Streamdown } from "streamdown";
import { remarkAlerts } from "./alerts.tsx";
import { BlockSplitter } from "./blocks/block-splitter.ts";
import { readCodeFence } from "./blocks/code-fence.ts";
import { marksOf, type NoteMarks, remarkNoteMarks } from "./blocks/footnote-marks.ts";
import { type Note, type NoteNumbers, splitFootnotes } from "./blocks/footnotes.ts";
import { firstHeadingOf } from "./blocks/heading-levels.ts";
import { stablePrefix } from "./blocks/stable-prefix.ts";
import { remarkUnderlinedWords } from "./blocks/underlined-words.ts";
import { CodeBlock } from "./code/code-block.tsx";
import { isTooDeep, isTooMarked } from "./costly-markup.ts";
import { ReplyNotes } from "./footnote-list.tsx";
import { remarkInlineHtml } from "./html/inline-html.ts";
import { LongText } from "./long-text.tsx";
import { useMaths } from "./maths/use-maths.ts";
import { PlainReply } from "./plain-reply.tsx";
import { blocksWithinBudget, splitAtRenderBudget, withPlainEnd } from "./render-budget.ts";
import { ReplyContext, replyComponents, SeamLine } from "./reply-components.tsx";
import { rehypeSafeMarkdown } from "./reply-schema.ts";
import { NO_SEAMS, remarkSeams, seamsOfBlock, visibleSeams } from "./seams.ts";

const remarkPlugins = [
  remarkAlerts,
  ...[...Object.values(defaultRemarkPlugins), remarkBreaks, remarkInlineHtml, remarkUnderlinedWords],
];
/** Number of plugins that run before those of seams and notes, which split text. */
const BEFORE_SEAMS = 1;
const rehypePlugins = [rehypeSafeMarkdown];

/** State that all blocks of one reply share. `blocks` returns the latest split. */
type ReplyFrame = {
  splitter: BlockSplitter;
  seams: readonly number[];
  prefix: string;
  numbers: NoteNumbers;
  blocks: () => readonly string[];
  /** Index of the block that is shown as plain text; the number of blocks if there is none. */
  plainFrom: () => number;
};

type Blocks = { now: string[]; plainFrom: number };

const FrameContext = createContext<ReplyFrame | null>(null);

/** Renders one block. A block that is a single code fence skips the Markdown parser: an update costs its last lines. */
const ReplyBlock = memo(function ReplyBlock(props: BlockProps) {
  const { content, index, isIncomplete, remarkPlugins: plugins = remarkPlugins } = props;
  const frame = useContext(FrameContext);
  const at = frame && frame.seams.length > 0 ? seamsOfBlock(frame.seams, frame.blocks(), index).join() : "";
  const marks = frame && frame.numbers.size > 0 ? marksOf(frame.numbers, frame.blocks(), index) : null;
  const notes = frame && marks ? JSON.stringify({ prefix: frame.prefix, marks } satisfies NoteMarks) : "";
  const own = useMemo<typeof plugins>(() => {
    const noteMarks: NoteMarks | null = notes === "" ? null : JSON.parse(notes);
    const all: typeof plugins = [...plugins];
    if (at !== "") all.splice(BEFORE_SEAMS, 0, [remarkSeams, { at: at.split(",").map(Number) }]);
    if (noteMarks) all.splice(BEFORE_SEAMS, 0, [remarkNoteMarks, noteMarks]);
    return all;
  }, [plugins, at, notes]);
  if (frame && index === frame.plainFrom()) return <LongText text={content} />;
  const fence = readCodeFence(content);
  if (fence) {
    const isClosed = fence.isClosed || !isIncomplete;
    return (
      <WithSeamLine block={<CodeBlock language={fence.language} code={fence.code} isClosed={isClosed} />} at={at} />
    );
  }
  const block = isTooMarked(content) ? (
    <WithSeamLine block={<LongText text={content} />} at={at} />
  ) : (
    <Block {...props} remarkPlugins={own} />
  );
  return frame?.splitter.isContinued(content) ? <div className="reply-continued">{block}</div> : block;
});

function WithSeamLine({ block, at }: { block: ReactNode; at: string }) {
  return (
    <>
      {block}
      {at !== "" && <SeamLine />}
    </>
  );
}

let allComponents: Components | null = null;

function withFormulas(formulas: Components): Components {
  allComponents ??= { ...replyComponents, ...formulas };
  return allComponents;
}

type MarkdownReplyProps = { text: string; seams?: readonly number[]; isGrowing: boolean; prefix: string };

/** Renders a Markdown reply. Too deeply nested replies, blocks with too many marks and text over budget stay plain. */
export function MarkdownReply(props: MarkdownReplyProps) {
  return isTooDeep(props.text) ? <PlainReply text={props.text} /> : <FormedReply {...props} />;
}

function FormedReply({ text: whole, prefix, seams = NO_SEAMS, ...now }: MarkdownReplyProps) {
  const { t } = useTranslation("chat");
  const [text, rest] = splitAtRenderBudget(whole);
  // The change at the end of the stream is rendered at low priority.
  const isGrowing = useDeferredValue(now.isGrowing);
  const [splitter] = useState(() => new BlockSplitter());
  const { maths, awaitedFrom } = useMaths(text);
  const plugins = useMemo(() => (maths ? { math: maths.maths } : {}), [maths]);
  const components = maths ? withFormulas(maths.formulaComponents) : replyComponents;
  const [blocks] = useState<Blocks>({ now: [], plainFrom: 0 });
  const split = useMemo(
    () => (markdown: string) => {
      const cut = isGrowing ? splitter.split(markdown) : splitter.splitWhole(markdown);
      blocks.plainFrom = blocksWithinBudget(cut);
      blocks.now = blocks.plainFrom < cut.length ? withPlainEnd(cut, blocks.plainFrom) : cut;
      return blocks.now;
    },
    [splitter, blocks, isGrowing],
  );
  const steady = useMemo(() => {
    if (!isGrowing || rest !== "") return text;
    return stablePrefix(awaitedFrom === null ? text : text.slice(0, awaitedFrom));
  }, [isGrowing, rest, text, awaitedFrom]);
  const shown = maths ? maths.dollarFormulas(steady) : steady;
  const notes = useMemo(() => splitFootnotes(shown, isGrowing), [shown, isGrowing]);
  const places = visibleSeams(
    maths ? seams.map((seam) => maths.dollarFormulas(text.slice(0, seam)).length) : seams,
    shown,
  ).map(notes.placeInBody);
  const firstHeading = useMemo(() => firstHeadingOf(shown), [shown]);
  const frame = useFrame({ splitter, blocks, places, prefix, numbers: notes.numbers });
  const here = useMemo(() => ({ prefix, firstHeading }), [prefix, firstHeading]);
  // Several replies on one page may have footnotes: the prefix keeps their ids unique.
  const remarkRehypeOptions = useMemo(
    () => ({
      clobberPrefix: `${prefix}-`,
      footnoteLabel: t("footnotes.label"),
      footnoteBackLabel: (reference: number, again: number) =>
        t("footnotes.back", { name: again > 1 ? `${reference + 1}-${again}` : reference + 1 }),
    }),
    [prefix, t],
  );
  return (
    <FrameContext value={frame}>
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
          parseIncompleteMarkdown={isGrowing}
          isAnimating={isGrowing}
          controls={false}
        >
          {notes.body}
        </Streamdown>
        {notes.section !== "" && (
          <ReplyNotes {...{ remarkPlugins, remarkRehypeOptions, components, plugins }}>{notes.section}</ReplyNotes>
        )}
        {rest !== "" && <LongText text={rest} />}
      </ReplyContext>
    </FrameContext>
  );
}

type FrameParts = Pick<ReplyFrame, "splitter" | "prefix" | "numbers"> & { blocks: Blocks; places: readonly number[] };

/** Returns a frame that is referentially stable until a seam or a note changes, so that no block is rendered again. */
function useFrame({ splitter, blocks, places, prefix, numbers }: FrameParts): ReplyFrame {
  const at = places.join();
  const notes = JSON.stringify([...numbers]);
  return useMemo(() => {
    const entries: [string, Note][] = JSON.parse(notes);
    return {
      splitter,
      prefix,
      blocks: () => blocks.now,
      plainFrom: () => blocks.plainFrom,
      seams: at === "" ? [] : at.split(",").map(Number),
      numbers: new Map(entries),
    };
  }, [splitter, prefix, blocks, at, notes]);
}
