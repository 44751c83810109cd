import { useMemo } from "react";
import { type AttachedFile, fileKindOf } from "#contract/files/files.ts";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import { filesOf } from "../chats/state/file-parts.ts";
import { frameStyle, pictureFrame, pictureGrid } from "../files/picture-frame.ts";
import { cx } from "../ui/components/cx.ts";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";

/** Loaded with the first message that has files. */
const filesModule = lazyModule(() => import("../files/shown/message-files.tsx"));

export function QuestionFiles({ message }: { message: ClientMessage }) {
  const { parts } = message;
  const files = useMemo(() => filesOf({ parts }), [parts]);
  if (files.length === 0) return null;
  return (
    <div className="mb-1.5 flex max-w-[92%] flex-col items-end sm:max-w-[85%]">
      <NamedFiles files={files} />
    </div>
  );
}

type NamedFilesProps = { files: readonly AttachedFile[]; isOfAnswer?: boolean };

/** Files of a message. Their room is reserved until their module is loaded. */
export function NamedFiles(props: NamedFilesProps) {
  const shown = useLazyModule(filesModule);
  return shown ? <shown.default {...props} /> : <Room {...props} />;
}

/** As large as the files, but for the lines of remarks. */
function Room({ files, isOfAnswer }: NamedFilesProps) {
  const pictures = files.filter(({ type }) => fileKindOf(type) === "picture");
  const [only, second] = pictures;
  const frame = second ? pictureGrid(pictures.length) : pictureFrame(only?.width, only?.height);
  return (
    <div className={cx("flex flex-wrap gap-2", !isOfAnswer && "justify-end")}>
      {only && (
        <div className={cx("flex w-full", !isOfAnswer && "justify-end")}>
          <div style={frameStyle(frame)} />
        </div>
      )}
      {files.slice(pictures.length).map(({ id }) => (
        <div key={id} className="h-14.5 w-72" />
      ))}
    </div>
  );
}
