import { expect, it } from "vitest";
import { bufferSource } from "../../testing/files/buffer-source.ts";
import { zipOf } from "../../testing/files/documents.ts";
import { mediaTypeOf, officeTypes } from "./media-type.ts";

const [DOCX] = officeTypes;
const typeOf = (bytes: Uint8Array, name: string) => mediaTypeOf(bufferSource(Buffer.from(bytes)), name);

it("the name decides the type of a document whose list of types is behind a thousand other files", async () => {
  const pictures = Object.fromEntries(Array.from({ length: 1100 }, (_, at) => [`word/media/${at}.png`, ""]));
  const types = `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
  const document = zipOf({ ...pictures, "word/document.xml": "<w:p/>", "[Content_Types].xml": types });
  expect(await typeOf(document, "Report.DOCX")).toBe(DOCX);
  expect(await typeOf(document, "report.zip")).toBe(null);
});
