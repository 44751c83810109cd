import { conversationPaths } from "#contract/conversation/paths.ts";
import { toolListSchema } from "#contract/conversation/tools.ts";
import { type ToolSignInAnswer, toolSignInAttemptSchema, toolSignInPaths } from "#contract/mcp/sign-ins.ts";
import { type Answer, jsonOf } from "../../testing/http/send.ts";
import type { SignInServer } from "../../testing/mcp/sign-in-server.ts";
import { signUp } from "../clients/person.ts";
import type { Harness } from "../security-suite.ts";
import type { ToolSite } from "./tool-site.ts";

/** A server process, a tool server of its owner with sign-ins, its slug, and a person who may use it. */
export type SignInTarget = {
  harness: Harness;
  tools: ToolSite;
  remote: SignInServer;
  slug: string;
  ada: PersonAtServer;
};

/** A session of a person who signs in to a tool server. */
export class PersonAtServer {
  readonly token: string;
  readonly #tools: ToolSite;
  readonly #id: string;

  constructor(tools: ToolSite, id: string, token: string) {
    this.#tools = tools;
    this.#id = id;
    this.token = token;
  }

  static async signUp(tools: ToolSite, slug: string): Promise<PersonAtServer> {
    return PersonAtServer.of(tools, slug, await signUp(tools.site));
  }

  static async of(tools: ToolSite, slug: string, { token }: { token: string }): Promise<PersonAtServer> {
    const { groups } = toolListSchema.parse(
      jsonOf(await tools.call("GET", conversationPaths.tools, undefined, { token })),
    );
    const id = groups.find((group) => group.slug === slug)?.server?.id;
    if (id === undefined) throw new Error(`There is no server ${slug}`);
    return new PersonAtServer(tools, id, token);
  }

  begin(): Promise<Answer> {
    return this.#tools.call("POST", toolSignInPaths.attempt(this.#id), undefined, this);
  }

  /** Begins a sign-in. @returns the address to which the browser goes */
  async address(): Promise<string> {
    return toolSignInAttemptSchema.parse(jsonOf(await this.begin())).address;
  }

  finish(answer: ToolSignInAnswer): Promise<Answer> {
    return this.#tools.call("POST", toolSignInPaths.completion, answer, this);
  }

  /** Signs in as far as the servers allow. @returns the last answer */
  async signIn({ authorisation }: SignInServer): Promise<Answer> {
    const begun = await this.begin();
    if (begun.status !== 200) return begun;
    const { address } = toolSignInAttemptSchema.parse(jsonOf(begun));
    return this.finish(await authorisation.visit(address));
  }

  signOut(): Promise<Answer> {
    return this.#tools.call("DELETE", toolSignInPaths.attempt(this.#id), undefined, this);
  }
}

/** Restores what a trial has changed of the servers. */
export function resetSignIns({ remote }: Pick<SignInTarget, "remote">): void {
  const { authorisation } = remote;
  remote.intercept = () => false;
  remote.namedMetadata = undefined;
  remote.issuers = [remote.origin];
  remote.credentials.length = 0;
  authorisation.iss = remote.origin;
  authorisation.replacedMetadata = {};
  authorisation.tokenRedirect = undefined;
  authorisation.requests.length = 0;
}
