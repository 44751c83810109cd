import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { currentAuthConfig } from "../accounts/auth-config.ts";
import { heldBody } from "../testing/fakes/fake-tabs.ts";
import { eachChatScreenAlone, openChatScreen } from "../testing/open-chat-screen.tsx";

eachChatScreenAlone();

const config = (productName: string) => ({
  json: { productName, passwordMin: 8, passwordPolicy: "plain", registrationOpen: true },
});
const models = (available: boolean) => ({
  json: [{ label: "GPT", models: [{ label: "mini", value: "GPT:mini", available, automatic: 0, default: true }] }],
});

test("an open page shows the models and settings of a server that has restarted", async () => {
  const [before, after] = [heldBody(), heldBody()];
  await openChatScreen("/chat", {
    "GET /auth/config": [config("Parley"), config("Salon")],
    "GET /models": [models(false), models(true)],
    "GET /events": before.response,
    "GET /events?from=1": after.response,
  });
  await act(async () => before.say({ at: 1, isReset: true }));
  expect(await screen.findByRole("button", { name: /Demo assistant/ })).toBeTruthy();
  await act(async () => {
    before.fail();
    after.say({ at: 1, isReset: false });
  });
  expect(await screen.findByRole("button", { name: /Model: Automatic/ })).toBeTruthy();
  await vi.waitFor(() => expect(currentAuthConfig().productName).toBe("Salon"));
});
