import { act, cleanup, createEvent, fireEvent, render, screen } from "@testing-library/react";
import { useLocation } from "react-router";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Link } from "../ui/components/link.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { BrowserRouter } from "./browser-router.tsx";

beforeEach(() => history.replaceState(null, "", "/chat?c=1"));
afterEach(cleanup);

function Page() {
  const { pathname, search, state } = useLocation();
  const [parameters, setParameters] = useSearchParams();
  return (
    <>
      <p data-testid="location">{pathname + search}</p>
      <p data-testid="state">{JSON.stringify(state)}</p>
      <p data-testid="chat">{parameters.get("c")}</p>
      <Link to="/settings/data?of=me#import" state={{ from: "/chat" }}>
        Import
      </Link>
      <Link to="/chat?c=1">Same chat</Link>
      <button type="button" onClick={() => setParameters({ c: "2 & 3" }, { replace: true })}>
        Other chat
      </button>
    </>
  );
}

function open() {
  render(
    <BrowserRouter>
      <Page />
    </BrowserRouter>,
  );
}

const shown = (id: string) => screen.getByTestId(id).textContent;

/** @returns whether the page left the click to the browser */
function clickIsLeft(name: string, init?: MouseEventInit): boolean {
  const link = screen.getByRole("link", { name });
  const click = createEvent.click(link, { button: 0, ...init });
  // Else the simulated browser would load the page.
  const wasLeft = { current: false };
  const onWindow = (event: Event) => {
    wasLeft.current = !event.defaultPrevented;
    event.preventDefault();
  };
  addEventListener("click", onWindow, { once: true });
  fireEvent(link, click);
  return wasLeft.current;
}

test("a link has its address, opens its page without a reload, and passes its state on", () => {
  open();
  const entries = history.length;
  expect(screen.getByRole("link", { name: "Import" }).getAttribute("href")).toBe("/settings/data?of=me#import");
  expect(clickIsLeft("Import")).toBe(false);
  expect(shown("location")).toBe("/settings/data?of=me");
  expect(shown("state")).toBe('{"from":"/chat"}');
  expect(location.pathname + location.search + location.hash).toBe("/settings/data?of=me#import");
  expect(history.length).toBe(entries + 1);
});

test("a link to the current address adds no entry to the history", () => {
  open();
  const entries = history.length;
  expect(clickIsLeft("Same chat")).toBe(false);
  expect(shown("location")).toBe("/chat?c=1");
  expect(history.length).toBe(entries);
});

test.each([
  ["with the control key", { ctrlKey: true }],
  ["with the command key", { metaKey: true }],
  ["with the shift key", { shiftKey: true }],
  ["with the alt key", { altKey: true }],
  ["of the middle button", { button: 1 }],
])("a click on a link %s is left to the browser", (_, init) => {
  open();
  expect(clickIsLeft("Import", init)).toBe(true);
  expect(shown("location")).toBe("/chat?c=1");
});

test("a link whose handler prevents the default does not open its page", () => {
  render(
    <BrowserRouter>
      <Link to="/settings/data" onClick={(event) => event.preventDefault()}>
        Import
      </Link>
      <Page />
    </BrowserRouter>,
  );
  const link = screen.getAllByRole("link", { name: "Import" })[0];
  if (link) fireEvent.click(link);
  expect(shown("location")).toBe("/chat?c=1");
});

test("the parameters of the address are read and replaced, with their characters escaped", () => {
  open();
  const entries = history.length;
  expect(shown("chat")).toBe("1");
  fireEvent.click(screen.getByRole("button", { name: "Other chat" }));
  expect(shown("chat")).toBe("2 & 3");
  expect(location.search).toBe("?c=2+%26+3");
  expect(history.length).toBe(entries);
});

test("the page follows the browser back", async () => {
  open();
  clickIsLeft("Import");
  expect(shown("location")).toBe("/settings/data?of=me");
  await act(async () => {
    const returned = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
    history.back();
    await returned;
  });
  expect(shown("location")).toBe("/chat?c=1");
});
