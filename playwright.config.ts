import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/find-chromium.ts";
import { HANG_MS } from "./testing/app/wait-for.ts";

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
    // Playwright's own list, which this argument replaces.
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

/** Journeys of the proof have the pictures of the same screen. */
const picturesOf = (screen: string) => `e2e/pictures/{arg}-${screen}{ext}`;
const onDesktop = { testIgnore: "**/*phone.spec.ts", use: desktop, snapshotPathTemplate: picturesOf("desktop") };
const onPhone = { use: phone, snapshotPathTemplate: picturesOf("phone") };

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results/e2e",
  forbidOnly: process.env.CI !== undefined,
  fullyParallel: true,
  // Three workers on two cores: journeys wait for timers and paints half of the time. `npm test` sets TEST_WORKERS while
  // another stage runs.
  workers: Number(process.env.TEST_WORKERS ?? 3),
  // The retry records a trace. A journey that passes only then is a bug: scripts/test/stages.ts prints it, and counts it
  // as failed in a proof.
  retries: 1,
  // A timeout against hanging only, long enough for a busy machine.
  timeout: 3 * HANG_MS,
  expect: { timeout: HANG_MS, toHaveScreenshot: { maxDiffPixelRatio: 0.01 } },
  reporter: [["line"], ["json", { outputFile: "test-results/e2e.json" }]],
  use: {
    browserName: "chromium",
    headless: true,
    locale: "en-US",
    colorScheme: "light",
    // Routes and listeners do not see the requests of a service worker. Only installed.spec.ts tests the worker.
    serviceWorkers: "block",
    // Recording every test took a sixth of the run.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    launchOptions: { args: quiet, ...(executablePath === undefined ? {} : { executablePath }) },
  },
  // `npm test` runs "desktop" and "phone", `npm run proof` all four projects. @every-screen: the proof runs the journey
  // on the phone too. @phone: one journey for each screen that differs on a small or touch screen. @proof: only the
  // proof runs it, because faster tests assert the same, or only colour or language differ.
  projects: [
    { name: "desktop", ...onDesktop, grepInvert: /@proof/ },
    { name: "phone", ...onPhone, grep: /@phone|phone\.spec\.ts/, grepInvert: /@proof/ },
    { name: "desktop-proof", ...onDesktop, grep: /@proof/ },
    {
      name: "phone-proof",
      ...onPhone,
      grep: /@every-screen|phone\.spec\.ts.*@proof/,
      grepInvert: [/@phone/, /phone\.spec\.ts(?!.*@proof)/],
    },
  ],
});
