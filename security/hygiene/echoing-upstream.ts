import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { modelPaths } from "#contract/models/paths.ts";
import type { AnswerWriter } from "../../testing/provider/answer-writer.ts";
import type { ProviderRequest } from "../../testing/provider/provider-request.ts";
import { startProvider } from "../../testing/provider/provider-server.ts";
import { databaseRows } from "../clients/database-dump.ts";
import { signUp } from "../clients/person.ts";
import { newChat } from "../routes/route-harness.ts";
import type { Suite } from "../security-suite.ts";

const KEYS = { openai: "sk-echo-canary-of-openai-0123456789", anthropic: "sk-ant-echo-canary-of-anthropic-98765" };
const PIECES = [1, 2, 3, 7, 16, 1000];

/** I8: a provider that echoes its requests: its key must not reach browsers, logs or the database. */
export const echoes: Suite = {
  name: "echoes",
  async run({ report, startSite }) {
    let calls = 0;
    await using upstream = await startProvider((request, answer) => {
      calls++;
      return echo(request, answer);
    });
    const base = upstream.baseUrl;
    const env = {
      OPENAI_API_KEY: KEYS.openai,
      OPENAI_BASE_URL: base,
      ANTHROPIC_API_KEY: KEYS.anthropic,
      ANTHROPIC_BASE_URL: base,
    };
    await using site = await startSite({ env });
    await report.try(
      "I8",
      "replies and errors that contain what the provider was sent, split anywhere",
      async (trial) => {
        const ada = await signUp(site);
        const models = ["GPT:gpt-5-mini", "CLAUDE:claude-sonnet-4-5-20250929", undefined];
        for (const model of models) {
          for (const answer of [...PIECES.map((size) => `pieces ${size}`), ...ERRORS]) {
            const path = API_BASE + conversationPaths.chatSend(await newChat(site, ada));
            const body = { message: `[${answer}]`, ...(model && { model }) };
            for (const query of ["", "?stream=true"]) {
              const response = await site.send({ method: "POST", path: path + query, token: ada.token, body });
              const isHidden =
                !holdsKey(response.text + JSON.stringify(response.headers)) && !response.text.includes(upstream.url);
              trial.expect(isHidden, () => `${model} ${answer}: ${response.text.slice(0, 500)}`);
            }
          }
        }
        trial.expect(calls > models.length * PIECES.length, "the provider received too few requests");
        trial.expect(!holdsKey(JSON.stringify(await databaseRows(site))), "the database holds a key");
        trial.expect(!holdsKey(await site.logs()), "the log holds a key");
        const config = await Promise.all(
          [accountPaths.authConfig, modelPaths.models, accountPaths.me].map((path) =>
            site.send({ path: API_BASE + path, token: ada.token }),
          ),
        );
        for (const { text: response } of config)
          trial.expect(!holdsKey(response) && !response.includes(upstream.url), () => response);
      },
    );
  },
};

const holdsKey = (response: string) =>
  Object.values(KEYS).some((key) => response.includes(key) || response.includes(key.slice(0, 20)));

const ERRORS = ["error 400", "error 401", "error 500", "error in the stream", "a page"];

/** Echoes the keys of a request. The last brackets of the prompt say how, as in `[pieces 3]` or `[error 401]`. */
async function echo({ headers, messages, wire }: ProviderRequest, answer: AnswerWriter): Promise<void> {
  const { authorization, "x-api-key": key } = headers;
  const sent = `authorization: ${authorization ?? ""}, x-api-key: ${key ?? ""}`;
  const prompt = messages.map(({ content }) => content).join("\n");
  const [, way = ""] = /\[([^\]]+)\][^[]*$/.exec(prompt) ?? [];
  const [, status] = /^error (\d+)/.exec(way) ?? [];
  const problem = JSON.stringify({ error: { message: sent, type: sent, code: sent } });
  if (status) return answer.respond(Number(status), "application/json", problem, { "x-echo": sent });
  if (way === "a page") return answer.respond(200, "text/html", `<h1>${sent}</h1>`);
  if (!wire) return answer.respond(404);
  const encoder = wire.encodeAnswer("echo");
  const size = Number(/^pieces (\d+)/.exec(way)?.[1] ?? 5);
  answer.begin();
  await answer.write(encoder.start());
  for (const encode of [encoder.reasoning, encoder.text]) {
    for (let at = 0; at < sent.length; at += size) await answer.write(encode(sent.slice(at, at + size)));
  }
  answer.end(way.startsWith("error") ? `data: ${problem}\n\n` : encoder.finish("complete") + encoder.endMark());
}
