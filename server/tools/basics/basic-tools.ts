import { optionalText, requiredText } from "../arguments.ts";
import type { Tool, ToolGroup } from "../tool.ts";

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
  run: async (given, { now, timeZone }) => {
    // Loaded by the first call: formatters of dates take several megabytes.
    const { currentTime } = await import("./current-time.ts");
    return { text: currentTime(now, optionalText(given, "zone") ?? timeZone) };
  },
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
  run: async (given, { now }) => {
    const { convertTime } = await import("./current-time.ts");
    const [time, from, to] = [requiredText(given, "time"), requiredText(given, "from"), requiredText(given, "to")];
    return { text: convertTime(now, { time, from, to }) };
  },
};

const calculator: Tool = {
  group: "basics",
  name: "calculate",
  description:
    "Calculates an arithmetic expression exactly: + - * / ^ %, parentheses, sqrt, abs, round, floor, ceil, min, max, ln, " +
    "log, exp, sin, cos, tan, pi and e. Use it instead of calculating yourself.",
  parameters: { type: "object", properties: { expression: text("Such as (3 + 4) * 1.19.") }, required: ["expression"] },
  reach: "nothing",
  isRepeatable: true,
  run: async (given) => {
    const { calculate } = await import("./calculate.ts");
    return { text: calculate(requiredText(given, "expression")) };
  },
};

/** Small tools that compute, and reach nothing. */
export const basicTools: ToolGroup = {
  slug: "basics",
  isAvailable: () => true,
  tools: [calculator, timeNow, timeBetween],
};
