import { startJoinedSignInServer } from "../../testing/mcp/sign-in-server.ts";
import type { Suite } from "../security-suite.ts";
import { tryForgedAnswers } from "./forged-answers.ts";
import { tryMetadata } from "./sign-in-metadata.ts";
import { PersonAtServer } from "./sign-in-target.ts";
import { tryTokenTraces } from "./token-traces.ts";
import { ToolSite } from "./tool-site.ts";

/** N2, N4: attacks on sign-ins of people to tool servers of a server process. Further ones are tested in `server/mcp/oauth/`. */
export const toolSignIns: Suite = {
  name: "tool-sign-ins",
  async run(harness) {
    const databases = harness.hasPostgres ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
    for (const database of databases) {
      await using tools = await ToolSite.open(harness, { database });
      // A process reaches inside exactly the address that its owner has entered, so the issuer is there too.
      await using remote = await startJoinedSignInServer();
      const { slug } = (await tools.add({ name: "Notes", url: remote.url })).server;
      const target = { harness, tools, remote, slug, ada: await PersonAtServer.signUp(tools, slug) };
      await tryMetadata(target);
      await tryForgedAnswers(target);
      await tryTokenTraces(target);
    }
  },
};
