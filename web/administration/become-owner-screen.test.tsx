import { act, render, screen } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { expect, test } from "vitest";
import { currentSession, signIn } from "../accounts/session/session.ts";
import { answerProof } from "../proof/proof.ts";
import { ada, type FakeAnswer, fakeApi, problem, tokenFor } from "../testing/fakes/fake-api.ts";
import { config, details, eachTestAlone, press } from "../testing/open-settings.tsx";
import BecomeOwnerScreen from "./become-owner-screen.tsx";

eachTestAlone();

let hash = "";
function Address() {
  hash = useLocation().hash;
  return null;
}

async function open(address: string, ...answers: FakeAnswer[]) {
  signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
  const calls = fakeApi({
    "GET /auth/config": config,
    "GET /auth/account": { json: details },
    "POST /auth/ownership": answers,
  });
  await act(async () => {
    render(
      <MemoryRouter initialEntries={[address]}>
        <BecomeOwnerScreen />
        <Address />
      </MemoryRouter>,
    );
  });
  return () => calls.filter(({ method }) => method === "POST").map(({ body }) => body);
}

test("a click makes the account the owner after a proof, and the key leaves the address", async () => {
  const sent = await open("/become-owner#key=secret", problem(403, "proof-needed"), {
    json: { ...ada, role: "owner" },
  });
  expect(hash).toBe("");
  await press("Become an owner");
  await act(async () => answerProof(true));
  expect(sent()).toEqual([{ key: "secret" }, { key: "secret" }]);
  expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe("You are an owner");
  expect(currentSession().user?.role).toBe("owner");
  expect(screen.getByRole("link", { name: "Open the administration" })).toBeTruthy();
});

test("a used link of an ownership shows a message", async () => {
  await open("/become-owner#key=secret", problem(400, "bad-link"));
  await press("Become an owner");
  expect((await screen.findByRole("alert")).textContent).toContain("not valid or has expired");
});

test("an address of an ownership without a key requests the whole link", async () => {
  await open("/become-owner");
  expect(screen.getByText(/Open the whole link/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Become an owner" })).toBeNull();
});
