import { pino } from "pino";
import type { Config } from "../config/config.ts";
import type { Log } from "../log.ts";
import { toReadable } from "./readable-log.ts";

/** Opens the log: readable lines to `print`; without it one JSON object a line on stdout. */
export function openLog({ logLevel }: Pick<Config, "logLevel">, print?: (line: string) => void): Log {
  if (!print) return pino({ level: logLevel });
  return pino({ level: logLevel, base: null }, { write: (line: string) => print(toReadable(line)) });
}
