import { expect, it } from "vitest";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { bufferSource } from "../../../testing/files/buffer-source.ts";
import { annotatedPdf, linesOf, pdfFileOf, pdfObjects, pdfStream } from "../../../testing/files/pdf-files.ts";
import { DocumentReader } from "./read-document.ts";

const reader = disposeAfterAll(new DocumentReader());
const read = (content: string, ...annotations: string[]) =>
  reader.read(bufferSource(annotatedPdf(content, annotations)), "application/pdf");

/** A form field at the height of the line of `linesOf`, from `left` on. */
const field = (entries: string, line: number, left = 150, width = 100) => {
  const baseline = 720 - 14 * line;
  return `/Subtype/Widget${entries}/Rect[${left} ${baseline - 3} ${left + width} ${baseline + 10}]`;
};

it("reads the values of form fields behind their labels", async () => {
  const { text, remark } = await read(
    linesOf("Surname:", "Country:", "Languages:", "I agree:", "Notes:"),
    field("/FT/Tx/T(a)/V(Lindqvist)", 0),
    field("/FT/Ch/Ff 131072/T(b)/V(no)/Opt[[(no)(Norway)][(se)(Sweden)]]", 1),
    field("/FT/Ch/Ff 2097152/T(c)/V[(Norwegian)(Sami)]/Opt[(Norwegian)(Sami)]", 2),
    field("/FT/Btn/T(d)/V/Yes/AS/Yes/AP<</N<</Yes 5 0 R/Off 5 0 R>>>>", 3),
    field("/FT/Tx/Ff 4096/T(e)/V(First\\rsecond)", 4),
  );
  expect([text, remark]).toEqual([
    "Surname: Lindqvist\nCountry: Norway\nLanguages: Norwegian, Sami\nI agree: [x]\nNotes: First\nsecond",
    undefined,
  ]);
});

it("marks boxes that are checked and boxes that are not, before and behind their labels", async () => {
  const box = (name: string, isChecked: boolean, left: number) =>
    field(`/FT/Btn/T(${name})/V/${isChecked ? "On" : "Off"}/AP<</N<</On 5 0 R/Off 5 0 R>>>>`, 0, left, 10);
  const labels = (...lefts: readonly number[]) =>
    `BT /F1 12 Tf ${lefts[0]} 720 Td (Yes) Tj ${(lefts[1] ?? 0) - (lefts[0] ?? 0)} 0 Td (No) Tj ET`;
  const before = await read(labels(90, 190), box("a", false, 72), box("b", true, 172));
  expect(before.text).toBe("[ ] Yes [x] No");
  const behind = await read(labels(72, 172), box("a", true, 105), box("b", false, 205));
  expect(behind.text).toBe("Yes [x] No [ ]");
});

it("reads the text of a PDF whose form is damaged", async () => {
  const whole = annotatedPdf(linesOf("Hello"), [field("/FT/Tx/T(a)/V(Berg)", 0)]).toString("latin1");
  const damaged = whole.replace(/\/Fields\[(\d+) 0 R/, "/Fields[$1 1 R");
  expect(damaged).not.toBe(whole);
  const { text, remark } = await reader.read(bufferSource(Buffer.from(damaged, "latin1")), "application/pdf");
  expect([text.slice(0, 5), remark]).toEqual(["Hello", undefined]);
});

it("reads a form field before the text to its right, and below a label", async () => {
  const lines = linesOf("years", "", "Surname", "", "", "Last line");
  const { text } = await read(lines, field("/FT/Tx/T(a)/V(42)", 0, 20, 40), field("/FT/Tx/T(b)/V(Berg)", 3, 72));
  expect(text).toBe("42 years\nSurname Berg\nLast line");
});

it("reads the values of several form fields of one line in their order", async () => {
  const line = "BT /F1 12 Tf 72 720 Td (From) Tj 200 0 Td (to) Tj ET";
  const fields = [field("/FT/Tx/T(b)/V(Bergen)", 0, 300), field("/FT/Tx/T(a)/V(Oslo)", 0, 120)];
  expect((await read(line, ...fields)).text).toBe("From Oslo to Bergen");
});

it("reads a form without printed labels by the names of its fields, not as scanned", async () => {
  const fields = [field("/FT/Tx/T(person.surname)/V(Berg)", 0), field("/FT/Tx/T(x)/TU(Place of birth)/V(Oslo)", 1)];
  expect(await read("", ...fields)).toEqual({ text: "surname: Berg\nPlace of birth: Oslo", pages: 1 });
});

/** Objects of an annotation that draws the lines, and of the page that has it. */
const drawingPdf = (content: string, kind: string, ...appearance: readonly string[]) => {
  const objects = pdfObjects([content]);
  const form = pdfStream(
    appearance.join(" "),
    "/Type/XObject/Subtype/Form/BBox[0 0 200 50]/Resources<</Font<</F1 3 0 R>>>>",
  );
  objects[3] = String(objects[3]).replace(/>>$/, "/Annots[6 0 R]>>");
  return pdfFileOf([...objects, `<</Type/Annot${kind}/Rect[72 300 272 350]/AP<</N 7 0 R>>>>`, form]);
};
const readFile = (pdf: Buffer) => reader.read(bufferSource(pdf), "application/pdf");

it("reads the texts that stamps and signatures draw, as marked lines below the page", async () => {
  const lines = ["BT /F1 12 Tf 0 20 Td (Signed by ) Tj [(Ada)-300(Berg)] TJ", "0 -14 Td (2026-11-27) Tj ET"];
  expect((await readFile(drawingPdf(linesOf("Contract"), "/Subtype/Widget/FT/Sig/T(s)/F 4", ...lines))).text).toBe(
    "Contract\n[Signature] Signed by Ada Berg\n2026-11-27",
  );
  const stamp = drawingPdf("", "/Subtype/Stamp/F 4", "0 0 200 50 re S BT /F1 12 Tf (APPROVED) Tj ET");
  expect(await readFile(stamp)).toEqual({ text: "[Stamp] APPROVED", pages: 1 });
  const hidden = drawingPdf(linesOf("Contract"), "/Subtype/Stamp/F 2", "BT /F1 12 Tf (DRAFT) Tj ET");
  expect((await readFile(hidden)).text).toBe("Contract");
  const drawn = drawingPdf(linesOf("Contract"), "/Subtype/Stamp/F 4", "0 0 200 50 re S");
  expect((await readFile(drawn)).text).toBe("Contract");
});

it("omits hidden form fields, passwords and empty values", async () => {
  const fields = [
    field("/FT/Tx/T(a)/V(Hidden)/F 2", 0),
    field("/FT/Tx/Ff 8192/T(b)/V(Secret)", 0),
    field("/FT/Tx/T(c)", 0),
  ];
  expect((await read(linesOf("Name:"), ...fields)).text).toBe("Name:");
});

it("reads text boxes and notes as marked lines below the page", async () => {
  const rect = "/Rect[72 300 200 320]";
  const annotations = [
    `/Subtype/FreeText${rect}/Contents(Typed by hand)`,
    `/Subtype/Text${rect}/Contents(Please check\\rthe sum)`,
    `/Subtype/Highlight${rect}/QuadPoints[72 320 200 320 72 300 200 300]/Contents(Too high)`,
    `/Subtype/Highlight${rect}/QuadPoints[72 320 200 320 72 300 200 300]`,
    `/Subtype/Text/F 2${rect}/Contents(Hidden)`,
    `/Subtype/Link${rect}/Contents(Address)`,
  ];
  expect((await read(linesOf("Printed"), ...annotations)).text).toBe(
    "Printed\n[Text box] Typed by hand\n[Note] Please check\nthe sum\n[Note] Too high",
  );
  const [textBox = ""] = annotations;
  expect(await read("", textBox)).toEqual({ text: "[Text box] Typed by hand", pages: 1 });
});
