import { afterEach, beforeEach, expect, test } from "vitest";
import { signOut } from "../accounts/session/session.ts";
import { fakeApi } from "../testing/fakes/fake-api.ts";
import type { SessionKey } from "./chat-session.ts";
import { openStoredSession } from "./stored-session.ts";
import { temporarySession } from "./temporary/temporary-session.ts";

type Value = { account: string; isDisposed: boolean };

let created: Value[] = [];
const key: SessionKey<Value> = {
  create: ({ account }) => {
    const value = { account, isDisposed: false };
    created.push(value);
    return value;
  },
  dispose: (value) => {
    value.isDisposed = true;
  },
};

beforeEach(() => {
  created = [];
  fakeApi({});
});
afterEach(() => signOut());

test("a value of a session is created on first use, and once", () => {
  const session = openStoredSession("");
  expect(created).toEqual([]);
  const value = session.get(key);
  expect(openStoredSession("").get(key)).toBe(value);
  expect(created).toEqual([{ account: "", isDisposed: false }]);
});

test("a key without a value counts as created", () => {
  let count = 0;
  const nothing: SessionKey<undefined> = { create: () => void count++ };
  const session = openStoredSession("");
  session.get(nothing);
  session.get(nothing);
  expect(count).toBe(1);
});

test("each session has a value of its own, also the session of the temporary chat", async () => {
  const session = openStoredSession("");
  const values = [session.get(key), temporarySession(session).get(key)];
  await signOut();
  values.push(openStoredSession("").get(key));
  expect(new Set(values).size).toBe(3);
});

test("the values of a session and of its temporary chat are disposed with it, once", async () => {
  let disposals = 0;
  const counted: SessionKey<null> = { create: () => null, dispose: () => void disposals++ };
  const session = openStoredSession("");
  temporarySession(session).get(key);
  session.get(key);
  session.get(counted);
  expect(created.map(({ isDisposed }) => isDisposed)).toEqual([false, false]);
  await signOut();
  session.dispose();
  expect(created.map(({ isDisposed }) => isDisposed)).toEqual([true, true]);
  expect(disposals).toBe(1);
});

test("a session that has ended keeps its values, and disposes a new one at once", async () => {
  const session = openStoredSession("");
  const before = session.get(key);
  await signOut();
  expect(session.get(key)).toBe(before);
  const late: SessionKey<Value> = { ...key };
  expect(session.get(late)).toEqual({ account: "", isDisposed: true });
});
