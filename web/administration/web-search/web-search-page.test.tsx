import { act, fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { searchFailures, searchFaults, type WebSearchAnswer } from "#contract/administration/web-search.ts";
import { type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { done, eachTestAlone, field, noteOf, press, type } from "../../testing/open-settings.tsx";

eachTestAlone();

type Engine = NonNullable<WebSearchAnswer["engine"]>;
const searxng: Engine = { kind: "searxng", baseUrl: "http://searxng:8080", hasKey: false, isUnreadable: false };
const brave: Engine = { kind: "brave", baseUrl: null, hasKey: true, isUnreadable: false };
const answerOf = (engine: Engine | null, isFixed = false): FakeAnswer => ({ json: { engine, isFixed } });
const SET = "PUT /admin/web-search";
const CHECK = "POST /admin/web-search/test";
const works = { json: { ok: true, results: 10, durationMs: 5 } };

async function open(
  engine: Engine | null,
  answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {},
  isFixed = false,
) {
  const calls = await openAdministration("web-search", {
    "GET /admin/web-search": answerOf(engine, isFixed),
    ...answers,
  });
  return () =>
    calls.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [`${method} ${path}`, body]);
}
const choose = (name: RegExp) => act(async () => void fireEvent.click(screen.getByRole("radio", { name })));

describe("an installation without a search engine", () => {
  test("the page explains SearXNG, tests its address, and saves it", async () => {
    const sent = await open(null, { [CHECK]: works, [SET]: answerOf(searxng) });
    expect(screen.getByText("Nobody can search the web yet")).toBeTruthy();
    expect(screen.getByText("docker compose --profile search up --detach")).toBeTruthy();
    type("Address", "http://searxng:8080");
    await press("Test");
    expect(screen.getByText("SearXNG works: it found results.")).toBeTruthy();
    const engine = { kind: "searxng", baseUrl: "http://searxng:8080", apiKey: null };
    expect(sent()).toEqual([[CHECK, { engine }]]);
    await press("Save");
    expect(sent()[1]).toEqual([SET, engine]);
    expect(screen.getByText("SearXNG is in use now.")).toBeTruthy();
    expect(screen.queryByText("Nobody can search the web yet")).toBeNull();
    expect(screen.queryByText(/docker compose/)).toBeNull();
  });

  test("a service needs a key, and SearXNG an address that is one", async () => {
    const sent = await open(null, { [SET]: answerOf(brave) });
    await press("Save");
    expect(noteOf("Address")).toBe("Address is required");
    type("Address", "searxng");
    await press("Test");
    expect(noteOf("Address")).toBe("Address is not valid");
    await choose(/^Brave Search/);
    expect(screen.queryByLabelText("Address")).toBeNull();
    await press("Save");
    expect(noteOf("Key")).toBe("Key is required");
    expect(sent()).toEqual([]);
    type("Key", " BSA-1 ");
    await press("Save");
    expect(sent()).toEqual([[SET, { kind: "brave", baseUrl: null, apiKey: "BSA-1" }]]);
    expect(screen.getByText("A key is stored.")).toBeTruthy();
    expect(screen.queryByLabelText("Key")).toBeNull();
  });

  test("Enter saves, and does not only test", async () => {
    const sent = await open(null, { [SET]: answerOf(searxng) });
    type("Address", "http://searxng:8080");
    await act(async () => field("Address").form?.requestSubmit());
    expect(sent().map(([call]) => call)).toEqual([SET]);
  });
});

describe("a stored search engine", () => {
  test("its key stays unless it is replaced", async () => {
    const sent = await open(brave, { [SET]: answerOf(brave), [CHECK]: works });
    expect(screen.getByText("Brave Search is in use.")).toBeTruthy();
    await press("Test");
    await press("Replace");
    type("Key", "BSA-2");
    await press("Save");
    expect(sent()).toEqual([
      [CHECK, { engine: { kind: "brave", baseUrl: null } }],
      [SET, { kind: "brave", baseUrl: null, apiKey: "BSA-2" }],
    ]);
  });

  test("the key is asked for if the address is that of another server", async () => {
    const refusal = problem(400, "invalid-input", { issues: [{ field: "apiKey", rule: "required", message: "x" }] });
    const sent = await open({ ...searxng, hasKey: true }, { [SET]: [refusal, answerOf(searxng)] });
    type("Address", "http://elsewhere:8080");
    await press("Save");
    expect(noteOf("Key (optional)")).toBe("Key is required");
    expect(document.activeElement).toBe(field("Key (optional)"));
    await press("Save");
    expect(sent().at(-1)).toEqual([SET, { kind: "searxng", baseUrl: "http://elsewhere:8080", apiKey: null }]);
  });

  test("it is removed after a question, and the fields are empty then", async () => {
    const sent = await open(searxng, { "DELETE /admin/web-search": done });
    await press("Remove");
    const dialog = within(screen.getByRole("alertdialog", { name: "Remove SearXNG?" }));
    await act(async () => void fireEvent.click(dialog.getByRole("button", { name: "Remove" })));
    expect(sent()).toEqual([["DELETE /admin/web-search", undefined]]);
    expect(screen.getByText("The search engine is removed.")).toBeTruthy();
    expect(field("Address").value).toBe("");
    expect(screen.queryByRole("button", { name: "Remove" })).toBeNull();
  });

  test("a key that cannot be read is asked for", async () => {
    await open({ ...brave, isUnreadable: true });
    expect(screen.getByText(/^The stored key cannot be read/)).toBeTruthy();
    expect(field("Key").value).toBe("");
  });

  test("one of the environment is shown as fixed, and can be tested", async () => {
    const sent = await open(searxng, { [CHECK]: works }, true);
    expect(screen.getByText("http://searxng:8080")).toBeTruthy();
    expect(screen.getByText("Fixed by SEARCH_URL in the server’s environment.")).toBeTruthy();
    for (const name of ["Save", "Remove"]) expect(screen.queryByRole("button", { name })).toBeNull();
    await press("Test");
    expect(sent()).toEqual([[CHECK, {}]]);
    expect(screen.getByText("SearXNG works: it found results.")).toBeTruthy();
  });
});

describe("results of tests", () => {
  const failed = (more: object) => ({ json: { ok: false, durationMs: 5, host: "searxng:8080", ...more } });

  test.each([
    ...searchFailures.map((code) => [code, failed({ code })] as const),
    ...searchFaults.map((reason) => [reason, failed({ code: "unreachable", reason })] as const),
    ["a failure of a newer server", failed({ code: "newer" })] as const,
  ])("the failure %s has a sentence", async (_, answer) => {
    await open(searxng, { [CHECK]: answer });
    await press("Test");
    expect(screen.getByRole("alert").textContent).toMatch(/^(?:SearXNG|The |Something|This|searxng:8080)[^{}]+\.$/);
  });

  test("a failure says what to do, also within a container", async () => {
    await open(searxng, {
      [CHECK]: [
        failed({ code: "format-disabled" }),
        failed({ code: "unreachable", reason: "refused", isOwnContainer: true }),
      ],
    });
    await press("Test");
    expect(screen.getByRole("alert").textContent).toMatch(/^SearXNG does not answer in JSON\. Add json to formats/);
    await press("Test");
    expect(screen.getByRole("alert").textContent).toMatch(
      /nothing listens there.*is that container itself: use searxng/,
    );
  });

  test("a result is removed when other values are entered", async () => {
    await open(searxng, { [CHECK]: works });
    await press("Test");
    expect(screen.getByText("SearXNG works: it found results.")).toBeTruthy();
    type("Address", "http://elsewhere:8080");
    expect(screen.queryByText("SearXNG works: it found results.")).toBeNull();
  });

  test("an engine that finds nothing is no success", async () => {
    await open(searxng, { [CHECK]: { json: { ok: true, results: 0, durationMs: 5 } } });
    await press("Test");
    expect(screen.getByText(/^SearXNG answers, but found nothing: the engines that it asks/)).toBeTruthy();
  });
});
