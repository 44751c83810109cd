import type { Locator } from "@playwright/test";

/** What is dragged from another program. `files`: absolute paths of files and folders; `link`: an address. */
export type Dragged = { files?: string[]; link?: string };

/** Drags files or a link over an element, by DevTools input events. @returns a function that drops them there */
export async function dragOver(target: Locator, { files = [], link }: Dragged): Promise<() => Promise<void>> {
  const devtools = await target.page().context().newCDPSession(target.page());
  const box = await target.boundingBox();
  if (!box) throw new Error("The target is not on the screen");
  const position = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const items = link === undefined ? [] : [{ mimeType: "text/uri-list", data: link }];
  const data = { items, files, dragOperationsMask: 1 };
  const send = (type: "dragEnter" | "dragOver" | "drop") =>
    devtools.send("Input.dispatchDragEvent", { type, ...position, data });
  await send("dragEnter");
  await send("dragOver");
  return async () => {
    await send("drop");
    await devtools.detach();
  };
}
