import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { API_BASE } from "#contract/http.ts";
import type { TestApp } from "../app/start-test-app.ts";

/** A client of an event stream that reads nothing after the head until {@link readAll}. */
export class StalledReader {
  readonly #response: IncomingMessage;

  constructor(response: IncomingMessage) {
    this.#response = response;
  }

  /** Reads everything that was sent: the `data:` values, and whether the connection was cut off. */
  async readAll(): Promise<{ events: string[]; isCutOff: boolean }> {
    let text = "";
    try {
      for await (const chunk of this.#response.setEncoding("utf8")) text += chunk;
    } catch {
      // The connection was cut off; the text received so far is returned.
    }
    const blocks = text.split("\n\n").slice(0, -1);
    return { events: blocks.map((block) => block.slice("data:".length).trim()), isCutOff: !this.#response.complete };
  }
}

export async function openStalledReader(app: TestApp, path: string, token: string): Promise<StalledReader> {
  const { hostname: host, port } = new URL(app.url);
  // Reads one chunk after the head: the receive buffer of the system grows with the amount that is read.
  const options = { host, port: Number(port), highWaterMark: 1 };
  const request = get(`${app.url}${API_BASE}${path}`, {
    createConnection: () => connect(options),
    headers: { authorization: `Bearer ${token}` },
  });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`GET ${path} answered ${response.statusCode}`);
  return new StalledReader(response);
}
