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

const desktop = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results/e2e",
  forbidOnly: process.env.CI !== undefined,
  fullyParallel: true,
  // On two cores: journeys wait for timers and paints for half of their time.
  workers: 3,
  // The second try records what it does. A test that needs it is a bug and fails the run, but where .ci/run asks to name it.
  retries: process.env.CI === undefined ? 0 : 1,
  failOnFlakyTests: process.env.FLAKY_TESTS !== "named",
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
    // Recording took a sixth of the whole time. A retry in CI records; elsewhere `--trace on` does.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    launchOptions: { args: quiet, ...(executablePath === undefined ? {} : { executablePath }) },
  },
  // `npm test` runs "desktop" and "phone", `npm run proof` all four projects.
  // @every-screen: a journey that fits the phone too. @phone: what a small or touched screen shows or handles otherwise,
  // one journey for each screen. @proof: what faster tests assert already, and looks that differ by colour or language only.
  projects: [
    { name: "desktop", testIgnore: "**/phone.spec.ts", grepInvert: /@proof/, use: desktop },
    { name: "phone", grep: /@phone|phone\.spec\.ts/, grepInvert: /@proof/, use: phone },
    { name: "desktop-proof", testIgnore: "**/phone.spec.ts", grep: /@proof/, use: desktop },
    {
      name: "phone-proof",
      grep: /@every-screen|phone\.spec\.ts.*@proof/,
      grepInvert: [/@phone/, /phone\.spec\.ts(?!.*@proof)/],
      use: phone,
    },
  ],
});
