import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, useLocation, useNavigationType } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { Link, type LinkProps } from "./link.tsx";

afterEach(cleanup);

/** Shows the current location and how it was reached. */
function Location() {
  const { pathname, search, hash, state }: { pathname: string; search: string; hash: string; state: unknown } =
    useLocation();
  const type = useNavigationType();
  return <output>{`${type} ${pathname}${search}${hash} ${JSON.stringify(state)}`}</output>;
}

function openLink(props: Partial<LinkProps> = {}): HTMLElement {
  render(
    <MemoryRouter initialEntries={["/here?a=b"]}>
      <Link to="/there?c=d#e" {...props}>
        Over there
      </Link>
      <Location />
    </MemoryRouter>,
  );
  return screen.getByRole("link", { name: "Over there" });
}

const location = () => screen.getByRole("status").textContent;

test("a click on a link opens its page without a reload, with its state", () => {
  const link = openLink({ state: { from: "/chat" } });
  expect(link.getAttribute("href")).toBe("/there?c=d#e");
  // False: the browser does not follow the link itself.
  expect(fireEvent.click(link)).toBe(false);
  expect(location()).toBe('PUSH /there?c=d#e {"from":"/chat"}');
});

test.each(["ctrlKey", "metaKey", "shiftKey", "altKey"])("a click with %s on a link is the browser's", (key) => {
  const link = openLink();
  expect(fireEvent.click(link, { [key]: true })).toBe(true);
  expect(location()).toBe("POP /here?a=b null");
});

test("a click on a link with another button than the main one is the browser's", () => {
  expect(fireEvent.click(openLink(), { button: 1 })).toBe(true);
});

test("a link to the current address replaces its entry of the history", () => {
  fireEvent.click(openLink({ to: "/here?a=b" }));
  expect(location()).toBe("REPLACE /here?a=b null");
});

test("a link runs its own listener first, which can prevent the navigation", () => {
  const onClick = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  fireEvent.click(openLink({ onClick }));
  expect(onClick).toHaveBeenCalledOnce();
  expect(location()).toBe("POP /here?a=b null");
});
