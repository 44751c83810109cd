import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Draft } from "./draft.ts";
import { Drafts, editOf } from "./stored-drafts.ts";

const TAKEN = { isTaken: true, isAnswered: true };
const REFUSED = { isTaken: false, isAnswered: true };
const UNANSWERED = { isTaken: false, isAnswered: false };
const otherTabWrote = (key: string) => window.dispatchEvent(new StorageEvent("storage", { key }));

beforeEach(() => localStorage.clear());

describe("unsent text", () => {
  test("unsent text survives the page, for its account and its chat only", () => {
    new Drafts("ada").set("a", new Draft("Hello"));
    expect(new Drafts("ada").get("a").text).toBe("Hello");
    expect(new Drafts("ada").get("b").text).toBe("");
    expect(new Drafts("ada").get(null).text).toBe("");
    expect(new Drafts("bob").get("a").text).toBe("");
  });

  test("unsent text stays stored while it is being sent, and is removed when it was accepted", () => {
    const drafts = new Drafts("ada");
    drafts.set("a", new Draft("Hello"));
    const ticket = drafts.take("a", "auto");
    expect(ticket.draft.text).toBe("Hello");
    expect(drafts.get("a").text).toBe("");
    expect(new Drafts("ada").get("a").text).toBe("Hello");
    drafts.settle(ticket, TAKEN, "a");
    expect(new Drafts("ada").get("a").text).toBe("");
    expect(localStorage.length).toBe(0);
  });

  test("unsent text returns to the box when it was refused", () => {
    const drafts = new Drafts("ada");
    drafts.set("a", new Draft("Hello"));
    const ticket = drafts.take("a", "auto");
    drafts.settle(ticket, REFUSED, "a");
    expect(drafts.get("a").text).toBe("Hello");
  });

  test("refused text returns before the text typed since", () => {
    const drafts = new Drafts("ada");
    drafts.set(null, new Draft("Hello"));
    const ticket = drafts.take(null, "auto");
    drafts.set("new-chat", new Draft("More"));
    drafts.settle(ticket, REFUSED, "new-chat");
    expect(drafts.get("new-chat").text).toBe("Hello\n\nMore");
    expect(drafts.get(null).text).toBe("");
  });

  test("unsent text is removed completely", () => {
    const drafts = new Drafts("ada");
    drafts.set("a", new Draft("Hello"));
    new Drafts("bob").set("a", new Draft("Kept"));
    expect(drafts.hasAny()).toBe(true);
    drafts.clear();
    expect(drafts.hasAny()).toBe(false);
    expect(drafts.get("a").text).toBe("");
    expect(new Drafts("bob").get("a").text).toBe("Kept");
  });

  test("changes of unsent text notify subscribers", () => {
    const drafts = new Drafts("ada");
    let notifications = 0;
    const end = drafts.subscribe(() => {
      notifications += 1;
    });
    drafts.set("a", new Draft("x"));
    end();
    drafts.set("a", new Draft("y"));
    expect(notifications).toBe(1);
  });
});

describe("text that is being sent", () => {
  test("unchanged text is the same message after a reload", () => {
    const drafts = new Drafts("ada");
    drafts.set("a", new Draft("Hello"));
    const { key } = drafts.take("a", "auto");
    expect(new Drafts("ada").take("a", "auto").key).toBe(key);
    expect(new Drafts("ada").take("a", "other-model").key).not.toBe(key);
  });

  test("text that was changed, answered or moved to another chat is another message", () => {
    const drafts = new Drafts("ada");
    const keys = new Set<string>();
    const send = (chat: string) => {
      drafts.set(chat, new Draft("Hello"));
      const ticket = drafts.take(chat, "auto");
      keys.add(ticket.key);
      return ticket;
    };
    drafts.settle(send("a"), REFUSED, "a");
    drafts.settle(send("b"), TAKEN, "b");
    drafts.settle(send("a"), UNANSWERED, "a");
    drafts.set("a", new Draft("Hello!"));
    send("a");
    expect(keys.size).toBe(4);
  });

  test("text that is being sent keeps its key without a response", () => {
    const drafts = new Drafts("ada");
    drafts.set("a", new Draft("Hello"));
    const ticket = drafts.take("a", "auto");
    drafts.settle(ticket, UNANSWERED, "a");
    expect(drafts.take("a", "auto").key).toBe(ticket.key);
  });

  test("text that is being sent does not replace other text being sent", () => {
    const drafts = new Drafts("ada");
    drafts.set("a", new Draft("One"));
    const one = drafts.take("a", "auto");
    drafts.set("a", new Draft("Two"));
    const two = drafts.take("a", "auto");
    drafts.settle(one, TAKEN, "a");
    expect(new Drafts("ada").get("a").text).toBe("Two");
    drafts.settle(two, REFUSED, "a");
    expect(drafts.get("a").text).toBe("Two");
  });
});

describe("drafts of a created chat", () => {
  test("a created chat takes over the text being sent to it, so that a reload finds it there", () => {
    const drafts = new Drafts("ada");
    drafts.set(null, new Draft("Hello"));
    const ticket = drafts.take(null, "auto");
    drafts.adopt("made", true);
    const reloaded = new Drafts("ada");
    expect(reloaded.get("made").text).toBe("Hello");
    expect(reloaded.get(null).text).toBe("");
    expect(reloaded.take("made", "auto").key).toBe(ticket.key);
    drafts.settle(ticket, TAKEN, "made");
    expect(localStorage.length).toBe(0);
  });

  test("a created chat takes over the draft in its box, and nothing else", () => {
    const drafts = new Drafts("ada");
    drafts.set(null, new Draft("A thought"));
    drafts.adopt("beside", false);
    expect(drafts.get("beside").text).toBe("");
    drafts.adopt("made", true);
    expect(drafts.get("made").text).toBe("A thought");
    expect(drafts.get(null).text).toBe("");
  });
});

test("the drafts of a deleted chat are removed", () => {
  const drafts = new Drafts("ada");
  drafts.set("a", new Draft("Secret"));
  const ticket = drafts.take("a", "auto");
  drafts.set("a", new Draft("More secrets"));
  drafts.forget("a");
  drafts.settle(ticket, REFUSED, "a");
  expect(drafts.get("a").text).toBe("");
  expect(localStorage.length).toBe(0);
});

test("no draft is stored any more once everything was removed", () => {
  const drafts = new Drafts("ada");
  drafts.set("a", new Draft("Hello"));
  const ticket = drafts.take("a", "auto");
  drafts.clear();
  drafts.settle(ticket, REFUSED, "a");
  drafts.set("a", new Draft("Late"));
  expect(localStorage.length).toBe(0);
});

describe("drafts of two tabs", () => {
  test("two tabs show the same draft", () => {
    const here = new Drafts("ada");
    expect(here.get("a").text).toBe("");
    new Drafts("ada").set("a", new Draft("From there"));
    otherTabWrote("draft:ada:a");
    expect(here.get("a").text).toBe("From there");
  });

  test("two tabs keep text that the other tab has written since a send", () => {
    const here = new Drafts("ada");
    const there = new Drafts("ada");
    here.set("a", new Draft("Hello"));
    const ticket = here.take("a", "auto");
    there.set("a", new Draft("Other words"));
    otherTabWrote("draft:ada:a");
    here.settle(ticket, TAKEN, "a");
    expect(new Drafts("ada").get("a").text).toBe("Other words");
    expect(here.get("a").text).toBe("Other words");
  });
});

describe("text that did not fit into the browser's storage", () => {
  /** Replaces the storage by one that refuses each write, as a full one does. Removals succeed. */
  const fillStorage = () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const refuse = () => {
      throw new DOMException("Full", "QuotaExceededError");
    };
    const get = (stored: Storage, name: string) => (name === "setItem" ? refuse : Reflect.get(stored, name));
    vi.stubGlobal("localStorage", new Proxy(localStorage, { get }));
  };
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  test("text that did not fit into the storage does not return to the box when it was accepted", () => {
    const drafts = new Drafts("ada");
    drafts.set("a", new Draft("Dear Bob, first half"));
    fillStorage();
    drafts.set("a", new Draft("Dear Bob, first half and second half"));
    drafts.settle(drafts.take("a", "auto"), TAKEN, "a");
    expect(drafts.get("a").text).toBe("");
    expect(localStorage.length).toBe(0);
  });

  test("text that did not fit into the storage returns to the box completely when it was refused", () => {
    const drafts = new Drafts("ada");
    drafts.set("a", new Draft("Dear Bob, first half"));
    fillStorage();
    drafts.set("a", new Draft("Dear Bob, first half and second half"));
    drafts.settle(drafts.take("a", "auto"), REFUSED, "a");
    expect(drafts.get("a").text).toBe("Dear Bob, first half and second half");
  });

  test("text that did not fit into the storage does not remove text that another tab has written", () => {
    const here = new Drafts("ada");
    const there = new Drafts("ada");
    here.set("a", new Draft("Hello"));
    const ticket = here.take("a", "auto");
    there.set("a", new Draft("Other words"));
    fillStorage();
    here.set("a", new Draft("More"));
    here.set("a", Draft.empty);
    here.settle(ticket, TAKEN, "a");
    expect(new Drafts("ada").get("a").text).toBe("Other words");
  });
});

test("the drafts of a chat include those of its edited questions", () => {
  const drafts = new Drafts("ada");
  drafts.set(editOf("a", "q1"), new Draft("Better"));
  drafts.set(editOf("b", "q1"), new Draft("Another's"));
  expect(drafts.hasAny()).toBe(true);
  drafts.forget("a");
  expect(new Drafts("ada").get(editOf("a", "q1")).text).toBe("");
  expect(new Drafts("ada").get(editOf("b", "q1")).text).toBe("Another's");
});

test("the drafts of a deleted chat are hidden, and restored when that is undone", () => {
  const drafts = new Drafts("ada");
  drafts.set("a", new Draft("Half a thought"));
  drafts.stash("a");
  expect([drafts.get("a").text, drafts.hasAny()]).toEqual(["", false]);
  drafts.bringBack("a");
  expect(drafts.get("a").text).toBe("Half a thought");
});

describe("edits of a deleted chat's questions", () => {
  const setUp = () => {
    const drafts = new Drafts("ada");
    drafts.set("a", new Draft("Half a thought"));
    drafts.set(editOf("a", "q1"), new Draft("Better"));
    drafts.set(editOf("a", "q2"), new Draft("On its way"));
    const ticket = drafts.take(editOf("a", "q2"), "auto");
    return { drafts, ticket };
  };
  const wordsIn = (drafts: Drafts) =>
    ["a", editOf("a", "q1"), editOf("a", "q2")].map((draftKey) => drafts.get(draftKey).text);

  test("the edits of a deleted chat are restored with it, including one that was being sent", () => {
    const { drafts, ticket } = setUp();
    drafts.stash("a");
    drafts.settle(ticket, UNANSWERED, editOf("a", "q2"));
    expect([...wordsIn(drafts), localStorage.length]).toEqual(["", "", "", 0]);
    drafts.bringBack("a");
    expect(wordsIn(drafts)).toEqual(["Half a thought", "Better", "On its way"]);
    expect(wordsIn(new Drafts("ada"))).toEqual(["Half a thought", "Better", "On its way"]);
  });

  test("the edits of a chat that was deleted elsewhere move to the box of a new chat", () => {
    const { drafts, ticket } = setUp();
    drafts.handOn("a");
    drafts.settle(ticket, REFUSED, null);
    expect(drafts.get(null).text).toBe("Half a thought\n\nBetter\n\nOn its way");
    expect(wordsIn(drafts)).toEqual(["", "", ""]);
  });
});
