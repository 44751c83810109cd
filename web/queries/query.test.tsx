import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { forgetSession } from "../accounts/session/session.ts";
import { accountQuery, Query } from "./query.ts";
import { useQuery } from "./use-query.ts";

afterEach(cleanup);

/** Creates a query whose reads the test resolves, in the order of `reads`. */
function heldQuery(make = (read: (signal: AbortSignal) => Promise<string>) => new Query(read)) {
  const reads: (PromiseWithResolvers<string> & { signal: AbortSignal })[] = [];
  const query = make((signal) => {
    const read = { ...Promise.withResolvers<string>(), signal };
    reads.push(read);
    return read.promise;
  });
  const answer = (index: number, value: string) => act(async () => reads[index]?.resolve(value));
  const fail = (index: number) => act(async () => reads[index]?.reject(new Error("away")));
  return { query, reads, answer, fail };
}

function Shown({ query }: { query: Query<string> }) {
  const { value, error } = useQuery(query);
  return <p>{value ?? (error === null ? "loading" : "failed")}</p>;
}

const texts = () =>
  screen
    .queryAllByText(/./)
    .map(({ textContent }) => textContent)
    .slice(-2);

test("observers share one read, and a later observer gets the last value during the next read", async () => {
  const { query, reads, answer } = heldQuery();
  const { unmount } = render(
    <>
      <Shown query={query} />
      <Shown query={query} />
    </>,
  );
  expect([reads.length, texts()]).toEqual([1, ["loading", "loading"]]);
  await answer(0, "one");
  expect(texts()).toEqual(["one", "one"]);
  unmount();
  render(<Shown query={query} />);
  expect([reads.length, screen.getByText("one") !== null]).toEqual([2, true]);
  await answer(1, "two");
  expect(screen.getByText("two")).toBeTruthy();
});

test("a query returns an error only if there is no older value", async () => {
  const { query, answer, fail } = heldQuery();
  render(<Shown query={query} />);
  await fail(0);
  expect(screen.getByText("failed")).toBeTruthy();
  act(() => void query.reload());
  await answer(1, "one");
  act(() => void query.reload());
  await fail(2);
  expect(screen.getByText("one")).toBeTruthy();
});

test("a query ignores a read that began before a change or another read", async () => {
  const { query, reads, answer } = heldQuery();
  render(<Shown query={query} />);
  act(() => void query.reload());
  expect(reads.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  await answer(1, "new");
  await answer(0, "old");
  expect(screen.getByText("new")).toBeTruthy();
  act(() => void query.reload());
  act(() => query.change("changed"));
  await answer(2, "old");
  expect(screen.getByText("changed")).toBeTruthy();
});

test("an observed query is read again when the network is restored, an unobserved one is not", async () => {
  const { query, reads, answer } = heldQuery();
  const { unmount } = render(<Shown query={query} />);
  await answer(0, "one");
  act(() => void dispatchEvent(new Event("online")));
  expect(reads).toHaveLength(2);
  unmount();
  expect(reads[1]?.signal.aborted).toBe(true);
  dispatchEvent(new Event("online"));
  expect(reads).toHaveLength(2);
});

test("a query of an account is cleared when the session ends", async () => {
  const user = { id: "1", username: "ada", email: "a@b.c", firstname: "", lastname: "", emailVerified: true };
  const { updateUser, signIn } = await import("../accounts/session/session.ts");
  signIn({ access_token: "token", user, emailVerified: true });
  const { query, answer } = heldQuery(accountQuery);
  const read = query.reload();
  await answer(0, "one");
  await read;
  updateUser({ ...user, firstname: "Ada" });
  expect(query.state.get().value).toBe("one");
  vi.stubGlobal("fetch", async () => new Response(null, { status: 204 }));
  forgetSession();
  expect(query.state.get().value).toBeNull();
  vi.unstubAllGlobals();
});
