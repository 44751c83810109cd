import type { TFunction } from "i18next";
import type { ForeignReport } from "#contract/transfer/services/receipt.ts";
import { type ImportService, importServiceNames } from "#contract/transfer/transfer.ts";
import { exactTime } from "../../../locales/times.ts";
import type { Count } from "./count-list.tsx";
import { fateRows } from "./fate-rows.ts";
import type { Ending } from "./use-moving.ts";

/** Returns the numbers of a report that are about chats and files. */
export function resultCounts(report: ForeignReport, t: TFunction<"moving">): Count[] {
  const { imported, skipped, deleted, files, missingFiles, problems, projects } = report;
  const refused = problems.filter(({ reason }) => reason !== "files").length;
  const ofProjects = { projectDocuments: projects.documents, projectInstructions: projects.instructions };
  const others = { skipped, deleted, refused, files, missingFiles, ...ofProjects };
  const chatKeys = ["skipped", "deleted", "refused", "files", "missingFiles"] as const;
  const keys = [...chatKeys, "projectDocuments", "projectInstructions"] as const;
  return [
    { label: t("results.imported"), count: imported },
    ...keys.map((key) => ({ label: t(`results.${key}`), count: others[key] })).filter(({ count }) => count > 0),
  ];
}

/** `name`: of the file. `at`: Unix time in ms. */
type ReportSource = { name: string; service: ImportService; report: ForeignReport; ending: Ending; at: number };

/** Returns a report as text, with all its lists in full. */
export function reportText(
  source: ReportSource,
  t: TFunction<["moving", "transfer", "errors"]>,
  locale: string,
): string {
  const { name, service, report, ending, at } = source;
  const { problems, lostFiles, nodes } = report;
  const numbers = new Intl.NumberFormat(locale);
  const line = (label: string, count: number | string) =>
    `${label}: ${typeof count === "number" ? numbers.format(count) : count}`;
  const blocks = [
    [
      t("moving:report.title", { service: importServiceNames[service], time: exactTime(at, locale) }),
      t("moving:report.file", { name }),
      t(`moving:ended.${ending.kind}`),
    ],
    resultCounts(report, t).map(({ label, count }) => line(label, count)),
    [
      t("moving:fates.title"),
      ...fateRows(report, ending.kind === "done", t, locale).map(({ label, count, note }) =>
        line(note === "" ? label : `${label} (${note})`, count),
      ),
      line(t("moving:fates.total"), nodes),
    ],
    listOf(
      t("moving:report.refused"),
      problems.flatMap(({ chat, reason }) => (reason === "files" ? [] : [line(chat, t(`transfer:reason.${reason}`))])),
    ),
    listOf(
      t("moving:report.lacking"),
      problems.filter(({ reason }) => reason === "files").map(({ chat }) => chat),
    ),
    listOf(
      t("moving:report.lostFiles"),
      lostFiles.map(({ name: lost, code }) => line(lost, t(`errors:${code}`))),
    ),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

const listOf = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [title, ...lines.map((each) => `- ${each}`)];
