import { useTranslation } from "react-i18next";
import type { PersonalServer } from "#contract/mcp/own-servers.ts";
import { mcpFailures, mcpFaults } from "#contract/mcp/server-failures.ts";

type PersonalServerAdviceProps = {
  server: PersonalServer;
  /** A code of {@link mcpFaults}, if the server was asked on this page. */
  reason: string | undefined;
};

/** Says why a server cannot be used now, and what to do. */
export function PersonalServerAdvice({ server, reason }: PersonalServerAdviceProps) {
  const { t } = useTranslation("ownServers");
  const { isOn, state, listedAt, signedInAt } = server;
  if (!isOn || state === "ready") return null;
  if (state === "connect")
    return <p className="mt-1 text-muted">{t(signedInAt === undefined ? "signIn" : "signInAgain")}</p>;
  if (state === "empty") return listedAt === undefined ? null : <p className="mt-1 text-muted">{t("noTools")}</p>;
  return (
    <p className="mt-1 text-danger [overflow-wrap:anywhere]">
      <FailureText server={server} reason={reason} />
    </p>
  );
}

function FailureText({ server: { isOwn, host, failure }, reason }: PersonalServerAdviceProps) {
  const { t } = useTranslation("ownServers");
  if (!isOwn) return t("failures.provided", { host });
  const code = mcpFailures.find((each) => each === failure) ?? "failed";
  const fault = mcpFaults.find((each) => each === reason);
  // Servers of people are no programs, and one that asks for a sign-in is in another state.
  if (code === "unreachable" && fault && fault !== "program") return t(`faults.${fault}`, { host });
  return t(`failures.${code === "sign-in" ? "failed" : code}`, { host });
}
