import { useMemo } from "react";
import { type AttachedFile, fileKindOf } from "#contract/files/files.ts";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import { filesOf } from "../chats/state/file-parts.ts";
import { frameStyle, pictureFrame, pictureGrid } from "../files/picture-frame.ts";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";

/** Loaded with the first message that has files. */
const filesModule = lazyModule(() => import("../files/shown/message-files.tsx"));

/** The files of a question. Their room is reserved until their module is loaded. */
export function QuestionFiles({ message }: { message: ClientMessage }) {
  const { parts } = message;
  const files = useMemo(() => filesOf({ parts }), [parts]);
  const shown = useLazyModule(filesModule, files.length > 0);
  if (files.length === 0) return null;
  return (
    <div className="mb-1.5 flex max-w-[92%] flex-col items-end sm:max-w-[85%]">
      {shown ? <shown.default files={files} /> : <Room files={files} />}
    </div>
  );
}

/** As large as the files, but for the lines of remarks. */
function Room({ files }: { files: readonly AttachedFile[] }) {
  const pictures = files.filter(({ type }) => fileKindOf(type) === "picture");
  const [only, second] = pictures;
  const frame = second ? pictureGrid(pictures.length) : pictureFrame(only?.width, only?.height);
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {only && (
        <div className="flex w-full justify-end">
          <div style={frameStyle(frame)} />
        </div>
      )}
      {files.slice(pictures.length).map(({ id }) => (
        <div key={id} className="h-14.5 w-72" />
      ))}
    </div>
  );
}
