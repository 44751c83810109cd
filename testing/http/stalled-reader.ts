import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { API_BASE } from "#contract/paths.ts";
import type { TestApp } from "../app/start-test-app.ts";

/** A reader of an event stream that takes nothing of it after its head, until it is told to. */
export class StalledReader {
  readonly #response: IncomingMessage;

  constructor(response: IncomingMessage) {
    this.#response = response;
  }

  /** All that had been sent to it: the `data:` values, and whether the stream was cut off instead of ending. */
  async readAll(): Promise<{ events: string[]; isCutOff: boolean }> {
    let text = "";
    try {
      for await (const chunk of this.#response.setEncoding("utf8")) text += chunk;
    } catch {
      // Cut off: what came is what counts.
    }
    const blocks = text.split("\n\n").slice(0, -1);
    return { events: blocks.map((block) => block.slice("data:".length).trim()), isCutOff: !this.#response.complete };
  }
}

export async function openStalledReader(app: TestApp, path: string, token: string): Promise<StalledReader> {
  const { hostname: host, port } = new URL(app.url);
  // Takes one piece after the head: the more a reader takes, the more the system's receive buffer grows.
  const options = { host, port: Number(port), highWaterMark: 1 };
  const request = get(`${app.url}${API_BASE}${path}`, {
    createConnection: () => connect(options),
    headers: { authorization: `Bearer ${token}` },
  });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`GET ${path} answered ${response.statusCode}`);
  return new StalledReader(response);
}
