import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/find-chromium.ts";

const executablePath = findChromium();
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${[
    // Chromium loads two pages for its address bar and a spare process with each window: half of a short test's cost.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "SpareRendererForSitePerProcess",
    // Playwright's own list, of which this one takes the place.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
  ].join()}`,
];

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results/e2e",
  forbidOnly: process.env.CI !== undefined,
  fullyParallel: true,
  workers: 2,
  // A test that fails now and then is a finding, not a nuisance. Where nobody looks on, one such test is named and does
  // not hide what all the others have shown.
  retries: process.env.CI === undefined ? 0 : 1,
  // A net against hanging, wide enough for a machine that is busy with other things.
  timeout: 120_000,
  expect: { timeout: 15_000, toHaveScreenshot: { maxDiffPixelRatio: 0.01 } },
  snapshotPathTemplate: "e2e/pictures/{arg}-{projectName}{ext}",
  reporter: [["line"], ["json", { outputFile: "test-results/e2e.json" }]],
  use: {
    browserName: "chromium",
    headless: true,
    locale: "en-US",
    colorScheme: "light",
    // Requests of a service worker are not seen by routes and listeners; installed.spec.ts alone is about it.
    serviceWorkers: "block",
    // What was done and said on the console. Pictures of every frame took a third of the whole time, copies of the
    // document and of all that was loaded a sixth of the rest: `--trace on` has them where they are wanted.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
    screenshot: "only-on-failure",
    launchOptions: { args: quiet, ...(executablePath === undefined ? {} : { executablePath }) },
  },
  projects: [
    // Everything runs on the desktop. On the phone runs what a small or touched screen shows or handles otherwise: tests
    // tagged @every-screen (looks, axe, the drawer with the chats, each screen's main way) and phone.spec.ts, which is
    // for it alone. Words, calls and what is stored are the same at every width: once is enough.
    { name: "desktop", testIgnore: "**/phone.spec.ts", use: { viewport: { width: 1280, height: 800 } } },
    {
      name: "phone",
      grep: /@every-screen|phone\.spec\.ts/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
});
