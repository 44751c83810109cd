/** Renders texts of users and models in a real browser, in every part of the page that shows them. */

import type { BrowserContext } from "@playwright/test";
import { vectors, written } from "../../testing/rendering/all.ts";
import { beyondPolicy } from "../../testing/rendering/loading.ts";
import type { Vector } from "../../testing/rendering/vector.ts";
import { signUp } from "../clients/person.ts";
import type { Trial } from "../report.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";
import { tryCosts } from "./costly.ts";
import { tryErrorTexts, tryNames } from "./fields.ts";
import { tryFraming } from "./framing.ts";
import { tryGrowing } from "./growing.ts";
import { type PlayProvider, startPlayProvider } from "./play-provider.ts";
import { openStored, type Stand, showModels, showTitles, streamReplies } from "./stages.ts";
import { buildUnsafe } from "./unsafe-build.ts";
import { openWatchedBrowser, type WatchedBrowser } from "./watched-browser.ts";
import { tryWatching } from "./watching.ts";
import { withoutPolicy } from "./without-policy.ts";

const MODEL_NAMES = 400;
/** Number of texts in the slower stages of a short run; each seed draws others. */
const SHORT_STREAMED = 160;
const SHORT_TITLES = 60;

type World = { harness: Harness; site: Site; provider: PlayProvider };

export const rendering: Suite = {
  name: "rendering",
  async run(harness) {
    await using provider = await startPlayProvider();
    provider.models = vectors.slice(0, MODEL_NAMES).map(({ text }) => text);
    // Without other providers there is no fallback.
    const env = { OPENAI_BASE_URL: provider.baseUrl, LOCAL_BASE_URL: provider.baseUrl, ANTHROPIC_API_KEY: "" };
    await using site = await harness.startSite({ env });
    const world = { harness, site, provider };
    await tryWatching(world);
    await tryArrangement(world, "without the content policy", withoutPolicy);
    if (!harness.isShort) {
      await tryArrangement(world, "as served");
      await tryPolicyAlone(world);
      await tryGrowing(harness);
    }
    await tryFraming(harness, site, provider);
    await tryFields(world);
    await tryCosts(harness, site, provider);
  },
};

type Prepare = (context: BrowserContext) => Promise<void>;

async function tryArrangement(world: World, name: string, prepare?: Prepare): Promise<void> {
  const { report } = world.harness;
  const person = await signUp(world.site);
  const url = world.site.url;
  await using browser = await openWatchedBrowser({ url, person, looksAtElements: true, ...(prepare && { prepare }) });
  let inputs = 0;
  let leaks: ReadonlySet<string> = new Set();
  await report.try("I1", `texts in messages, titles and names of models, ${name}`, async (trial) => {
    inputs = await showAll(world, { ...world, person, browser }, trial);
    leaks = await browser.close();
    trial.count(inputs);
    reportActs(trial, browser);
  });
  await report.try("I2", `requests to other hosts and DNS lookups, ${name}`, (trial) => {
    trial.count(inputs);
    for (const leak of leaks) trial.fail(`the network received a request for ${leak}`);
    reportFindings(trial, browser, /^a request/);
  });
  await report.try("I3", `links and how they open, ${name}`, (trial) => {
    trial.count(inputs);
    reportFindings(trial, browser, LINKS);
  });
  await report.try("I5", `elements, ids, names and styles at each change of the page, ${name}`, (trial) => {
    trial.count(inputs);
    for (const finding of browser.findings) {
      if (![ACTS, LINKS, /^a request/].some((kind) => kind.test(finding))) trial.fail(finding);
    }
  });
}

/** @returns the number of texts shown, each counted once for every part of the page */
async function showAll({ harness }: World, stand: Stand, trial: Trial): Promise<number> {
  const { isShort, random } = harness;
  const streamed = isShort ? random.sample(vectors, SHORT_STREAMED) : vectors;
  const alone = vectors.filter(({ id }) => !id.endsWith("h"));
  const titles = isShort ? random.sample(alone, SHORT_TITLES) : alone;
  await openStored(stand, vectors);
  const unseen = await streamReplies(stand, streamed);
  await showTitles(stand, titles);
  await showModels(stand);
  trial.note(`${written} texts of our own writing; ${unseen.length} replies hid their own end`);
  return 2 * vectors.length + 4 * streamed.length + titles.length + stand.provider.models.length;
}

/** Checks the content security policy alone, with a build that does not sanitise. */
async function tryPolicyAlone(world: World): Promise<void> {
  const { site, harness } = world;
  await using web = await buildUnsafe();
  const person = await signUp(site);
  const prepare = (context: BrowserContext) => web.serveTo(context);
  await using browser = await openWatchedBrowser({ url: site.url, person, looksAtElements: false, prepare });
  const held = vectors.filter(({ group }) => group !== beyondPolicy.name);
  await harness.report.try("I1", "texts inserted without sanitising: the content policy alone", async (trial) => {
    await openStored({ ...world, person, browser }, held);
    const leaks = await browser.close();
    trial.count(held.length);
    trial.note(`${beyondPolicy.vectors.length} texts that no policy can block are left out`);
    for (const leak of leaks) trial.fail(`the network received a request for ${leak}`);
    reportActs(trial, browser);
  });
}

async function tryFields({ harness, site, provider }: World): Promise<void> {
  const alone = vectors.filter(({ id }) => !id.endsWith("h"));
  const some: readonly Vector[] = harness.isShort ? harness.random.sample(alone, SHORT_STREAMED) : alone;
  const person = await signUp(site);
  await harness.report.try("I1", "first and last names, usernames and addresses: refused", (trial) =>
    tryNames(trial, site, some),
  );
  await harness.report.try("I1", "a provider's error texts and pages: none is passed on", (trial) =>
    tryErrorTexts(trial, { site, person, provider }, some),
  );
}

const ACTS = / ran$|was called$|^(?:a dialog|a window|a download|the way to)/;
const LINKS = /^a (?:footnote's )?link/;

const reportActs = (trial: Trial, browser: WatchedBrowser) => reportFindings(trial, browser, ACTS);

function reportFindings(trial: Trial, { findings }: WatchedBrowser, kind: RegExp): void {
  for (const finding of findings) if (kind.test(finding)) trial.fail(finding);
}
