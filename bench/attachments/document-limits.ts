import { unzipSync } from "fflate";
import { extractText } from "unpdf";
import { type MeasuredParley, signUp, startParley } from "../harness/parley.ts";
import { upload } from "../harness/upload.ts";
import type { Row } from "../results/row.ts";
import { quantile } from "../results/statistics.ts";
import { CELLS, longPdf, longWorkbook, PAGES } from "./long-documents.ts";

/** Limits of the process that reads documents (`server/files/documents/read-document.ts`). */
const [ALLOWED_MS, ALLOWED_MB] = [10_000, 512];
const RUNS = 5;

type Sample = { what: string; file: { name: string; bytes: Uint8Array }; yardstick: Yardstick };
type Yardstick = { name: string; run: (bytes: Uint8Array) => unknown };

/**
 * Measures how long large documents take from their upload until their text is stored, and how much memory the process
 * that reads them takes, against its limits.
 */
export async function* measureDocumentLimits(): AsyncGenerator<Row[]> {
  const samples: Sample[] = [
    {
      what: `a PDF of ${PAGES} pages`,
      file: { name: "report.pdf", bytes: longPdf() },
      yardstick: { name: "unpdf alone", run: (bytes) => extractText(bytes) },
    },
    {
      what: `a workbook of ${CELLS.toLocaleString("en")} cells`,
      file: { name: "stock.xlsx", bytes: longWorkbook() },
      yardstick: { name: "inflating alone", run: (bytes) => unzipSync(bytes) },
    },
  ];
  for (const sample of samples) {
    await using parley = await startParley();
    yield await measure(parley, sample);
  }
}

async function measure(parley: MeasuredParley, { what, file, yardstick }: Sample): Promise<Row[]> {
  const token = await signUp(parley);
  const [times, alone]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run++) {
    times.push(await timeOf(() => upload(parley, token, file)));
    alone.push(await timeOf(() => yardstick.run(new Uint8Array(file.bytes))));
  }
  return [
    {
      name: `${what}, from its upload until it is read, p50`,
      value: quantile(times, 0.5),
      unit: "ms",
      yardstick: { name: yardstick.name, value: quantile(alone, 0.5) },
      allowed: ALLOWED_MS,
    },
    {
      name: `${what}: memory of the process that reads it`,
      value: parley.process.childPeakMb(),
      unit: "MB",
      allowed: ALLOWED_MB,
    },
  ];
}

async function timeOf(run: () => unknown): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}
