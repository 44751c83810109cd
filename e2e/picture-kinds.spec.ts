/** Pictures of kinds that the server does not accept: the browser converts them, or their refusal names the kind. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { avifPicture, bmpOf, icoOf, tiffOf } from "../testing/files/foreign-pictures.ts";
import { attach, attachedFilesSettled, attachedRow } from "./attached-files.ts";
import { expect, test } from "./chat-screen.ts";
import { dragOver } from "./drags.ts";

const heic = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08mdat", "latin1");

test("AVIF, BMP and icon pictures are converted before the upload, and sent to the model", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open();
  await attach(
    page,
    { name: "view.avif", type: "image/avif", bytes: avifPicture },
    { name: "screen.bmp", type: "image/bmp", bytes: bmpOf(40, 30) },
    { name: "icon.ico", type: "image/x-icon", bytes: icoOf(32, 16) },
    // A file without an ending has no type.
    { name: "scan", type: "", bytes: avifPicture },
  );
  await attachedFilesSettled(page);
  for (const name of ["view.jpg", "screen.png", "icon.png", "scan.jpg"]) {
    await expect(attachedRow(page).getByRole("img", { name, exact: true })).toBeVisible();
  }
  await chat.ask("What is this?");
  const sent = JSON.stringify(provider.chats.at(-1)?.body);
  const pictures = [...sent.matchAll(/data:image\/(\w+);base64,([^"]+)/g)];
  expect(pictures.map(([, type]) => type)).toEqual(["jpeg", "png", "png", "jpeg"]);
  const sizeOf = (at: number) => {
    const png = Buffer.from(pictures[at]?.[2] ?? "", "base64");
    return [png.readUInt32BE(16), png.readUInt32BE(20)];
  };
  expect([sizeOf(1), sizeOf(2)]).toEqual([
    [40, 30],
    [32, 16],
  ]);
});

test("a picture that the browser cannot read is refused by its kind, whichever way it is attached", async ({
  chat,
  page,
}) => {
  await chat.open();
  const message = page.getByRole("region", { name: "Notifications" });
  const dismiss = () => message.getByRole("button", { name: "Close" }).first().click();
  const kinds = "JPEG, PNG, WebP, GIF, AVIF, and BMP can.";
  await attach(page, { name: "scan.tiff", type: "image/tiff", bytes: tiffOf(40, 30) });
  await expect(message).toContainText(`scan.tiff: TIFF pictures cannot be attached: this browser`);
  await expect(message).toContainText(kinds);
  await dismiss();

  const folder = test.info().outputPath("dragged");
  await mkdir(folder, { recursive: true });
  const paths = ["IMG_1.heic", "renamed.jpg"].map((name) => join(folder, name));
  await Promise.all(paths.map((path) => writeFile(path, heic)));
  const drop = await dragOver(chat.welcome, { files: paths });
  await drop();
  await expect(message).toContainText("IMG_1.heic: HEIC pictures cannot be attached");
  await expect(message).toContainText("renamed.jpg: HEIC pictures cannot be attached");
  await dismiss();

  await chat.box.evaluate(
    (box, bytes) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([Uint8Array.from(bytes)], "copied.tif", { type: "image/tiff" }));
      box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    [...tiffOf(4, 3)],
  );
  await expect(message).toContainText("copied.tif: TIFF pictures cannot be attached");
  await expect(attachedRow(page)).toBeHidden();
});
