import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { problem } from "../../testing/fakes/fake-api.ts";
import {
  chooseInMenu,
  closed,
  confirmDialog,
  LIST,
  listOf,
  openToolServers,
  provided,
  row,
  shop,
  signedIn,
  statusTexts,
  unreachableShop,
} from "../../testing/fakes/open-tool-servers.tsx";
import { done, eachTestAlone, noteOf, press, type } from "../../testing/open-settings.tsx";

eachTestAlone();

describe("a stored tool server", () => {
  test("renaming sends the name alone, and closes the form at the server", async () => {
    const sent = await openToolServers([shop], { [`PATCH ${LIST}/s1`]: { json: { ...shop, name: "Tea" } } });
    await press("Edit Shop");
    type("Name", "Tea");
    await press("Save");
    expect(sent()).toEqual([[`PATCH ${LIST}/s1`, { name: "Tea" }]]);
    expect(statusTexts()).toContain("Tea is saved.");
    expect(document.activeElement).toBe(row("Tea"));
  });

  test("another address warns that the sign-in ends, and shows what the server answered", async () => {
    const moved = { ...closed, url: "https://tea.example.org/mcp", host: "tea.example.org" };
    const sent = await openToolServers([signedIn], { [`PATCH ${LIST}/s1`]: { json: moved } });
    await press("Edit Shop");
    expect(screen.queryByText(/^Another address ends your sign-in/)).toBeNull();
    type("Address", moved.url);
    expect(noteOf("Address")).toMatch(/^Another address ends your sign-in/);
    await press("Save");
    expect(sent()).toEqual([[`PATCH ${LIST}/s1`, { url: moved.url }]]);
    expect(statusTexts()).toContain("Shop is saved. Shop needs your sign-in.");
  });

  test("saving without a change sends nothing", async () => {
    const sent = await openToolServers([shop]);
    await press("Edit Shop");
    await press("Save");
    expect(sent()).toEqual([]);
    expect(statusTexts()).toContain("Shop is saved.");
  });

  test("a server that was away is tried again, and its tools can be listed again", async () => {
    const more = { ...shop, leftOut: 3 };
    const sent = await openToolServers([unreachableShop], {
      [`POST ${LIST}/s1/tools`]: [{ json: shop }, { json: more }],
    });
    await press("Try again: Shop");
    expect(statusTexts()).toContain("Shop has 2 tools.");
    await chooseInMenu("Shop", "List the tools again");
    expect(statusTexts()).toContain("Shop has 5 tools.");
    expect(sent()).toHaveLength(2);
  });

  test("a server of the operator is asked by its encoded id", async () => {
    const sent = await openToolServers([provided], { [`POST ${LIST}/file%3Awiki/tools`]: { json: provided } });
    await chooseInMenu("Wiki", "List the tools again");
    expect(sent()).toEqual([[`POST ${LIST}/file%3Awiki/tools`, undefined]]);
  });

  test("a sign-in that is not valid any more asks for another", async () => {
    await openToolServers([{ ...signedIn, state: "connect", tools: [] }]);
    expect(within(row("Shop")).getByText(/^Your sign-in is not valid any more/)).toBeTruthy();
  });

  test("signing out ends the sign-in and offers another", async () => {
    const sent = await openToolServers([signedIn], {
      [`GET ${LIST}`]: [listOf([signedIn]), listOf([closed])],
      [`DELETE ${LIST}/s1/sign-in`]: done,
    });
    await chooseInMenu("Shop", "Sign out");
    expect(sent()).toEqual([[`DELETE ${LIST}/s1/sign-in`, undefined]]);
    expect(statusTexts()).toContain("You are signed out of Shop.");
    expect(screen.getByRole("button", { name: "Sign in to Shop" })).toBeTruthy();
  });

  test("a server that is not listed without a sign-in leaves the focus at the heading", async () => {
    await openToolServers([provided], {
      [`GET ${LIST}`]: [listOf([provided]), listOf([])],
      [`DELETE ${LIST}/file%3Awiki/sign-in`]: done,
    });
    await chooseInMenu("Wiki", "Sign out");
    await waitFor(() => expect(document.activeElement?.textContent).toBe("MCP servers"));
    expect(statusTexts()).toContain("You are signed out of Wiki.");
  });

  test("removing asks first, can be cancelled, and leaves the focus at the heading", async () => {
    const sent = await openToolServers([shop], { [`DELETE ${LIST}/s1`]: done }, false);
    await chooseInMenu("Shop", "Remove");
    await screen.findByRole("alertdialog", { name: "Remove Shop?" });
    await confirmDialog("Cancel");
    expect(sent()).toEqual([]);
    await chooseInMenu("Shop", "Remove");
    await confirmDialog("Remove");
    expect(sent()).toEqual([[`DELETE ${LIST}/s1`, undefined]]);
    expect(statusTexts()).toContain("Shop is removed.");
    expect(screen.getByText("Servers of your own cannot be added here.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.textContent).toBe("MCP servers"));
  });

  test("a server that was removed elsewhere counts as removed, whatever is done to it", async () => {
    await openToolServers([shop, provided], {
      [`GET ${LIST}`]: [listOf([shop, provided]), listOf([])],
      [`DELETE ${LIST}/s1`]: problem(404, "not-found"),
      [`POST ${LIST}/file%3Awiki/tools`]: problem(404, "not-found"),
    });
    await chooseInMenu("Shop", "Remove");
    await confirmDialog("Remove");
    expect(statusTexts()).toContain("Shop is removed.");
    await chooseInMenu("Wiki", "List the tools again");
    expect(statusTexts()).toContain("Wiki is removed.");
  });

  test("an action that fails says so at the server, and a refusal reads the list again", async () => {
    await openToolServers([shop], {
      [`GET ${LIST}`]: [listOf([shop]), listOf([{ ...shop, isOn: false }], false)],
      [`POST ${LIST}/s1/tools`]: [problem(503, "unavailable"), problem(403, "not-permitted")],
    });
    await chooseInMenu("Shop", "List the tools again");
    expect(within(row("Shop")).getByRole("alert").textContent).toContain("The service is not available right now.");
    await chooseInMenu("Shop", "List the tools again");
    expect(within(row("Shop")).getByRole("alert").textContent).toContain("Your account may not do this.");
    expect(row("Shop").textContent).toContain("Off");
  });
});
