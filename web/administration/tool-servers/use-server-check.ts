import { useEffect, useRef, useState } from "react";
import type { McpServerCheck, McpServerCheckRequest, SavedMcpServer } from "#contract/administration/mcp-servers.ts";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import { toolServersApi } from "./tool-servers-api.ts";

/** Tests of one server, after a proof. Leaving the page aborts the request. `onRefreshed`: of a stored server. */
export function useServerCheck(onRefreshed?: (saved: SavedMcpServer) => void) {
  const [result, setResult] = useState<McpServerCheck | null>(null);
  const { run, busy, failure } = useAction<"check">();
  const leaving = useRef<AbortController>(null);
  useEffect(() => {
    const aborter = new AbortController();
    leaving.current = aborter;
    return () => aborter.abort();
  }, []);
  const begin = (work: (signal: AbortSignal | undefined) => Promise<McpServerCheck | null>) =>
    void run("check", async () => {
      setResult(null);
      setResult(await work(leaving.current?.signal));
    });
  const check = (request: McpServerCheckRequest) =>
    begin((signal) => withProof(() => toolServersApi.check(request, signal)));
  const refresh = (slug: string) =>
    begin(async (signal) => {
      const saved = await withProof(() => toolServersApi.refresh(slug, signal));
      onRefreshed?.(saved);
      return saved.check;
    });
  return { result, check, refresh, isChecking: busy !== null, failure, show: setResult, forget: () => setResult(null) };
}

export type ServerCheck = ReturnType<typeof useServerCheck>;
