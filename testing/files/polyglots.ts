/** Files that are valid in their format and also a document or script that a browser could run. */

import { canvasJpeg } from "./canvas-pictures.ts";
import { pdfOf } from "./pdf-files.ts";
import { GIF_TRAILER, gifPixel, jpegSegment, pngChunk, pngOf } from "./picture-encoders.ts";

export type Polyglot = { name: string; type: string; bytes: Buffer };

const latin = (text: string) => Buffer.from(text, "latin1");
/** Largest colour table of a GIF, in bytes. */
const COLOURS = 768;

/**
 * Returns polyglots of every kind that can be attached.
 * @param script JavaScript of at most 700 characters in ASCII, without `</script>` and comments
 */
export function polyglotsOf(script: string): Polyglot[] {
  const html = `<!doctype html><html><body><script>${script}</script><img src=x onerror="${script}"></body></html>`;
  const namespace = 'xmlns="http://www.w3.org/1999/xhtml"';
  const png = pngOf(2, 1, Buffer.from([0, 255, 0, 0, 0, 0, 255]));
  const file = (name: string, type: string, bytes: Buffer | string) => {
    return { name, type, bytes: typeof bytes === "string" ? Buffer.from(bytes) : bytes };
  };
  return [
    file("comment.jpg", "image/jpeg", jpegWithComment(html)),
    file("script.gif", "image/gif", gifScript(script)),
    file("trailing.png", "image/png", Buffer.concat([png, latin(html)])),
    file("profile.png", "image/png", pngWithProfile(png, html)),
    file("page.pdf", "application/pdf", Buffer.concat([pdfOf("Words of a PDF"), latin(`\n%${html}\n`)])),
    file(
      "drawing.svg",
      "image/svg+xml",
      `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script></svg>`,
    ),
    file("page.html", "text/html", html),
    file("page.xhtml", "application/xhtml+xml", `<html ${namespace}><script>${script}</script></html>`),
    file(
      "archive.mhtml",
      "multipart/related",
      `MIME-Version: 1.0\r\nContent-Type: text/html\r\nContent-Location: http://a.example/\r\n\r\n${html}`,
    ),
    file("notes.txt", "text/plain", html),
    file("script.js", "text/javascript", script),
  ];
}

function jpegWithComment(html: string): Buffer {
  return Buffer.concat([canvasJpeg.subarray(0, 2), jpegSegment(0xfe, html), canvasJpeg.subarray(2), latin(html)]);
}

/** Its width opens a comment of JavaScript, and its colours close it. They are part of the picture, so that they stay. */
function gifScript(script: string): Buffer {
  const colours = Buffer.alloc(COLOURS, " ");
  colours.write(`*/=1;${script}//`, "latin1");
  const header = Buffer.concat([latin("GIF89a"), latin("/*"), Buffer.from([1, 0, 0xf7, 0, 0]), colours]);
  return Buffer.concat([header, gifPixel(), GIF_TRAILER]);
}

/** A colour profile is kept as it is. */
function pngWithProfile(png: Buffer, html: string): Buffer {
  const headerEnd = 33;
  return Buffer.concat([png.subarray(0, headerEnd), pngChunk("iCCP", `a\0\0${html}`), png.subarray(headerEnd)]);
}
