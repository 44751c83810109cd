import { type LineId, lines, notApplicable } from "./lines.ts";
import { testsByLine } from "./named-tests.ts";
import type { Report, Row } from "./report.ts";

/**
 * Adds a failed row for each line of the checklist without a trial. In a short run `npm test` runs the named tests, so
 * a line that a test names counts as tried.
 */
export function addForgottenLines(report: Report, { isShort }: { isShort: boolean }): void {
  const tests = testsByLine();
  const tried = new Set(report.rows.map(({ line }) => line));
  for (const line of Object.keys(lines) as LineId[]) {
    if (tried.has(line) || (isShort && tests.has(line)) || notApplicable[line]) continue;
    report.add({ line, tried: "no trial, and no test that names the line has run", inputs: 0, held: false });
  }
}

/** Formats the trials of each line with inputs and results, and named tests that did not run. */
export function tableOf(rows: readonly Row[], isWhole: boolean): string[] {
  const tests = testsByLine();
  const ids = (Object.keys(lines) as LineId[]).filter((id) => isWhole || rows.some(({ line }) => line === id));
  return ids.flatMap((id) => {
    const own = rows.filter(({ line }) => line === id);
    const reason = notApplicable[id];
    return [
      `${id.padEnd(4)}${lines[id]}`,
      ...(reason ? [`      does not apply: ${reason}`] : []),
      ...own.map(rowLine),
      ...(tests.get(id) ?? [])
        .filter((file) => !own.some(({ tried }) => tried === file))
        .map((file) => `      not run: ${file}`),
    ];
  });
}

function rowLine({ tried, inputs, held, detail }: Row): string {
  const state = held ? "held" : "DID NOT HOLD";
  return `      ${state.padEnd(6)} ${String(inputs).padStart(7)} × ${tried}${detail ? ` (${detail})` : ""}`;
}
