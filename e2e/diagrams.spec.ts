import type { Frame, Page } from "@playwright/test";
import { expect, expectMainUnscrollable, test } from "./chat-screen.ts";
import { clipboardText } from "./clipboard.ts";
import { holdTimers } from "./held-timers.ts";
import { watchShifts } from "./layout-shifts.ts";

test.afterEach(({ page }) => expectMainUnscrollable(page));

const fenced = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``;
const FLOW = "flowchart LR\n  A[Asked] --> B{Known?}\n  B -- yes --> C[Told]";
const TALK = "sequenceDiagram\n  accTitle: Signing in\n  accDescr: Who asks whom\n  Browser->>Server: Hello";

const frameOf = async (page: Page, title: string | RegExp): Promise<Frame> => {
  const element = await page.getByTitle(title).elementHandle();
  const frame = await element?.contentFrame();
  if (!frame) throw new Error(`No frame ${title}`);
  return frame;
};

test("a diagram is drawn once its source is complete, can be enlarged, and can be shown as source @every-screen", async ({
  chat,
  page,
  provider,
  context,
  browserName,
}) => {
  if (browserName === "chromium") await context.grantPermissions(["clipboard-write"]);
  const answer = chat.messages.nth(1);
  await holdTimers(page, 2000);
  await chat.open();
  await chat.send("[scenario:held] Draw it");
  provider.release(`Look:\n\n\`\`\`mermaid\n${FLOW}`);
  await expect(answer.locator("figure pre")).toContainText("Known?");
  await expect(answer.locator("iframe")).toHaveCount(0);
  provider.release("\n```\n\nThat was it.\n");
  const drawing = answer.frameLocator("iframe[title=Flowchart]").locator("svg").first();
  await expect(drawing).toContainText("Known?");
  await expect(answer.locator("figure pre")).toHaveCount(0);
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await expect(drawing).toBeVisible();

  const figure = answer.locator("figure");
  await figure.getByRole("button", { name: "Show source" }).click();
  await expect(figure.locator("pre")).toHaveText(FLOW);
  await figure.getByRole("button", { name: "Show diagram" }).click();
  await expect(drawing).toBeVisible();
  await figure.getByRole("button", { name: "Copy source" }).click();
  await expect(figure.getByRole("button", { name: "Copied" })).toBeVisible();
  if (browserName === "chromium") expect(await clipboardText(page)).toBe(FLOW);
  const enlarge = figure.getByRole("button", { name: "Enlarge" });
  await enlarge.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Flowchart" });
  await expect(dialog.frameLocator("iframe").locator("svg").first()).toContainText("Known?");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(enlarge).toBeFocused();

  const fill = () =>
    drawing
      .locator("rect")
      .first()
      .evaluate((box) => getComputedStyle(box).fill);
  const light = await fill();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(fill).not.toBe(light);
});

test("a diagram has its author's title, a failed one shows its source, and neither moves the text below", async ({
  chat,
  page,
}) => {
  const long = `flowchart TD\n${Array.from({ length: 2000 }, (_, at) => `  a${at} --> b${at}`).join("\n")}`;
  const dense = `flowchart TD\n${Array.from({ length: 400 }, (_, at) => `  a --> b${at}`).join("\n")}`;
  const words = Array.from({ length: 80 }, (_, at) => `Line ${at + 1}.`).join("\n\n");
  const reply = [TALK, "flowchart TD\n  A[never closed", long, dense].map(fenced).join("\n\n");
  await chat.open(await chat.prepare("Draw", reply, "And words", `${words}\n\n${fenced(FLOW)}\n\nThe end.`));
  const end = page.getByText("The end.");
  await expect(chat.messages.last().frameLocator("iframe").locator("svg").first()).toContainText("Known?");
  await expect(end).toBeInViewport();
  // The diagrams far above the viewport are not drawn yet.
  await expect(chat.messages.nth(1).locator("iframe")).toHaveCount(0);

  const figures = chat.messages.nth(1).locator("figure");
  await figures.last().scrollIntoViewIfNeeded();
  await expect(figures.nth(3)).toContainText("could not be drawn");
  await expect(figures.nth(2)).toContainText("too large to draw");
  await expect(figures.nth(2).locator("pre")).toContainText("a1999 --> b1999");
  await expect(figures.nth(2).locator("iframe")).toHaveCount(0);
  await figures.nth(1).scrollIntoViewIfNeeded();
  await expect(figures.nth(1)).toContainText("could not be drawn");
  await expect(figures.nth(1).locator("pre")).toContainText("never closed");
  await figures.first().scrollIntoViewIfNeeded();
  await expect(page.getByTitle("Sequence diagram. Signing in. Who asks whom")).toBeVisible();
});

test("a diagram less than a screen away is drawn before it is visible", async ({ chat, page }) => {
  const words = Array.from({ length: 16 }, (_, at) => `Line ${at + 1}.`).join("\n\n");
  await chat.open(await chat.prepare("Draw", `${fenced(FLOW)}\n\n${words}`));
  await expect(page.getByText("Line 16.")).toBeInViewport();
  await expect(page.frameLocator("iframe").locator("svg").first()).toContainText("Known?");
  await expect(page.locator("figure")).not.toBeInViewport();
});

test("the labels of states are centred in their boxes", async ({ chat, page }) => {
  const states = 'stateDiagram-v2\n  [*] --> on: go\n  on --> L\n  state "A much longer description" as L';
  await chat.open(await chat.prepare("Draw", fenced(states)));
  await expect(page.frameLocator("iframe").locator(".statediagram-state")).toHaveCount(2);
  const frame = await frameOf(page, "State diagram");
  const apart = await frame.locator(".statediagram-state").evaluateAll((states) =>
    states.map((state) => {
      const [box, words] = ["rect.label-container", "text"].map((part) => {
        const { left = 0, width = 0 } = state.querySelector(part)?.getBoundingClientRect() ?? {};
        return { middle: left + width / 2, width };
      });
      return { apart: Math.round((words?.middle ?? 0) - (box?.middle ?? 100)), width: words?.width ?? 0 };
    }),
  );
  expect(apart.map((state) => state.apart)).toEqual([0, 0]);
  for (const { width } of apart) expect(width).toBeGreaterThan(5);
});

test.describe("a diagram without a network", () => {
  test.use({ expectedErrors: [/flowDiagram|Failed to load resource/] });

  test("a failed diagram is retried by its button, also when enlarged @every-screen", async ({ chat, page }) => {
    const kind = /sandbox\/.*flowDiagram/;
    await page.route(kind, (route) => route.abort());
    await chat.open(await chat.prepare("Draw", fenced(FLOW)));
    const figure = chat.messages.last().locator("figure");
    await expect(figure).toContainText("could not be drawn");
    await expect(figure.locator("pre")).toHaveText(FLOW);
    await page.unroute(kind);
    await figure.getByRole("button", { name: "Try again" }).click();
    await expect(figure.getByRole("button", { name: "Copy source" })).toBeFocused();
    await expect(figure.frameLocator("iframe").locator("svg").first()).toContainText("Known?");
    await expect(figure).not.toContainText("could not be drawn");

    await page.route(kind, (route) => route.abort());
    await figure.getByRole("button", { name: "Enlarge" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("could not be drawn");
    await page.unroute(kind);
    await dialog.getByRole("button", { name: "Try again" }).click();
    await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
    await expect(dialog.frameLocator("iframe").locator("svg").first()).toContainText("Known?");
  });
});

const LOOSE = '%%{init: {"securityLevel":"loose","htmlLabels":true,"flowchart":{"htmlLabels":true},"secure":[]}}%%\n';
const CSS = '%%{init: {"themeCSS":"* { background: url(https://evil.example/css) !important }"}}%%\n';
const ATTACKS = [
  'flowchart TD\n  A --> B\n  click A call alert("1")\n  click B href "javascript:alert(1)"',
  'flowchart TD\n  A --> B\n  click A "https://evil.example/a" _self\n  click B href "https://evil.example/b" _blank',
  `${LOOSE}flowchart TD\n  A["<img src=x onerror=alert(1)>"] --> B["<iframe src='javascript:alert(1)'></iframe>"]`,
  `${LOOSE}flowchart TD\n  A["<script>alert(1)</script><b onclick=alert(1)>b</b>"] -- "<svg onload=alert(1)>" --> B`,
  `${LOOSE}sequenceDiagram\n  A->>B: <img src=x onerror=alert(1)>\n  link A: Go @ javascript:alert(1)`,
  `${LOOSE}classDiagram\n  class A["<img src=x onerror=alert(1)>"]\n  callback A "alert" "x"\n  link A "javascript:alert(1)"`,
  `${CSS}flowchart TD\n  A --> B\n  style A fill:url(https://evil.example/fill)`,
  '---\ntitle: <img src=x onerror=alert(1)>\n---\npie\n  "<script>alert(1)</script>" : 5',
  'flowchart TD\n  A@{ img: "https://evil.example/img.png", label: "x" } --> B@{ icon: "evil:x" }',
];

test.describe("diagrams with hostile source", () => {
  test.use({
    expectedErrors: [/Content Security Policy|Refused to|sandboxed|^request: https:..evil.example.img/i],
  });

  test("a hostile diagram runs nothing, loads nothing, opens no links and reads no data of the page", async ({
    chat,
    page,
    parley: { app },
  }) => {
    const events: string[] = [];
    page.on("dialog", (dialog) => {
      events.push(dialog.message());
      return dialog.dismiss();
    });
    page.on("popup", (popup) => events.push(popup.url()));
    page.on("framenavigated", (frame) => {
      if (frame !== page.mainFrame() && frame.url() !== `${app.url}/sandbox/diagram.html`) events.push(frame.url());
    });
    // A request that the policy blocks is never routed.
    await page.route(/evil\.example/, (route) => {
      events.push(`requested ${route.request().url()}`);
      return route.abort();
    });
    // Playwright also reports the requests that the policy blocks, and those of a frame that is removed while it loads.
    page.on("requestfailed", (request) => {
      const errorText = request.failure()?.errorText;
      if (errorText !== "csp" && errorText !== "net::ERR_ABORTED") events.push(`${request.url()} ${errorText}`);
    });
    const pairs = ATTACKS.flatMap((source) => ["Draw", `${fenced(source)}\n`]);
    const id = await chat.prepare(...pairs, "Last", fenced(TALK));
    await page.setViewportSize({ width: 1000, height: 12_000 });
    await chat.open(id);
    for (const at of ATTACKS.keys()) {
      const figure = chat.messages.nth(2 * at + 1).locator("figure");
      await chat.messages.nth(2 * at + 1).scrollIntoViewIfNeeded();
      await expect(
        figure.locator("[data-drawn=true] iframe, p").or(figure.and(page.locator("[data-drawn=true]"))),
      ).toHaveCount(1);
    }
    for (const frame of page.frames().filter((one) => one !== page.mainFrame())) {
      expect(frame.url()).toBe(`${app.url}/sandbox/diagram.html`);
      const found = await frame.evaluate(() => {
        const odd = [...document.querySelectorAll("body script, iframe, img, image, svg [href], foreignObject")];
        const handlers = [...document.querySelectorAll("*")].filter((element) =>
          [...element.attributes].some(({ name }) => name.startsWith("on")),
        );
        return [...odd, ...handlers]
          .filter((element) => !(element.getAttribute("href") ?? "").startsWith("#"))
          .map((element) => element.outerHTML.slice(0, 200));
      });
      expect(found).toEqual([]);
      for (const node of await frame.locator("g.node, text.actor").all()) await node.click({ force: true });
    }
    expect(events).toEqual([]);
    expect(page.url()).toContain(id);

    const frame = await frameOf(page, /Sequence diagram\. Signing in/);
    const reached = await frame.evaluate(async (own) => {
      const tries: Record<string, () => unknown> = {
        storage: () => localStorage.length,
        cookie: () => document.cookie,
        parent: () => parent.document.body,
        api: () => fetch(`${own}/api/auth/me`),
        elsewhere: () => fetch("https://evil.example/"),
        worker: () =>
          new Promise((resolve, reject) => {
            const worker = new Worker(URL.createObjectURL(new Blob(["postMessage(1)"])));
            worker.onmessage = resolve;
            worker.onerror = reject;
          }),
        top: () => {
          if (top) top.location.href = "https://evil.example/";
        },
        inline: () => {
          const script = document.createElement("script");
          script.textContent = "window.ran = true";
          document.body.append(script);
          if (!Reflect.has(window, "ran")) throw new Error("refused");
        },
      };
      const done: string[] = [];
      for (const [name, attempt] of Object.entries(tries)) {
        try {
          await attempt();
          done.push(name);
        } catch {
          // Every attempt must fail.
        }
      }
      return { done, origin: self.origin };
    }, app.url);
    expect(reached).toEqual({ done: [], origin: "null" });
  });
});

// The browser reports each violation of the frame's policy as an error on the console, which fails a test.
test("labels between dollars bring no HTML into the frame, whose policy has nothing to refuse", async ({
  chat,
  provider,
}) => {
  const answer = chat.messages.nth(1);
  await chat.open();
  await chat.send("[scenario:held] Draw it");
  const label = "$$<img src='https://a.example/x.png' onerror='alert(1)'>x^2$$";
  const talk = `sequenceDiagram\n  participant Bob as ${label}\n  Ann->>Bob: ${label}\n  Note over Bob: ${label}`;
  provider.release(`${fenced(talk)}\n\n${fenced('flowchart LR\n  A["$$x^2$$"] -- "$$y$$" --> B')}\n`);
  provider.finish();
  for (const title of ["Sequence diagram", "Flowchart"]) {
    const drawing = answer.frameLocator(`iframe[title="${title}"]`).locator("body > svg");
    await expect(drawing).toBeVisible();
    const others = await drawing.evaluate((svg) => {
      const isSvg = (element: Element) => element instanceof SVGElement && element.localName !== "foreignObject";
      return [...svg.querySelectorAll("*")].filter((each) => !isSvg(each)).map(({ outerHTML }) => outerHTML);
    });
    expect(others).toEqual([]);
    await expect(drawing).toContainText("^2");
  }
});

test("a chat that is opened again does not move while its diagrams are drawn", async ({ chat, page }) => {
  const reply = `First who talks.\n\n${fenced(TALK)}\n\nThen what is known.\n\n${fenced(FLOW)}\n\nThe end.`;
  await chat.open(await chat.prepare("Draw", reply));
  const drawn = async () => {
    for (const title of [/^Sequence diagram/, /^Flowchart/]) {
      await expect(page.getByTitle(title)).toBeVisible();
    }
  };
  await drawn();
  const shifts = await watchShifts(page);
  await page.reload();
  await drawn();
  await expect(page.getByText("The end.")).toBeInViewport();
  expect(await shifts()).toEqual([]);
});
