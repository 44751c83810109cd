import type { Tool, ToolArguments } from "../tool.ts";
import { namedTool } from "../toolbox.ts";

/** Slug of the group. It is not switched on: a reply has it while a file does not fit its model's window. */
export const FILES_GROUP = "files";

const text = (description: string) => ({ type: "string", description });

const readFile: Tool = {
  group: FILES_GROUP,
  name: "read_file",
  description:
    "Reads pages of a file that is attached to this conversation, as text. Use it for files that you did not receive, or " +
    "of which you received only a part. A result says where to read on.",
  parameters: {
    type: "object",
    properties: {
      file: text("Name of the file, as the conversation has it."),
      pages: text("Such as 3, or 3-7. At most 20 pages at once; the first ones by default."),
      from: { type: "integer", description: "Character of the first of these pages at which to begin; 1 by default." },
    },
    required: ["file"],
  },
  reach: "own",
  isRepeatable: true,
  run: async (given: ToolArguments, context) => (await import("./read-files.ts")).readPages(given, context),
};

const searchFiles: Tool = {
  group: FILES_GROUP,
  name: "search_files",
  description:
    "Searches the files that are attached to this conversation for words, and returns the passages with the most of them. " +
    "Read their pages with read_file before you rely on them.",
  parameters: {
    type: "object",
    properties: { query: text("One to six words."), file: text("Name of a file; all files by default.") },
    required: ["query"],
  },
  reach: "own",
  isRepeatable: true,
  run: async (given: ToolArguments, context) => (await import("./search-files.ts")).searchFiles(given, context),
};

/** Tools that look up the files of a conversation. They reach nothing outside. */
export const fileTools = [readFile, searchFiles].map(namedTool);
