/** Folders and projects of other services, and what becomes of them here: folders, and presets of their instructions. */

import { FOLDER_NAME_MAX, INSTRUCTIONS_MAX, PRESET_NAME_MAX } from "../../limits.ts";
import { oneLine } from "../../text/name-text.ts";
import type { ExportedChat, ExportedFolder, ExportedPreset } from "../transfer.ts";
import type { ConvertedChat, ForeignFolder } from "./foreign-chat.ts";

/** Most folders, and most presets, of one import. */
const FILING_MAX = 1000;
/** Id of the target folder in what is sent. */
const TARGET = "target";

/** `chats`: number of the chats that name the folder. */
export type SurveyedFolder = ForeignFolder & { chats: number };

/** Collects the folders of an export, of which each is named by itself, by chats, or by both. */
export class FolderSurvey {
  readonly #folders = new Map<string, SurveyedFolder>();

  add({ id, ...folder }: ForeignFolder): void {
    const { chats = 0, name = "" } = this.#folders.get(id) ?? {};
    this.#folders.set(id, { id, ...folder, name: folder.name || name, chats });
  }

  addChat({ chat, folderName = "" }: Pick<ConvertedChat, "chat" | "folderName">): void {
    if (chat.folder === null) return;
    const known = this.#folders.get(chat.folder) ?? {
      id: chat.folder,
      name: "",
      instructions: "",
      documents: 0,
      chats: 0,
    };
    this.#folders.set(known.id, { ...known, name: known.name || folderName, chats: known.chats + 1 });
  }

  get all(): SurveyedFolder[] {
    return [...this.#folders.values()];
  }
}

/**
 * What a person chooses. `folder`: name of the folder of chats without one of their own, empty for none. `folderNames`: name
 * of each folder of the service, by its id; absent if these folders are not taken over. `projectPresets`: whether the
 * instructions of projects become presets.
 */
export type FilingChoice = {
  folder: string;
  folderNames?: ReadonlyMap<string, string> | undefined;
  projectPresets?: boolean;
};

/** Where the chats of an export go: what the import says of folders and presets, and of each chat. */
export class ChosenFiling {
  readonly folders: ExportedFolder[] = [];
  readonly presets: ExportedPreset[] = [];
  readonly #folderIds = new Map<string, string>();
  readonly #presetIds = new Map<string, string>();
  readonly #target: string | null;

  /** @param used ids of the service's folders that the chosen chats name */
  constructor(folders: readonly SurveyedFolder[], choice: FilingChoice, used: ReadonlySet<string | null>) {
    this.#target = this.#folderOf(choice.folder, TARGET);
    for (const [id, name] of choice.folderNames ?? []) {
      const own = used.has(id) ? this.#folderOf(name, `folder ${this.folders.length}`) : null;
      if (own !== null) this.#folderIds.set(id, own);
    }
    const projects = choice.projectPresets ? folders.filter(({ instructions }) => instructions !== "") : [];
    for (const project of projects.slice(0, FILING_MAX)) {
      const id = `preset ${this.presets.length}`;
      const name = nameOf(project.name || project.id, PRESET_NAME_MAX);
      const instructions = project.instructions.slice(0, INSTRUCTIONS_MAX).toWellFormed();
      this.presets.push({ id, name: name || id, instructions, model: null, temperature: null });
      this.#presetIds.set(project.id, id);
    }
  }

  of({ folder }: Pick<ExportedChat, "folder">): Pick<ExportedChat, "folder" | "preset"> {
    const own = folder === null ? undefined : this.#folderIds.get(folder);
    const preset = folder === null ? undefined : this.#presetIds.get(folder);
    return { folder: own ?? this.#target, preset: preset ?? null };
  }

  /** Returns the id of the folder with a name, which is added if it is new. */
  #folderOf(given: string, id: string): string | null {
    const name = nameOf(given, FOLDER_NAME_MAX);
    const known = this.folders.find((folder) => folder.name === name);
    if (known) return known.id;
    if (name === "" || this.folders.length >= FILING_MAX) return null;
    this.folders.push({ id, name });
    return id;
  }
}

const nameOf = (text: string, max: number): string => oneLine(oneLine(text).slice(0, max));
