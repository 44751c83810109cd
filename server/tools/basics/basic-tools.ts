import type { Tool, ToolArguments, ToolGroup } from "../tool.ts";
import { convertTime, currentTime } from "./current-time.ts";
import { ToolInputError } from "./tool-input-error.ts";

const text = (description: string) => ({ type: "string", description });

const timeNow: Tool = {
  group: "basics",
  name: "current_time",
  description:
    "Returns the current date, weekday and time in a time zone. Use it for questions about now, today or deadlines.",
  parameters: {
    type: "object",
    properties: { zone: text("Name of the IANA database, such as Europe/Berlin. Default: that of the server.") },
  },
  reach: "nothing",
  isRepeatable: true,
  run: async ({ zone }, { now, timeZone }) => ({ text: currentTime(now, optionalText(zone, "zone") ?? timeZone) }),
};

const timeBetween: Tool = {
  group: "basics",
  name: "convert_time",
  description: "Converts a date and time from one time zone to another.",
  parameters: {
    type: "object",
    properties: {
      time: text("Such as 2026-11-28 09:30, or 09:30 for today."),
      from: text("Time zone of the time, such as America/New_York."),
      to: text("Time zone of the answer."),
    },
    required: ["time", "from", "to"],
  },
  reach: "nothing",
  isRepeatable: true,
  run: async (given, { now }) => ({
    text: convertTime(now, { time: textOf(given, "time"), from: textOf(given, "from"), to: textOf(given, "to") }),
  }),
};

/** Small tools that compute, and reach nothing. */
export const basicTools: ToolGroup = { slug: "basics", isAvailable: () => true, tools: [timeNow, timeBetween] };

function optionalText(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw new ToolInputError(`The argument “${name}” must be a text.`);
  return value;
}

function textOf(given: ToolArguments, name: string): string {
  const value = optionalText(given[name], name);
  if (value === undefined) throw new ToolInputError(`The argument “${name}” is missing.`);
  return value;
}
