/** A section of CHANGELOG.md: `## [version] - date` with what follows. */
export type ChangelogSection = {
  /** `1.2.3` or `Unreleased`. */
  version: string;
  /** `2026-11-29`; empty for `Unreleased` and if it is missing. */
  date: string;
  /** Markdown without the heading. */
  body: string;
};

export const UNRELEASED = "Unreleased";
const HEADING = /^## \[([^\]]+)\](?: - (\S+))?[ \t]*$/gm;

/** Reads the sections of a changelog in the form of keepachangelog.com, in their order. */
export function readChangelog(text: string): ChangelogSection[] {
  const headings = [...text.matchAll(HEADING)];
  return headings.map((heading, index) => ({
    version: heading[1] ?? "",
    date: heading[2] ?? "",
    body: text.slice(heading.index + heading[0].length, headings[index + 1]?.index).trim(),
  }));
}

const isDate = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

/** A person in the east of UTC may write a date that UTC reaches half a day later. */
const EAST_OF_UTC_MS = 14 * 3_600_000;

/** Returns a sentence for each reason why this version cannot be released with this changelog. */
export function changelogProblems(sections: readonly ChangelogSection[], version: string, nowMs: number): string[] {
  const [unreleased, newest] = sections;
  if (unreleased?.version !== UNRELEASED) return [`CHANGELOG.md does not begin with "## [${UNRELEASED}]".`];
  if (newest?.version !== version) return [`CHANGELOG.md has no section "## [${version}]" below "## [${UNRELEASED}]".`];
  const latest = new Date(nowMs + EAST_OF_UTC_MS).toJSON().slice(0, 10);
  return [
    ...(unreleased.body ? [`CHANGELOG.md still has lines under "${UNRELEASED}": move them into ${version}.`] : []),
    ...(newest.body ? [] : [`The section ${version} of CHANGELOG.md is empty.`]),
    ...(isDate(newest.date) && newest.date <= latest
      ? []
      : [`The section ${version} of CHANGELOG.md needs its date: "## [${version}] - ${latest}".`]),
  ];
}
