export type Sample = { name: string; labels: Readonly<Record<string, string>>; value: number };

const COMMENT = /^# (HELP|TYPE) ([a-z_:][\w:]*) (.+)$/i;
const SAMPLE = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i;
const LABEL = /([a-z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/giy;

/** A parsed Prometheus scrape: every sample belongs to a family with a type and a help text. */
export class Exposition {
  readonly samples: readonly Sample[];

  /** @throws Error if a line is not in the text format, or a sample has no family */
  constructor(text: string) {
    if (!text.endsWith("\n")) throw new Error("The last line has no end");
    const declared = { HELP: new Set<string>(), TYPE: new Set<string>() };
    const samples: Sample[] = [];
    for (const line of text.split("\n").filter(Boolean)) {
      const [, kind, family] = COMMENT.exec(line) ?? [];
      if (kind === "HELP" || kind === "TYPE") declared[kind].add(family ?? "");
      else samples.push(readSample(line));
    }
    for (const { name } of samples) {
      const names = [name, name.replace(/_(bucket|sum|count)$/, "")];
      for (const set of Object.values(declared)) {
        if (!names.some((one) => set.has(one))) throw new Error(`${name} has no type or no help`);
      }
    }
    this.samples = samples;
  }

  /** Returns the values of all samples of a name that have at least these labels. */
  valuesOf(name: string, labels: Readonly<Record<string, string>> = {}): number[] {
    return this.samples
      .filter(
        (sample) => sample.name === name && Object.entries(labels).every(([key, is]) => sample.labels[key] === is),
      )
      .map(({ value }) => value);
  }

  /** Returns the sum of {@link valuesOf}; NaN if there are none. */
  sumOf(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const values = this.valuesOf(name, labels);
    return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0);
  }
}

function readSample(line: string): Sample {
  const [, name, labelText = "", declared] = SAMPLE.exec(line) ?? [];
  const isNone = declared?.toLowerCase() === "nan";
  const value = Number(declared?.replace("Inf", "Infinity"));
  if (name === undefined || (Number.isNaN(value) && !isNone)) throw new Error(`No sample: ${line}`);
  const labels: Record<string, string> = {};
  let readTo = 0;
  for (const label of labelText.matchAll(LABEL)) {
    labels[label[1] ?? ""] = label[2] ?? "";
    readTo = label.index + label[0].length;
  }
  if (readTo !== labelText.length) throw new Error(`No labels: ${line}`);
  return { name, labels, value };
}
