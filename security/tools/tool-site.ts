import {
  type McpServerChange,
  type NewMcpServer,
  type SavedMcpServer,
  savedMcpServerSchema,
} from "#contract/administration/mcp-servers.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { DecisionAnswer } from "#contract/conversation/tool-calls.ts";
import { API_BASE } from "#contract/http.ts";
import { waitFor } from "../../testing/app/wait-for.ts";
import { type Answer, jsonOf } from "../../testing/http/send.ts";
import { callsOf, decisionOn } from "../../testing/tools/calls-of.ts";
import { newToken, type Person, signUp } from "../clients/person.ts";
import type { Harness } from "../security-suite.ts";
import type { Site, SiteOptions } from "../site.ts";

const MODEL = "GPT:gpt-5-mini";

/** A server process, and its owner, who adds tool servers. */
export class ToolSite implements AsyncDisposable {
  readonly site: Site;
  readonly owner: Person;

  private constructor(site: Site, owner: Person) {
    this.site = site;
    this.owner = owner;
  }

  static async open(harness: Harness, options: SiteOptions): Promise<ToolSite> {
    const site = await harness.startSite(options);
    // The first account of a server that only this machine reaches is its owner.
    const owner = await signUp(site);
    return new ToolSite(site, { ...owner, token: await newToken(site, owner) });
  }

  /** Adds a server, which is asked for its tools. */
  async add(body: NewMcpServer): Promise<SavedMcpServer> {
    return savedMcpServerSchema.parse(jsonOf(await this.call("POST", administrationPaths.mcpServers, body)));
  }

  async change(slug: string, body: McpServerChange): Promise<SavedMcpServer> {
    return savedMcpServerSchema.parse(jsonOf(await this.call("PATCH", administrationPaths.mcpServer(slug), body)));
  }

  /** Asks a server for its tools. */
  async refresh(slug: string): Promise<SavedMcpServer> {
    return savedMcpServerSchema.parse(jsonOf(await this.call("POST", administrationPaths.mcpServerTools(slug))));
  }

  async remove(slug: string): Promise<void> {
    await this.call("DELETE", administrationPaths.mcpServer(slug));
  }

  call(method: string, path: string, body?: object, { token }: Pick<Person, "token"> = this.owner): Promise<Answer> {
    return this.site.send({ method, path: API_BASE + path, token, ...(body && { body }) });
  }

  /** Creates a chat in which these groups of tools are switched on. */
  async createChat(tools: readonly string[], person: Pick<Person, "token"> = this.owner): Promise<ToolChat> {
    const { id } = jsonOf<Chat>(await this.call("POST", conversationPaths.chats, { tools }, person));
    const chat = new ToolChat(this.site, id, person.token);
    // So that no title is asked for.
    await chat.call("PATCH", "", { title: "Tools" });
    return chat;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.site[Symbol.asyncDispose]();
  }
}

/** A chat whose model calls tools as the scripted provider says. */
export class ToolChat {
  readonly id: string;
  readonly #site: Site;
  readonly #token: string;

  constructor(site: Site, id: string, token: string) {
    this.#site = site;
    this.id = id;
    this.#token = token;
  }

  /** Calls a path below the chat, such as `/decision`. */
  call(method: string, path: string, body?: object): Promise<Answer> {
    const whole = API_BASE + conversationPaths.chat(this.id) + path;
    return this.#site.send({ method, path: whole, token: this.#token, ...(body && { body }) });
  }

  /** Asks a question. @returns the reply once it has ended or waits for a decision */
  async ask(message: string): Promise<Message> {
    await this.call("POST", "/send?stream=1", { message, model: MODEL });
    return this.settled();
  }

  async last(): Promise<Message> {
    const message = jsonOf<Chat>(await this.call("GET", "")).messages.at(-1);
    if (!message) throw new Error("The chat is empty");
    return message;
  }

  /** Waits until the last reply is not being written. */
  settled(): Promise<Message> {
    return waitFor("a reply that has ended or waits", async () => {
      const message = await this.last();
      return message.state !== "writing" && message;
    });
  }

  /** Returns the body of a decision on all calls that wait. */
  async decision(answer: DecisionAnswer): Promise<object> {
    return decisionOn(await this.last(), answer);
  }

  /** Decides on all calls that wait. @returns the reply once it has ended or waits again */
  async decide(answer: DecisionAnswer): Promise<Message> {
    await this.call("POST", "/decision", await this.decision(answer));
    return this.settled();
  }
}

/** Returns calls as the lines of the report name them, such as `evil__send proposed`. */
export const statesOf = (message: Message): string =>
  callsOf(message)
    .map(({ server, name, state }) => `${server} ${name} ${state}`)
    .join(", ");
