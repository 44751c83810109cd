import { conversationPaths } from "#contract/conversation/paths.ts";
import { expect, failedRequest, SEND, test } from "./chat-screen.ts";

const WAITING = "Waiting for the connection…";

test.use({ expectedErrors: [/net::ERR_/] });

test.describe("a message sent without a network", () => {
  test("an offline message waits on the screen, and is sent exactly once when the network is back @every-screen", async ({
    chat,
    page,
    context,
    provider,
  }) => {
    await chat.open(await chat.prepare("The beginning", "The first answer"));
    await expect(chat.answer("The first answer")).toBeVisible();
    await context.setOffline(true);
    await chat.send("Written on a train.");
    const waiting = chat.question("Written on a train.");
    await expect(waiting).toContainText(WAITING);
    await expect(page.getByText("Thinking...")).toBeHidden();
    await expect(chat.banner).toBeHidden();
    await expect(chat.box).toHaveValue("");
    await context.setOffline(false);
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
    await expect(waiting).not.toContainText(WAITING);
    await expect(chat.messages).toHaveCount(4);
    expect(provider.chats).toHaveLength(1);
    await page.reload();
    await expect(chat.messages).toHaveCount(4);
    await expect(chat.box).toHaveValue("");
  });

  test("a waiting message can be withdrawn, and stays in the box @every-screen", async ({
    chat,
    page,
    context,
    isMobile,
    provider,
  }) => {
    const prepared = await chat.prepare("The beginning", "The first answer");
    await chat.open(prepared);
    await expect(chat.answer("The first answer")).toBeVisible();
    await context.setOffline(true);
    await chat.send("Better not.");
    await expect(chat.question("Better not.")).toContainText(WAITING);
    await chat.question("Better not.").getByRole("button", { name: "Cancel" }).click();
    await expect(chat.box).toHaveValue("Better not.");
    await expect(chat.messages).toHaveCount(2);
    await expect(chat.banner).toBeHidden();
    if (!isMobile) await expect(chat.box).toBeFocused();
    await context.setOffline(false);
    await page.reload();
    await expect(chat.box).toHaveValue("Better not.");
    await expect(chat.messages).toHaveCount(2);
    expect((await chat.read(prepared)).messages).toHaveLength(2);
    expect(provider.chats).toHaveLength(0);
  });

  test("a first message sent offline creates exactly one chat @proof", async ({ chat, context, provider }) => {
    await chat.open();
    await expect(chat.welcome).toBeVisible();
    await context.setOffline(true);
    await chat.send("The first of all.");
    await expect(chat.question("The first of all.")).toContainText(WAITING);
    await context.setOffline(false);
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
    expect(await chat.history()).toHaveLength(1);
    expect(provider.chats).toHaveLength(1);
  });

  test("New chat works offline, and a second one is refused while the first message waits", {
    tag: "@every-screen",
  }, async ({ chat, page, context }) => {
    await chat.open(await chat.prepare("The beginning", "The first answer"));
    await expect(chat.answer("The first answer")).toBeVisible();
    // The drawer of a phone loads when it is first opened.
    await chat.sidebar();
    await chat.leaveSidebar();
    await context.setOffline(true);
    const begin = async () => {
      await (await chat.sidebar()).getByRole("button", { name: "New chat", exact: true }).click();
      await chat.leaveSidebar();
    };
    await begin();
    await expect(chat.welcome).toBeVisible();
    await expect(chat.banner).toBeHidden();
    await chat.send("The first of all.");
    await expect(chat.question("The first of all.")).toContainText(WAITING);
    const notice = page.getByText("Your new chat is created once its first message is sent.");
    await begin();
    await expect(notice).toHaveCount(1);
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await expect(notice).toHaveCount(0);
    await chat.choose("The beginning");
    await expect(chat.answer("The first answer")).toBeVisible();
    await begin();
    await expect(chat.question("The first of all.")).toContainText(WAITING);
    await expect(notice).toHaveCount(1);
    await context.setOffline(false);
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
    expect(await chat.history()).toHaveLength(2);
  });

  test("a first message can be withdrawn by Stop before its chat exists @proof", async ({ chat, context }) => {
    await chat.open();
    await context.setOffline(true);
    await chat.send("The first of all.");
    await expect(chat.question("The first of all.")).toContainText(WAITING);
    await chat.stopButton.click();
    await expect(chat.welcome).toBeVisible();
    await expect(chat.box).toHaveValue("The first of all.");
    await context.setOffline(false);
  });

  test("a waiting message is sent even if another chat is open @proof", async ({ chat, page, context }) => {
    const other = await chat.prepare("Another chat", "Its answer");
    const here = await chat.prepare("The beginning", "The first answer");
    await chat.open(other);
    await chat.choose("The beginning");
    await expect(chat.answer("The first answer")).toBeVisible();
    await context.setOffline(true);
    await chat.send("Written on a train.");
    await expect(chat.question("Written on a train.")).toContainText(WAITING);
    await chat.choose("Another chat");
    await expect(chat.answer("Its answer")).toBeVisible();
    await context.setOffline(false);
    await expect.poll(async () => (await chat.read(here)).messages.length).toBe(4);
    await expect(page).toHaveURL(`/chat?c=${other}`);
    await chat.choose("The beginning");
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
    await expect(chat.messages).toHaveCount(4);
  });
});

test.describe("a message sent to a server that is shutting down", () => {
  test.use({ expectedErrors: [failedRequest(503)] });

  test("a message to a server that shuts down waits until the server runs again @proof", async ({
    chat,
    page,
    provider,
  }) => {
    let isDraining = true;
    const body = JSON.stringify({ detail: "x", error: "x", code: "draining" });
    await page.route(SEND, (route) =>
      isDraining ? route.fulfill({ status: 503, contentType: "application/problem+json", body }) : route.continue(),
    );
    await chat.open();
    await chat.send("In between.");
    await expect(chat.question("In between.")).toContainText(WAITING);
    isDraining = false;
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
    expect(provider.chats).toHaveLength(1);
  });
});

test("a page that goes offline while it loads is complete once the network is back", async ({
  chat,
  page,
  context,
}) => {
  await chat.call("POST", conversationPaths.presets, {
    name: "Poet",
    instructions: "Rhyme.",
    model: null,
    temperature: null,
  });
  const id = await chat.prepare("The beginning", "A **bold** answer");
  const gone = Promise.withResolvers<void>();
  const held: string[] = [];
  const holds = /\/assets\/(markdown|preset-tools)-[^/]+\.js$|\/api\/(models|presets)$/;
  await page.route(holds, async (route) => {
    held.push(holds.exec(route.request().url())?.find((name, at) => at > 0 && name) ?? "");
    await gone.promise;
    await route.continue();
  });
  await chat.open(id);
  await expect(chat.question("The beginning")).toBeVisible();
  await expect.poll(() => held.toSorted()).toEqual(["markdown", "models", "preset-tools", "presets"]);
  await context.setOffline(true);
  gone.resolve();
  await expect(chat.answer("A **bold** answer")).toBeVisible();
  await chat.send("Written on a train.");
  await expect(chat.question("Written on a train.")).toContainText(WAITING);
  await context.setOffline(false);
  await expect(chat.answer("A bold answer").locator("strong")).toHaveText("bold");
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
  await expect(page.getByRole("button", { name: "Regenerate with another model" }).last()).toBeAttached();
  await page.getByRole("button", { name: /^Preset/ }).click();
  await expect(page.getByRole("menuitemradio", { name: "Poet" })).toBeVisible();
});

test("a reply continues from its position when the network is back", async ({ chat, page, context, provider }) => {
  await chat.open();
  await chat.send("[scenario:held] A long story.");
  provider.release("Once upon a time");
  await expect(chat.answer("Once upon a time")).toBeVisible();
  const resumed = page.waitForRequest(/\/reply\?reply=[^&]+&from=16&run=1$/);
  await context.setOffline(true);
  await context.setOffline(false);
  await resumed;
  provider.release(" there was a fox");
  const words = chat.messages.last().getByText(/^Once upon/);
  await expect(words).toHaveText("Once upon a time there was a fox");
  provider.release(" who lived in a wood.");
  await expect(words).toHaveText("Once upon a time there was a fox who lived in a wood.");
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await expect(words).toHaveText("Once upon a time there was a fox who lived in a wood.");
  await expect(chat.banner).toBeHidden();
});

test("a chat selected offline opens once the network is back, and the banner disappears", async ({ chat, context }) => {
  await chat.prepare("Another chat", "Its answer");
  await chat.open(await chat.prepare("The beginning", "The first answer"));
  await expect(chat.answer("The first answer")).toBeVisible();
  await context.setOffline(true);
  await chat.choose("Another chat");
  await expect(chat.banner).toContainText("You are offline");
  await expect(chat.answer("The first answer")).toBeVisible();
  await context.setOffline(false);
  await expect(chat.answer("Its answer")).toBeVisible();
  await expect(chat.banner).toBeHidden();
});
