/** The blocks of a reply, each parsed and rendered for itself, and the disclosures that contain blocks. */

import { createContext, Fragment, memo, type ReactNode, useContext, useMemo, useState } from "react";
import remarkBreaks from "remark-breaks";
import remarkCjkFriendly from "remark-cjk-friendly/parseOnly";
import remarkCjkStrikethrough from "remark-cjk-friendly-gfm-strikethrough/parseOnly";
import remarkGfm from "remark-gfm";
import { Block, type BlockProps, defaultRemarkPlugins, Streamdown, type StreamdownProps } from "streamdown";
import { endBareAddresses } from "#contract/text/bare-addresses.ts";
import { gfmOptions } from "#contract/text/gfm-options.ts";
import { remarkAlerts } from "./alerts.tsx";
import { BlockSplitter } from "./blocks/block-splitter.ts";
import { readCodeFence } from "./blocks/code-fence.ts";
import { type Disclosure, readDisclosure } from "./blocks/disclosure.ts";
import { type FootnoteMarks, marksOf, remarkFootnoteMarks } from "./blocks/footnote-marks.ts";
import type { NoteNumbers } from "./blocks/footnotes.ts";
import { remarkUnderlinedWords } from "./blocks/underlined-words.ts";
import { CodeBlock } from "./code/code-block.tsx";
import { isTooMarked } from "./costly-markup.ts";
import { remarkDisclosures } from "./html/nested-disclosures.ts";
import { remarkHtml } from "./html/remark-html.ts";
import { insertsOfBlock, NO_POSITIONED_INSERTS, type PositionedInsert } from "./inserts.ts";
import { LongText } from "./plain/long-text.tsx";
import { blocksWithinBudget, withPlainEnd } from "./render-budget.ts";
import { ReplyDetails, SeamLine } from "./reply-components.tsx";
import { remarkSeams, seamsOfBlock } from "./seams.ts";
import { type MarkSpan, marksOfBlock, remarkTextMarks } from "./text-marks.ts";

type Tree = Parameters<typeof endBareAddresses>[0];
const remarkBareAddresses = () => (tree: Tree, file: { value: unknown }) => endBareAddresses(tree, String(file.value));

const { gfm: _, ...otherDefaults } = defaultRemarkPlugins;
export const remarkPlugins: NonNullable<StreamdownProps["remarkPlugins"]> = [
  ...[remarkDisclosures, remarkAlerts],
  [remarkGfm, gfmOptions],
  remarkCjkFriendly,
  [remarkCjkStrikethrough, gfmOptions],
  ...Object.values(otherDefaults),
  ...[remarkBareAddresses, remarkBreaks, remarkHtml, remarkUnderlinedWords],
];
/** Number of plugins that run before those of marks, seams and notes, which split text. */
const BEFORE_SEAMS = 2;
/** Deeper disclosures are parsed with the block around them. */
const DEEPEST = 5;

/** State that all blocks of one reply, or of one disclosure in it, share. */
export type SharedBlockState = {
  splitter: BlockSplitter;
  seams: readonly number[];
  marks: readonly MarkSpan[];
  inserts: readonly PositionedInsert[];
  prefix: string;
  numbers: NoteNumbers;
  /** Returns the latest blocks, in a disclosure with the text of the reply around them. */
  blocks: () => readonly string[];
  /** Number of entries of `blocks` before the first block. */
  before: number;
  /** Index of the block that is shown as plain text; the number of blocks if there is none. */
  plainFrom: () => number;
  depth: number;
};

export type Blocks = { now: string[]; plainFrom: number };

export const SharedBlockContext = createContext<SharedBlockState | null>(null);

/** Splits Markdown into blocks within the render budget, and notes them in `blocks`. */
export function splitWithinBudget(splitter: BlockSplitter, blocks: Blocks, markdown: string, isGrowing: boolean) {
  const cut = isGrowing ? splitter.split(markdown) : splitter.splitWhole(markdown);
  blocks.plainFrom = blocksWithinBudget(cut);
  blocks.now = blocks.plainFrom < cut.length ? withPlainEnd(cut, blocks.plainFrom) : cut;
  return blocks.now;
}

const NO_BESIDE = { above: NO_POSITIONED_INSERTS, below: NO_POSITIONED_INSERTS };

/** Renders one block, with the elements that stand above and below it. */
export const ReplyBlock = memo(function ReplyBlock(props: BlockProps) {
  const state = useContext(SharedBlockContext);
  const { above, below } =
    state && state.inserts.length > 0 ? insertsOfBlock(state.inserts, state.blocks(), props.index) : NO_BESIDE;
  return (
    <>
      <BlockInserts of={above} />
      <FormattedBlock {...props} />
      <BlockInserts of={below} />
    </>
  );
});

export function BlockInserts({ of }: { of: readonly Pick<PositionedInsert, "key" | "element">[] }) {
  return of.map(({ key, element }) => <Fragment key={key}>{element}</Fragment>);
}

/** A block that is a single code fence skips the Markdown parser: an update costs its last lines. */
function FormattedBlock(props: BlockProps) {
  const { content, index, isIncomplete, remarkPlugins: plugins = remarkPlugins } = props;
  const state = useContext(SharedBlockContext);
  const at =
    state && state.seams.length > 0 ? seamsOfBlock(state.seams, state.blocks(), state.before + index).join() : "";
  const noted = state && state.numbers.size > 0 ? marksOf(state.numbers, state.blocks(), state.before + index) : null;
  const notes = state && noted ? JSON.stringify({ prefix: state.prefix, marks: noted } satisfies FootnoteMarks) : "";
  const marked = state && state.marks.length > 0 ? marksOfBlock(state.marks, state.blocks(), state.before + index) : [];
  const marks = marked.length > 0 ? JSON.stringify(marked) : "";
  const own = useMemo<typeof plugins>(() => {
    const noteMarks: FootnoteMarks | null = notes === "" ? null : JSON.parse(notes);
    const all: typeof plugins = [...plugins];
    if (at !== "") all.splice(BEFORE_SEAMS, 0, [remarkSeams, { at: at.split(",").map(Number) }]);
    if (noteMarks) all.splice(BEFORE_SEAMS, 0, [remarkFootnoteMarks, noteMarks]);
    if (marks !== "") all.splice(BEFORE_SEAMS, 0, [remarkTextMarks, { marks: JSON.parse(marks) }]);
    return all;
  }, [plugins, at, notes, marks]);
  if (state && index === state.plainFrom()) return <LongText text={content} />;
  const fence = readCodeFence(content);
  if (fence) {
    const isClosed = fence.isClosed || !isIncomplete;
    return (
      <WithSeamLine block={<CodeBlock language={fence.language} code={fence.code} isClosed={isClosed} />} at={at} />
    );
  }
  const disclosure = state && state.depth < DEEPEST ? readDisclosure(content) : null;
  if (state && disclosure) return <DisclosureBlock {...{ props, plugins: own, state, disclosure, at }} />;
  const block = isTooMarked(content) ? (
    <WithSeamLine block={<LongText text={content} />} at={at} />
  ) : (
    <Block {...props} remarkPlugins={own} />
  );
  return state?.splitter.isContinued(content) ? <div className="reply-continued">{block}</div> : block;
}

function WithSeamLine({ block, at }: { block: ReactNode; at: string }) {
  return (
    <>
      {block}
      {at !== "" && <SeamLine />}
    </>
  );
}

type DisclosureBlockProps = {
  props: BlockProps;
  /** Plugins of the block, with its seams and notes. */
  plugins: NonNullable<BlockProps["remarkPlugins"]>;
  state: SharedBlockState;
  disclosure: Disclosure;
  /** Seams of the block, joined by commas. */
  at: string;
};

/** A disclosure at the beginning of a block. Its body is split like a reply: an update costs its last block. */
function DisclosureBlock({ props, plugins, state, disclosure, at }: DisclosureBlockProps) {
  const { content, components } = props;
  const { start, end, summary, afterStart, isClosed } = disclosure;
  const inline = useMemo(() => ({ ...components, p: WithoutParagraph }), [components]);
  const isSeamInTags = at.split(",").some((seam) => seam !== "" && !isBetween(Number(seam), start, end, afterStart));
  const shared = { props, state, block: content };
  return (
    <>
      <ReplyDetails
        open={disclosure.isOpen}
        summary={
          summary === "" || isTooMarked(summary) ? (
            summary
          ) : (
            <Block {...props} content={summary} components={inline} remarkPlugins={withoutPositions(plugins)} />
          )
        }
      >
        <InnerBlocks {...shared} start={start} end={end} isClosed={isClosed} className="reply-disclosed" />
      </ReplyDetails>
      {isSeamInTags && <SeamLine />}
      {content.slice(afterStart).trim() !== "" && (
        <InnerBlocks {...shared} start={afterStart} end={content.length} isClosed={false} className="reply-beside" />
      )}
    </>
  );
}

const isBetween = (seam: number, start: number, end: number, afterStart: number) =>
  (seam >= start && seam < end) || seam >= afterStart;

const WithoutParagraph = ({ children }: { children?: ReactNode }) => <>{children}</>;

type Plugins = NonNullable<StreamdownProps["remarkPlugins"]>;

/** The summary is parsed apart from its block, in which the positions of seams and marks are counted. */
const withoutPositions = (plugins: Plugins): Plugins =>
  plugins.filter((plugin) => !(Array.isArray(plugin) && (plugin[0] === remarkSeams || plugin[0] === remarkTextMarks)));

type InnerBlocksProps = {
  props: BlockProps;
  state: SharedBlockState;
  block: string;
  start: number;
  end: number;
  isClosed: boolean;
  className: string;
};

/** Renders a section of a block as blocks of their own. */
function InnerBlocks({ props, state: outer, block, start, end, isClosed, className }: InnerBlocksProps) {
  const { index, isIncomplete, components, remarkPlugins: plugins = remarkPlugins, ...rest } = props;
  const [splitter] = useState(() => new BlockSplitter());
  const [blocks] = useState(() => ({ now: [] as string[], plainFrom: 0, rest: "" }));
  blocks.rest = block.slice(end);
  const lead = block.slice(0, start);
  const state = useMemo((): SharedBlockState => {
    const at = outer.before + index;
    return {
      ...outer,
      // They stand above the block around this one.
      inserts: NO_POSITIONED_INSERTS,
      splitter,
      blocks: () => [...outer.blocks().slice(0, at), lead, ...blocks.now, `${blocks.rest} `],
      before: at + 1,
      plainFrom: () => blocks.plainFrom,
      depth: outer.depth + 1,
    };
  }, [outer, splitter, blocks, index, lead]);
  const split = useMemo(
    () => (markdown: string) => splitWithinBudget(splitter, blocks, markdown, !isClosed),
    [splitter, blocks, isClosed],
  );
  return (
    <SharedBlockContext value={state}>
      <Streamdown
        className={className}
        {...(components && { components })}
        remarkPlugins={plugins}
        {...(rest.rehypePlugins && { rehypePlugins: rest.rehypePlugins })}
        {...(rest.remarkRehypeOptions && { remarkRehypeOptions: rest.remarkRehypeOptions })}
        parseMarkdownIntoBlocksFn={split}
        BlockComponent={ReplyBlock}
        parseIncompleteMarkdown={false}
        isAnimating={isIncomplete}
        controls={false}
      >
        {block.slice(start, end)}
      </Streamdown>
    </SharedBlockContext>
  );
}
