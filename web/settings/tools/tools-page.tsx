/** Lazy module of the page of tools, with its texts. */

import { useState } from "react";
import ownServers from "../../locales/en/ownServers.json";
import toolServers from "../../locales/en/toolServers.json";
import { registerTexts } from "../../locales/i18n.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { useQuery } from "../../queries/use-query.ts";
import { personalServersQuery } from "../tool-servers/personal-servers-query.ts";
import { PersonalServersSection } from "../tool-servers/personal-servers-section.tsx";
import { ToolApprovals } from "./tool-approvals.tsx";
import { approvalsQuery } from "./use-tool-approvals.ts";

registerTexts("ownServers", ownServers);
registerTexts("toolServers", toolServers);

/** Servers of the person, if there can be any, and the tools that run without asking. */
export default function ToolsPage() {
  const servers = useQuery(personalServersQuery);
  const approvals = useQuery(approvalsQuery);
  const { value, error } = servers;
  const hasServers = error !== null || (value !== null && (value.canAdd || value.servers.length > 0));
  // The section stays when its last server is removed, with the sentence that says so.
  const [isShown, setShown] = useState(false);
  if (hasServers && !isShown) setShown(true);
  if (value === null && error === null) {
    return (
      <div className="mt-10 rounded-surface border border-hairline bg-raised">
        <LinesLoading lines={4} />
      </div>
    );
  }
  return (
    <>
      {isShown && <PersonalServersSection query={servers} />}
      <ToolApprovals query={approvals} />
    </>
  );
}
