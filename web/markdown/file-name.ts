import { createContext } from "react";

/** Name for files that are saved from a reply, such as the title of its chat; null if there is none. */
export const FileNameContext = createContext<string | null>(null);
