import { constants } from "node:os";
import process from "node:process";
import { Random } from "../testing/app/random.ts";
import { type ArrangementName, arrangementNames, restore } from "./arrangements/arrangement.ts";
import { openArrangement } from "./arrangements/open-arrangement.ts";
import { findServices, type Services } from "./arrangements/services.ts";
import { wordsOf } from "./bounded.ts";
import { busyness } from "./busyness.ts";
import { ChatClient } from "./clients/chat-client.ts";
import { type FaultName, faultNames, faults, fits, isGentle } from "./faults/faults.ts";
import { injectFaults } from "./inject-faults.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { startNumberedProvider } from "./provider/numbered-provider.ts";
import { Report, writeResults } from "./report.ts";

/** Timeout of the clean-up after a signal, and of the exit after the report. */
const END_WITHIN_MS = 5000;
let isEnding = false;
const forever = new Promise<never>(() => {});

const say = (line: string) => console.log(line);

const options = readOptions(process.argv.slice(2));
if (options.isHelp) say(usage);
else if (options.isList) for (const name of [...arrangementNames, ...faultNames]) say(name);
else await main(options).catch((error: unknown) => (isEnding ? forever : Promise.reject(error)));

async function main({ seed, only, extent, isShort }: Options): Promise<void> {
  busyness.begin();
  const report = new Report(say);
  // The promises of faults are awaited. An error that escapes nevertheless is reported, and the run goes on to its report.
  process.on("uncaughtException", (error) => {
    if (!isEnding) report.violate(`an error was not caught: ${wordsOf(error)}`);
    process.exitCode = 1;
  });
  const services = await findServices(report);
  say(`Seed ${seed}`);
  for (const name of arrangementNames) {
    const chosen = faultNames.filter(
      (fault) => fits(fault, name, isShort && only.length === 0) && isChosen(only, name, fault),
    );
    if (chosen.length === 0 || !services.has(name)) continue;
    await runArrangement(name, chosen, { seed, extent, report, services }).catch((error: unknown) => {
      if (isEnding) return forever;
      report.within(name).violate(`the arrangement has failed: ${wordsOf(error)}`);
    });
  }
  report.print();
  for (const { where } of report.violations.slice(0, 1)) {
    const size = isShort ? " --short" : "";
    say(`\nTo reproduce: npm run torture -- --seed ${seed}${size}${where && ` --only ${where}`}`);
  }
  await writeResults(report);
  process.exitCode = report.violations.length > 0 || report.guarantees === 0 ? 1 : 0;
  // A connection of a fault that has failed may still be open.
  setTimeout(() => process.exit(), END_WITHIN_MS).unref();
}

type Run = Pick<Options, "seed" | "extent"> & { report: Report; services: Services };

async function runArrangement(
  name: ArrangementName,
  chosen: FaultName[],
  { seed, extent, report, services }: Run,
): Promise<void> {
  await using provider = await startNumberedProvider();
  await using opened = new AsyncDisposableStack();
  using _ = endWithUs(() => opened.disposeAsync());
  const { redisUrl, nginx } = services;
  const arrangement = await openArrangement(
    { name, run: seed, providerUrl: provider.baseUrl, redisUrl, nginx },
    opened,
  );
  const client = new ChatClient(arrangement);
  const before = report.violations.length;
  const injections = chosen.map((fault) => {
    const where = `${name}/${fault}`;
    const random = new Random(`${seed}/${where}`);
    const harness = { arrangement, provider, client, random, report: report.within(where), extent };
    return { where, isGentle: isGentle(fault), run: () => faults[fault].run(harness) };
  });
  await injectFaults(injections, { report, say, restore: () => restore(arrangement), isEnding: () => isEnding });
  if (report.violations.length === before) return;
  arrangement.retainData();
  say(`Data retained for inspection: ${arrangement.folder}`);
}

/** Ends servers and removes data on a signal. */
function endWithUs(end: () => Promise<void>): Disposable {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const onSignal = (signal: (typeof signals)[number]) => {
    const exit = () => process.exit(128 + constants.signals[signal]);
    isEnding = true;
    setTimeout(exit, END_WITHIN_MS);
    void end().finally(exit);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

function isChosen(only: readonly string[], arrangement: ArrangementName, fault: FaultName): boolean {
  return only.length === 0 || only.some((name) => [arrangement, fault, `${arrangement}/${fault}`].includes(name));
}
