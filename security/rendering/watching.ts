import { signUp } from "../clients/person.ts";
import type { Harness } from "../security-suite.ts";
import type { Site } from "../site.ts";
import { openWatchedBrowser } from "./watched-browser.ts";
import { withoutPolicy } from "./without-policy.ts";

/** Control: each kind of effect is caused on purpose in a page without policy, and must be recorded. */
const acts: readonly { html: string; sign: RegExp }[] = [
  { html: "<img src=x onerror=\"hit('a')\">", sign: /^a ran$/ },
  { html: "<img src=x onerror=alert(1)>", sign: /^alert was called$/ },
  { html: "<img src=https://watched.leak.example/x>", sign: /^a request to https:\/\/watched/ },
  { html: "<iframe srcdoc='x'></iframe>", sign: /^an element that loads or runs/ },
  { html: "<div class=reply><a href=//leak.example>x</a></div>", sign: /^a link that is not http, https or mailto/ },
  { html: "<div class=reply><p id=location>x</p></div>", sign: /^an id of its own/ },
  { html: "<div class=reply><p style='color:red'>x</p></div>", sign: /^a style of its own/ },
  { html: "<link rel=preconnect href=https://looked-up.leak.example>", sign: /^an element that loads or runs/ },
];
const hosts = ["watched", "looked-up"];
const SEEN_WITHIN_MS = 1000;

export async function tryWatching({ harness, site }: { harness: Harness; site: Site }): Promise<void> {
  const person = await signUp(site);
  const options = { url: site.url, person, looksAtElements: true, prepare: withoutPolicy };
  await using browser = await openWatchedBrowser(options);
  await harness.report.try("I1", "the detectors report what they look for when it happens", async (trial) => {
    const page = await browser.page();
    await page.goto("/chat");
    await page.getByRole("main").waitFor();
    await page.evaluate(
      (all) => {
        for (const html of all) document.body.append(document.createRange().createContextualFragment(html));
      },
      acts.map(({ html }) => html),
    );
    await page.waitForTimeout(SEEN_WITHIN_MS);
    const leaks = await browser.close();
    for (const { html, sign } of acts)
      trial.expect(
        [...browser.findings].some((one) => sign.test(one)),
        `not seen: ${html}`,
      );
    for (const host of hosts) trial.expect(leaks.has(host), `the network's log does not contain ${host}`);
  });
}
