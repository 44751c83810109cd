import { startJoinedSignInServer } from "../../testing/mcp/sign-in-server.ts";
import { scriptCalls, wireCall } from "../../testing/tools/script-calls.ts";
import { newToken, signUp } from "../clients/person.ts";
import { PersonAtServer, resetSignIns, type SignInTarget } from "./sign-in-target.ts";
import { statesOf } from "./tool-site.ts";

const REPLAYS = 50;
const FORGERIES = 40;

/** N4: answers of an authorisation server that are not for a session, and tokens that are not for a server. */
export async function tryForgedAnswers(target: SignInTarget): Promise<void> {
  await tryForgeries(target);
  await tryReplay(target);
  await tryOtherServers(target);
}

async function tryForgeries(target: SignInTarget): Promise<void> {
  const { harness, tools, remote, slug } = target;
  const what = "answers of other sessions, accounts, states, codes and issuers, and a flood of them";
  await harness.report.try("N4", what, async (trial) => {
    resetSignIns(target);
    const { authorisation } = remote;
    const person = await signUp(tools.site);
    const victim = await PersonAtServer.of(tools, slug, person);
    const attacker = await PersonAtServer.signUp(tools, slug);
    const otherSession = await PersonAtServer.of(tools, slug, { token: await newToken(tools.site, person) });
    const visit = async (by: PersonAtServer) => authorisation.visit(await by.address());
    const foreign = await visit(attacker);
    const attempts: [string, () => Promise<{ status: number }>][] = [
      ["an attacker's answer in a victim's session", () => victim.finish(foreign)],
      ["a victim's answer in an attacker's session", async () => attacker.finish(await visit(victim))],
      ["an answer in another session of the person", async () => otherSession.finish(await visit(victim))],
      ["an attacker's code", async () => victim.finish({ ...(await visit(victim)), code: foreign.code ?? "" })],
      ["an invented state", async () => victim.finish({ ...(await visit(victim)), state: "x".repeat(43) })],
      ["another issuer", async () => victim.finish({ ...(await visit(victim)), iss: "https://other.example.org" })],
      ["the issuer with a slash", async () => victim.finish({ ...(await visit(victim)), iss: `${remote.origin}/` })],
      ["no code", async () => victim.finish({ state: (await visit(victim)).state })],
    ];
    for (const [name, attempt] of attempts) {
      const { status } = await attempt();
      trial.expect(status >= 400 && status < 500, () => `${name} answered ${status}`);
    }
    authorisation.iss = undefined;
    const { status } = await victim.signIn(remote);
    trial.expect(status >= 400, () => `an answer without an issuer answered ${status}`);
    authorisation.iss = remote.origin;
    for (let times = 0; times < FORGERIES; times++) await victim.finish({ state: `${times}`.repeat(20), code: "a" });
    const right = await victim.signIn(remote);
    trial.expect(right.status === 200, () => `after wrong answers the right one answered ${right.status}`);
    await victim.signOut();
  });
}

async function tryReplay(target: SignInTarget): Promise<void> {
  const { harness, remote, ada } = target;
  await harness.report.try("N4", "one answer in many parallel requests", async (trial) => {
    resetSignIns(target);
    const answer = await remote.authorisation.visit(await ada.address());
    const answers = await Promise.all(Array.from({ length: REPLAYS }, () => ada.finish(answer)));
    const admitted = answers.filter(({ status }) => status === 200).length;
    trial.expect(admitted === 1, () => `${admitted} of ${REPLAYS} requests with one answer were accepted`);
    const redeemed = remote.authorisation.seen("/token").length;
    trial.expect(redeemed === 1, () => `the code was sent ${redeemed} times`);
    await ada.signOut();
  });
}

async function tryOtherServers(target: SignInTarget): Promise<void> {
  const { harness, tools, remote, slug, ada } = target;
  const what = "a token at another server, at another address of its server, and after a redirect";
  await harness.report.try("N4", what, async (trial) => {
    await using other = await startJoinedSignInServer();
    resetSignIns(target);
    await ada.signIn(remote);
    const hasToken = ({ credentials }: { credentials: readonly string[] }) => credentials.some((each) => each !== "");
    trial.expect(hasToken(remote), "the token has not arrived at its own server");
    const call = async (group: string) => {
      const chat = await tools.createChat([group], ada);
      scriptCalls(tools.site.provider, [[wireCall(`${group}__read`, {})]]);
      await chat.ask("Read.");
      return statesOf(await chat.decide("once"));
    };
    const second = (await tools.add({ name: "Second", url: other.url })).server.slug;
    await call(second);
    trial.expect(!hasToken(other), "another server has received the token");
    remote.intercept = ({ method }, response) =>
      method === "POST" && Boolean(response.writeHead(307, { location: other.url }).end());
    await call(slug);
    trial.expect(!hasToken(other), "the target of a redirect has received the token");
    resetSignIns(target);
    const states = await call(slug);
    trial.expect(states === `${slug} read succeeded`, () => `with its token the call is ${states}`);
    await tools.remove(second);
    await tools.change(slug, { url: other.url });
    await call(slug);
    trial.expect(!hasToken(other), "another address has received the token");
    const requests = other.authorisation.requests.length;
    trial.expect(requests === 0, () => `the issuer of another address has received ${requests} requests`);
    resetSignIns(target);
    await tools.change(slug, { url: remote.url });
    await call(slug);
    trial.expect(!hasToken(remote), "a token was stored after its server had moved");
    const { status } = await ada.signIn(remote);
    trial.expect(status === 200, () => `a new sign-in answered ${status}`);
    await ada.signOut();
  });
}
