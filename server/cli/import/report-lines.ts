import { errorSentences } from "#contract/errors.ts";
import { nodeFates } from "#contract/transfer/services/foreign-chat.ts";
import type { ForeignReport } from "#contract/transfer/services/receipt.ts";
import { importServiceNames } from "#contract/transfer/transfer.ts";
import type { AnyReport } from "./import-any.ts";
import { reportWords, transferWords } from "./report-words.ts";

const numbers = new Intl.NumberFormat("en");
const line = (label: string, count: number) => `${label}: ${numbers.format(count)}`;

/** Returns the report of an import as the page saves it, in English. `name`: of the file. */
export function reportLines(name: string, given: AnyReport): string[] {
  const { service, ending, report } = given;
  const { problems, lostFiles } = report;
  const blocks = [
    [
      `Import from ${service === null ? "Parley" : importServiceNames[service]}`,
      `File: ${name}`,
      reportWords.ended[ending.kind],
      ...(ending.kind === "failed" ? [ending.text] : []),
      ...(ending.kind === "done" ? [] : [reportWords.continueText]),
    ],
    resultLines(given),
    given.service === null ? [] : fateLines(given.report, ending.kind === "done"),
    listOf(
      reportWords.report.refused,
      problems.flatMap(({ chat, reason }) => (reason === "files" ? [] : [`${chat}: ${transferWords.reason[reason]}`])),
    ),
    listOf(
      reportWords.report.lacking,
      problems.flatMap(({ chat, reason }) => (reason === "files" ? [chat] : [])),
    ),
    listOf(
      reportWords.report.lostFiles,
      lostFiles.map(({ name: lost, code }) => `${lost}: ${errorSentences[code]}`),
    ),
  ];
  return blocks.filter((lines) => lines.length > 0).flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]));
}

/** Number of chats, folders and presets that were refused. Chats that lack files are imported. */
export const refusedOf = ({ report, brokenChats }: AnyReport): number =>
  report.problems.filter(({ reason }) => reason !== "files").length + brokenChats;

function resultLines(given: AnyReport): string[] {
  const { report, brokenChats } = given;
  const { results, leftOut } = reportWords;
  const { imported, skipped, deleted, files } = report;
  const { missingFiles = 0, projects = { documents: 0, instructions: 0 } } = given.service === null ? {} : given.report;
  const rest: [string, number][] = [
    [results.skipped, skipped],
    [results.deleted, deleted],
    [results.refused, refusedOf(given) - brokenChats],
    [leftOut.brokenChats, brokenChats],
    [results.files, files],
    [results.missingFiles, missingFiles],
    [results.projectDocuments, projects.documents],
    [results.projectInstructions, projects.instructions],
  ];
  const shown = rest.flatMap(([label, count]) => (count > 0 ? [line(label, count)] : []));
  return [line(results.imported, imported), ...shown];
}

/** Returns the fates of the nodes, whose sum is the number of the nodes. */
function fateLines({ fates, notImported, nodes }: ForeignReport, isComplete: boolean): string[] {
  const words = reportWords.fates;
  const counts: [string, number][] = [
    ...nodeFates.map((fate): [string, number] => [words[fate], fates[fate]]),
    [words.notImported, notImported],
  ];
  const reached = counts.reduce((sum, [, count]) => sum + count, 0);
  const rest: [string, number][] = isComplete ? [] : [[words.notReached, nodes - reached]];
  const shown = [...counts, ...rest].flatMap(([label, count]) => (count > 0 ? [line(label, count)] : []));
  return [words.title, ...shown, line(words.total, nodes)];
}

const listOf = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [title, ...lines.map((each) => `- ${each}`)];
