import { useTranslation } from "react-i18next";
import type { ToolPart } from "#contract/conversation/known-parts.ts";

/** Tools of the server, whose names are translated. */
const TOOLS = [
  "web/search_web",
  "web/read_page",
  "chats/search_my_chats",
  "files/read_file",
  "files/search_files",
  "basics/calculate",
  "basics/current_time",
  "basics/convert_time",
] as const;

type Named = Pick<ToolPart, "server" | "name" | "title">;
type NameOf = (part: Named) => string;

/** Whether a tool is one of the server's own. */
export const isBuiltIn = ({ server, name }: Pick<Named, "server" | "name">): boolean =>
  TOOLS.some((each) => each === `${server}/${name}`);

/** Returns the function that names the tool of a call: in the person's language if it is a part of Parley. */
export function useToolName(): NameOf {
  const { t } = useTranslation("parts");
  return ({ server, name, title = "" }) => {
    const tool = TOOLS.find((each) => each === `${server}/${name}`);
    return tool ? t(`tools.names.${tool}`) : title.trim() || name;
  };
}
