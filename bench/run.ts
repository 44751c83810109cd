import { cpus } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { type Bench, type BenchOptions, benches } from "./benches.ts";
import { type Change, compareBenches } from "./results/compare.ts";
import { writeDocument } from "./results/document.ts";
import { currentCommit, describeRun, type RunRecord, readLastRecord, saveRecord } from "./results/record.ts";
import { isOverBudget, lineOf, type Row } from "./results/row.ts";

const { values: options } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    save: { type: "boolean", default: false },
    compare: { type: "boolean", default: false },
    document: { type: "boolean", default: false },
    rows: { type: "string", default: "1000,10000,100000,1000000" },
    part: { type: "string", multiple: true, default: [] },
    shape: { type: "string", multiple: true, default: [] },
    runs: { type: "string", default: "3" },
    kb: { type: "string", default: "100" },
    yardsticks: { type: "boolean", default: true },
    minutes: { type: "string", default: "10" },
    check: { type: "boolean", default: false },
  },
  allowNegative: true,
});

const help = `npm run bench -- [options]     Measures the built server and page and compares them with yardsticks. Linux only.

  --only NAME     runs one bench; may be given several times:
${Object.entries(benches)
  .map(([name, { about }]) => `                    ${name.padEnd(16)}${about}`)
  .join("\n")}
  --compare       prints changes since the last record that exceed the noise; exits with 1 if a row got worse
  --save          writes bench/records/DATE.json; other benches saved on that day are not changed
  --document      writes the last record's tables into docs/benchmarks.md; without --only nothing is measured
                  unless --save or --compare is given too
  --check         exits with 1 if a row exceeds its allowed value
  --minutes N     soak: duration (${options.minutes})
  --rows N,N,…    growth: numbers of messages (${options.rows})
  --part NAME     browser: streaming, typing, chats, pages, models; holds: texts, arrays; may be given several times
  --shape NAME    browser, streaming: prose, list, table, code; may be given several times
  --runs N        browser, streaming: runs of each shape (${options.runs})
  --kb N          browser, streaming: length of each reply (${options.kb})
  --no-yardsticks browser, streaming: Parley alone`;

if (options.help) console.log(help);
else await run();

async function run(): Promise<void> {
  const before = readLastRecord();
  const isForDocumentAlone = options.document && !options.only && !options.save && !options.compare;
  if (!isForDocumentAlone) {
    const found = await measureAll(options.only ?? Object.keys(benches));
    if (options.compare) compare(before, found);
    if (options.check && Object.values(found).some(({ rows }) => rows.some(isOverBudget))) process.exitCode = 1;
  }
  if (!options.document) return;
  const record = readLastRecord();
  if (!record) throw new Error("There is no record yet: npm run bench -- --save creates one");
  writeDocument(record);
  console.log("docs/benchmarks.md now contains the last record");
}

async function measureAll(names: readonly string[]): Promise<RunRecord["benches"]> {
  const unknown = names.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0) throw new Error(`--only takes ${Object.keys(benches).join(", ")}`);
  console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}`);
  // Read before saving, because saving changes a file.
  const commit = currentCommit();
  const found: RunRecord["benches"] = {};
  for (const name of names) {
    console.log(`\n${name}`);
    const startedAt = performance.now();
    const rows: Row[] = [];
    for await (const some of partsOf(benches[name]?.measure(benchOptions()) ?? [])) {
      for (const row of some) console.log(lineOf(row));
      rows.push(...some);
    }
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    found[name] = { commit, seconds, rows };
    // Saved at once, so that a later bench that fails does not lose it.
    if (options.save)
      console.log(`Saved in ${saveRecord(describeRun(new Date(), { [name]: { commit, seconds, rows } }))}`);
  }
  return found;
}

async function* partsOf(found: ReturnType<Bench["measure"]> | []): AsyncGenerator<Row[]> {
  if (Symbol.asyncIterator in found) yield* found;
  else yield await found;
}

function benchOptions(): BenchOptions {
  const { rows, part, shape, runs, kb, yardsticks, minutes } = options;
  const sizes = rows.split(",").map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 1)) throw new Error("--rows takes numbers, as 1000,10000");
  return {
    rows: sizes,
    part,
    shape,
    runs: Number(runs),
    kb: Number(kb),
    hasYardsticks: yardsticks,
    minutes: Number(minutes),
  };
}

function compare(before: RunRecord | undefined, found: RunRecord["benches"]): void {
  if (!before) throw new Error("There is no record to compare with: npm run bench -- --save creates one");
  const changes = compareBenches(before.benches, found);
  const printChanges = (kind: Change["kind"]) => {
    const some = changes.filter((change) => change.kind === kind);
    if (some.length > 0)
      console.log(
        `\n${kind[0]?.toUpperCase()}${kind.slice(1)} than on ${before.measuredOn}:`.replace(
          "Missing than",
          "No longer measured, but measured",
        ),
      );
    for (const change of some) console.log(`  ${change.bench}, ${change.name}: ${change.before} → ${change.now}`);
    return some.length;
  };
  printChanges("better");
  printChanges("missing");
  if (printChanges("worse") > 0) process.exitCode = 1;
  else console.log(`\nNothing is worse than on ${before.measuredOn} beyond the noise.`);
}
