import { parseArgs } from "node:util";

export type Options = {
  seed: string;
  only: string[];
  isShort: boolean;
  fuzzSeconds: number;
  isHelp: boolean;
  isList: boolean;
};

const FUZZ_MINUTES = 10;
const SHORT_FUZZ_SECONDS = 30;

export const usage = `npm run security [-- OPTIONS]
  --only NAME    one part, or one line with the tests that name it (B3); may be given more than once
  --seed N       generates the same inputs again
  --minutes N    duration of fuzzing (${FUZZ_MINUTES})
  --short        as in npm test: fewer inputs, ${SHORT_FUZZ_SECONDS} s of fuzzing, no measured times, no named tests
  --list         lists the parts`;

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: "string" },
      only: { type: "string", multiple: true },
      minutes: { type: "string" },
      short: { type: "boolean" },
      list: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  const isShort = values.short ?? false;
  const standard = isShort ? SHORT_FUZZ_SECONDS : FUZZ_MINUTES * 60;
  return {
    seed: values.seed ?? String(Math.floor(Math.random() * 1_000_000)),
    only: values.only ?? [],
    isShort,
    fuzzSeconds: values.minutes === undefined ? standard : Number(values.minutes) * 60,
    isHelp: values.help ?? false,
    isList: values.list ?? false,
  };
}
