import { useContext, useMemo } from "react";
import { Streamdown, type StreamdownProps } from "streamdown";
import { rehypeNotesAlone } from "./blocks/footnote-marks.ts";
import { isTooMarked } from "./costly-markup.ts";
import { LongText } from "./long-text.tsx";
import { ReplyContext } from "./reply-components.tsx";
import { rehypeSafeMarkdown } from "./reply-schema.ts";

const rehypePlugins = [rehypeSafeMarkdown, rehypeNotesAlone];
const asOne = (markdown: string) => [markdown];

type Parts = "remarkPlugins" | "remarkRehypeOptions" | "components" | "plugins";
type ReplyNotesProps = Pick<StreamdownProps, Parts> & { children: string };

/** The notes of a reply, below it. */
export function ReplyNotes({ children, ...rest }: ReplyNotesProps) {
  const { prefix } = useContext(ReplyContext);
  // The name of the notes is a title of the first level within the answer, though made as one of the second.
  const here = useMemo(() => ({ prefix, firstHeading: 2 }), [prefix]);
  if (isTooMarked(children)) return <LongText text={children} />;
  return (
    <ReplyContext value={here}>
      <Streamdown
        className="reply"
        rehypePlugins={rehypePlugins}
        parseMarkdownIntoBlocksFn={asOne}
        parseIncompleteMarkdown={false}
        controls={false}
        {...rest}
      >
        {children}
      </Streamdown>
    </ReplyContext>
  );
}
