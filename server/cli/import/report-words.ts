/** English texts of the page of imports (`web/locales/en/`): a test compares them. */
export const reportWords = {
  ended: {
    done: "The import is finished",
    stopped: "The import was stopped",
    failed: "The import could not be finished",
  },
  continueText: "The chats imported so far are kept.",
  leftOut: { brokenChats: "Damaged chats" },
  results: {
    imported: "Imported chats",
    skipped: "Chats that were here already",
    deleted: "Chats that you deleted here before",
    refused: "Chats that could not be imported",
    files: "Uploaded files",
    missingFiles: "Files that the export does not contain",
    projectDocuments: "Documents of projects, for which there is no place here",
    projectInstructions: "Projects without their instructions",
  },
  fates: {
    title: "Every entry of the file",
    message: "Messages",
    part: "Parts of messages, such as reasoning and tools",
    file: "Attached files",
    hidden: "Hidden or empty",
    unreadable: "Not readable",
    notImported: "In chats that were not imported",
    notReached: "Not reached",
    total: "Total",
  },
  report: {
    refused: "Could not be imported:",
    lacking: "Chats that lack files:",
    lostFiles: "Files that were not uploaded:",
  },
} as const;

/** As {@link reportWords}. */
export const transferWords = {
  reason: {
    broken: "it is damaged or in another format",
    tree: "its messages are inconsistent",
    "too-large": "it is too large",
    quota: "it does not fit into the storage",
    folder: "the limit of folders is reached; its chats are in no folder",
    preset: "the limit of presets is reached; its chats have no preset",
  },
  notAnExport:
    "This is not a file of exported chats. Choose an export of ChatGPT, Claude, Open WebUI or LibreChat (a zip or JSON file), or a file created by “Export” (its format is “parley-export”).",
  newerExport: "This file comes from a newer version. Please update this server first.",
  brokenArchive: "This zip file is damaged or incomplete. Please export or copy it again.",
  archiveTooComplex: "This zip file would take too much time or memory to unpack.",
} as const;
