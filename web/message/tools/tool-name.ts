import { useTranslation } from "react-i18next";
import { builtInTool } from "#contract/built-in-tools.ts";
import type { ToolPart } from "#contract/conversation/known-parts.ts";

type Named = Pick<ToolPart, "server" | "name" | "title">;
type NameOf = (part: Named) => string;

/** Whether a tool is one of the server's own. */
export const isBuiltIn = (part: Pick<Named, "server" | "name">): boolean => builtInTool(part) !== undefined;

/** Returns the function that names the tool of a call: in the person's language if it is a part of Parley. */
export function useToolName(): NameOf {
  const { t } = useTranslation("parts");
  return ({ server, name, title = "" }) => {
    const tool = builtInTool({ server, name });
    return tool ? t(`tools.names.${tool}`) : title.trim() || name;
  };
}
