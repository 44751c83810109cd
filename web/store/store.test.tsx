import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Emitter } from "./emitter.ts";
import { Store } from "./store.ts";
import { useStore } from "./use-store.ts";

afterEach(cleanup);

test("a store notifies subscribers of a new value in their order, and not of the same value", () => {
  const store = new Store("a");
  const calls: string[] = [];
  store.subscribe(() => calls.push(`first ${store.get()}`));
  const stop = store.subscribe(() => calls.push(`second ${store.get()}`));
  store.set("a");
  store.set("b");
  stop();
  store.set("c");
  expect(calls).toEqual(["first b", "second b", "first c"]);
});

test("a notification reaches the listeners that were subscribed when it began", () => {
  const emitter = new Emitter();
  const late = vi.fn();
  const removed = vi.fn();
  emitter.subscribe(() => {
    stop();
    emitter.subscribe(late);
  });
  const stop = emitter.subscribe(removed);
  emitter.notify();
  expect([removed.mock.calls.length, late.mock.calls.length]).toEqual([1, 0]);
});

test("an emitter starts with its first listener and stops with its last, each time", () => {
  const calls: string[] = [];
  const emitter = new Emitter(() => {
    calls.push("start");
    return () => calls.push("stop");
  });
  const one = emitter.subscribe(() => {});
  const other = emitter.subscribe(() => {});
  one();
  expect(calls).toEqual(["start"]);
  other();
  other();
  emitter.subscribe(() => {});
  expect(calls).toEqual(["start", "stop", "start"]);
});

function Shown({ store }: { store: Store<number> }) {
  return <p>{useStore(store)}</p>;
}

test("a component shows the current value of the store", () => {
  const store = new Store(1);
  render(<Shown store={store} />);
  act(() => store.set(2));
  expect(screen.getByText("2")).toBeTruthy();
});
