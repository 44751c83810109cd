import { type ReactNode, useState } from "react";
import type { AttachedFile } from "#contract/files/files.ts";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";

const viewerModule = lazyModule(() => import("./view/file-viewer.tsx"));

/**
 * Opens files in the viewer, which is loaded with the first one.
 * @param files those that the viewer steps through
 */
export function useFileViewer(files: readonly AttachedFile[]): { open: (id: string) => void; viewer: ReactNode } {
  const [opened, setOpened] = useState<string | null>(null);
  const close = () => setOpened(null);
  const viewer = useLazyModule(viewerModule, opened !== null, close);
  const start = files.find(({ id }) => id === opened);
  return { open: setOpened, viewer: viewer && start && <viewer.default files={files} start={start} onClose={close} /> };
}
