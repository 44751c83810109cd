import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { SECOND } from "#contract/limits.ts";
import { connectedToolServerSchema, toolSignInPaths } from "#contract/mcp/sign-ins.ts";
import { sentenceOf } from "../../accounts/error-texts.ts";
import { ApiError, api } from "../../api/client.ts";
import type { Failure } from "../../forms/use-sending.ts";
import { notify } from "../../ui/notifications/notify.ts";

/** Parameters of the address: an answer, or an error (RFC 6749, section 4.1.2). */
export type ToolReturn = { state: string } & Record<"code" | "iss" | "error", string | null>;

export const TOOLS_PATH = "/settings/tools";

/** Time for which the confirmation is shown. */
const CONFIRMED_MS = 8 * SECOND;

/** Codes whose sentences are about forms and pages: of parameters that no server sends, and of a server that was removed. */
const GENERAL = new Set(["invalid-input", "not-found"]);

/** Completes a sign-in once, and opens the page of tools. Returns its failure, or null. */
export function useToolReturn(answer: ToolReturn): Failure | null {
  const { t } = useTranslation("toolSignIn");
  const navigate = useNavigate();
  const [failure, setFailure] = useState<Failure | null>(null);
  const textOf = (error: unknown) =>
    error instanceof ApiError && GENERAL.has(error.code ?? "") ? t("failed") : sentenceOf(error, t("failed"));
  const run = useEffectEvent(async () => {
    const { state, code, iss, error } = answer;
    const body = {
      state,
      ...(code !== null && { code }),
      ...(iss !== null && { iss }),
      ...(error !== null && { error: error.slice(0, 100) }),
    };
    try {
      const { server, tools } = await api.post(toolSignInPaths.completion, body, connectedToolServerSchema);
      const text = t(tools === null ? "connectedWithoutTools" : "connected", { name: server.name });
      notify("info", text, { durationMs: CONFIRMED_MS });
      void navigate(TOOLS_PATH, { replace: true });
    } catch (reason) {
      setFailure({ text: textOf(reason), error: reason });
    }
  });
  // An effect may run twice, and a code is valid once.
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    void run();
  }, []);
  return failure;
}
