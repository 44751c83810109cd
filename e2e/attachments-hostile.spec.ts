import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "@playwright/test";
import { pictureTypes } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { type Polyglot, polyglotsOf } from "../testing/files/polyglots.ts";
import { uploadFile } from "../testing/files/upload.ts";
import { attach, attachedRow } from "./attached-files.ts";
import { type ChatScreen, expect, test } from "./chat-screen.ts";

/** A web server that hostile files call once they run. `calls`: paths of its requests. */
async function startListener() {
  const calls: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    calls.push(url);
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("content-type", "text/html");
    response.end("<script>fetch('/ran')</script>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, calls, script: `fetch('${url}/ran')`, [Symbol.dispose]: () => server.close() };
}

/** Records the types of all blob URLs of a page. */
async function recordBlobs(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const types: string[] = [];
    Object.assign(window, { blobTypes: types });
    const create = URL.createObjectURL;
    URL.createObjectURL = (source: Blob | MediaSource) => {
      types.push(source instanceof Blob ? source.type : "media");
      return create(source);
    };
  });
  return () => page.evaluate(() => (window as unknown as { blobTypes: string[] }).blobTypes);
}

const isPicture = ({ type }: Pick<Polyglot, "type">) => pictureTypes.some((picture) => picture === type);

/** Saves each file of the page's messages, shows its text or picture, and returns the names of the saved files. */
async function openAll(chat: ChatScreen, files: readonly Polyglot[]): Promise<string[]> {
  const { page } = chat;
  const saved: string[] = [];
  for (const { name, ...file } of files) {
    const saving = page.waitForEvent("download");
    if (isPicture(file)) {
      await page.getByRole("button", { name: `Enlarge ${name}` }).click();
      await expect(page.getByRole("dialog").getByRole("img", { name })).toBeVisible();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: `Download ${name}` })
        .click();
    } else {
      await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
      await expect(page.getByRole("dialog").getByText(name === "page.pdf" ? "Words of a PDF" : "fetch(")).toBeVisible();
      await page.getByRole("dialog").getByRole("button", { name: "Download" }).click();
    }
    saved.push((await saving).suggestedFilename());
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
  return saved;
}

test.describe("M3 files that are documents or scripts too", () => {
  // The browser cannot decode some of the pictures as they are.
  test.use({ expectedErrors: [/415|400/] });

  test("hostile files are attached, shown and saved, and none of them runs", async ({
    chat,
    page,
    context,
    provider,
  }) => {
    using listener = await startListener();
    const control = await context.newPage();
    await control.goto(`${listener.url}/control`);
    await expect.poll(() => listener.calls).toContain("/ran");
    await control.close();
    listener.calls.length = 0;

    const blobs = await recordBlobs(page);
    const popups: string[] = [];
    context.on("page", (popup) => popups.push(popup.url()));
    await chat.open();
    const files = polyglotsOf(listener.script);
    const [pictures, others] = [files.filter(isPicture), files.filter((file) => !isPicture(file))];
    for (const [question, group] of [
      ["First", pictures],
      ["Second", others],
    ] as const) {
      await attach(page, ...group);
      await expect(attachedRow(page).getByRole("listitem")).toHaveCount(group.length);
      await chat.ask(question);
    }
    expect(JSON.stringify(provider.chats.at(-1)?.body)).toContain("onerror=");
    await page.reload();
    await expect(page.getByRole("button", { name: /^Enlarge / })).toHaveCount(pictures.length);
    // The browser may have encoded a picture in another format.
    const names = await page
      .getByRole("button", { name: /^Enlarge / })
      .evaluateAll((buttons) =>
        buttons.map((button) => (button.getAttribute("aria-label") ?? "").replace("Enlarge ", "")),
      );
    const shown = [...names.map((name) => ({ name, type: "image/png", bytes: Buffer.of() })), ...others];
    expect(await openAll(chat, shown)).toEqual(shown.map(({ name }) => name));
    for (const type of await blobs()) expect([...pictureTypes, "application/octet-stream"]).toContain(type);
    expect([popups, listener.calls, await page.locator("iframe, object, embed").count()]).toEqual([[], [], 0]);
  });

  test("a hostile file runs nothing when a browser opens its address or embeds it", async ({
    chat,
    parley,
    context,
  }) => {
    using listener = await startListener();
    await answerWithToken(context, chat.account.token);
    const files: { id: string; type: string }[] = [];
    for (const { name, bytes } of polyglotsOf(listener.script)) {
      files.push(await uploadFile(parley.app, { ...chat.account, name, bytes }));
    }
    const page = await context.newPage();
    for (const { id, type } of files) {
      const address = `${API_BASE}${filePaths.file(id)}`;
      const saving = page.waitForEvent("download");
      await expect(page.goto(address)).rejects.toThrow("Download is starting");
      await saving;
      // Without its disposition, only a picture is shown, in a document without scripts and origin.
      const opening = page.goto(`${address}?inline`);
      if (isPicture({ type })) expect((await opening)?.headers()["content-type"]).toBe(type);
      else await expect(opening).rejects.toThrow("Download is starting");
    }
    await page.goto("/login");
    const addresses = files.map(({ id }) => `${API_BASE}${filePaths.file(id)}?inline`);
    const outcomes = await page.evaluate(embedAll, addresses);
    expect(outcomes).toEqual(addresses.map(() => ({ script: "error", worker: "error", style: "error", frame: "" })));
    expect(listener.calls).toEqual([]);
  });
});

/** Adds the token to each request of a file, which a browser cannot. `?inline` leaves out the header that saves it. */
async function answerWithToken(context: BrowserContext, token: string): Promise<void> {
  await context.route(`**${API_BASE}${filePaths.file("*")}`, async (route) => {
    const headers = { ...route.request().headers(), authorization: `Bearer ${token}` };
    return route.continue({ headers });
  });
  await context.route(`**${API_BASE}${filePaths.file("*")}?inline`, async (route) => {
    const headers = { ...route.request().headers(), authorization: `Bearer ${token}` };
    const response = await route.fetch({ headers });
    const { "content-disposition": _, ...rest } = response.headers();
    await route.fulfill({ response, headers: rest });
  });
}

/** Embeds each address as a script, a worker, a style sheet and a frame, and returns what happened. */
async function embedAll(addresses: readonly string[]) {
  type Policy = { createScriptURL: (url: string) => string };
  type Policies = { createPolicy: (name: string, rules: Policy) => Policy };
  const policies = (window as unknown as { trustedTypes: Policies }).trustedTypes;
  const policy = policies.createPolicy("test", { createScriptURL: (url) => url });
  const outcome = (element: EventTarget, act: () => void) =>
    new Promise<string>((resolve) => {
      element.addEventListener("load", () => resolve("load"));
      element.addEventListener("error", () => resolve("error"));
      act();
    });
  const outcomes: Record<string, string>[] = [];
  for (const address of addresses) {
    const script = Object.assign(document.createElement("script"), { src: policy.createScriptURL(address) });
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address });
    const frame = Object.assign(document.createElement("iframe"), { src: address });
    const working = outcome(new Worker(policy.createScriptURL(address)), () => undefined);
    // A frame reports nothing about a file that it saves, or does not show.
    document.body.append(frame);
    outcomes.push({
      worker: await working,
      script: await outcome(script, () => document.head.append(script)),
      style: await outcome(style, () => document.head.append(style)),
      frame: frame.contentDocument?.body.innerHTML ?? "",
    });
  }
  return outcomes;
}
