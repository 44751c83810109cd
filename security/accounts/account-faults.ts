import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { ServerProcess } from "../../testing/servers/server-process.ts";
import { mountSmallDisk } from "../../testing/servers/small-disk.ts";
import { newPerson, newToken, nextKey, register, signIn, signUp } from "../clients/person.ts";
import type { Harness, Suite } from "../security-suite.ts";

const MEGABYTES = 24;

/** Faults of the checklist that concern accounts: full disks (R16), second servers (R17). */
export const accountFaults: Suite = {
  name: "account-faults",
  async run(harness) {
    await tryFullDisk(harness);
    await trySecondServer(harness);
  },
};

async function tryFullDisk({ report, startSite }: Harness): Promise<void> {
  const disk = await mountSmallDisk(MEGABYTES);
  if (!disk) return report.skip("A full disk: only root on Linux can mount a small disk");
  await using _disk = disk;
  await report.try("D12", "registering and signing in on a full disk (R16)", async (trial) => {
    await using site = await startSite({ dataDir: disk.folder });
    const { pid } = site.server;
    const ada = await signUp(site);
    await disk.fill();
    // Free pages within the database's files are used up first.
    let refusal = 0;
    for (let times = 0; times < 200 && refusal !== 507; times++) {
      refusal = (await register(site, newPerson())).status;
      trial.expect([201, 503, 507].includes(refusal), `registering: ${refusal}`);
    }
    trial.expect(refusal === 507, `a full disk was never reported: ${refusal}`);
    for (const sending of [
      { method: "POST", path: API_BASE + accountPaths.login, body: { username: ada.username, password: ada.password } },
      { method: "POST", path: API_BASE + accountPaths.forgotPassword, body: { email: ada.email } },
      { method: "POST", path: API_BASE + conversationPaths.chats, token: ada.token, body: {} },
    ]) {
      const { status, text } = await site.send(sending);
      const isHandled = [200, 201, 503, 507].includes(status) && !/SQLITE|ENOSPC|full disk/i.test(text);
      trial.expect(isHandled, () => `${sending.path}: ${status} ${text}`);
    }
    const reading = await site.send({ path: API_BASE + accountPaths.me, token: ada.token });
    trial.expect(reading.status === 200, `reading: ${reading.status}`);
    await disk.makeRoom();
    const person = newPerson();
    const again = await register(site, person);
    trial.expect(again.status === 201, `after space was freed: ${again.status}`);
    await nextKey(site, person.email);
    trial.expect((await signIn(site, ada)).status === 200 && site.server.pid === pid, "the same server keeps running");
  });
}

async function trySecondServer({ report, startSite }: Harness): Promise<void> {
  await report.try("E2", "a second server on the same data folder (R17)", async (trial) => {
    await using site = await startSite();
    const ada = await signUp(site);
    await using second = new ServerProcess("second", site.dataDir, site.env);
    const output = await second.start().then(
      () => "it started",
      (error: unknown) => String(error),
    );
    trial.expect(/ended \(1\)/.test(output) && output.includes(site.dataDir), () => output.slice(0, 300));
    const token = await newToken(site, ada);
    trial.expect(token !== "", "the first server keeps running");
    await site.server.end("SIGKILL");
    await second.start();
    trial.expect(second.isRunning, "the folder of a killed server can be used again");
  });
}
