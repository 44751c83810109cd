import { configureStore, type Middleware } from "@reduxjs/toolkit";
import { useDispatch, useSelector } from "react-redux";
import { type Api, api } from "../../api/client.ts";
import { chatsReducer } from "./chats-slice.ts";
import type { ChatsState } from "./chats-state.ts";

/**
 * `newChat`: the chat that is to be made, until it is there. Of its store alone: it is one person's. `hasDraft`: whether
 * something is written in a chat and not sent.
 */
type ThunkDeps = {
  api: Api;
  newChat: { intended: { key: string; request: string } | null };
  hasDraft: (chat: string) => boolean;
};

/** One store for each signed-in person: nothing of one is there for the next. `calls` is another API in tests; `hear` is told each event before it counts. */
export function createChatsStore(
  calls: Api = api,
  hear?: (event: unknown, before: ChatsState) => void,
  hasDraft: ThunkDeps["hasDraft"] = () => false,
) {
  const deps: ThunkDeps = { api: calls, newChat: { intended: null }, hasDraft };
  const hearing: Middleware<object, ChatsRoot> = (store) => (next) => (event) => {
    hear?.(event, store.getState().chats);
    return next(event);
  };
  return configureStore({
    reducer: { chats: chatsReducer },
    // The checks of RTK walk through every message at each event, which makes development slower than any reply.
    middleware: (getDefault) =>
      getDefault({ thunk: { extraArgument: deps }, serializableCheck: false, immutableCheck: false }).concat(hearing),
    devTools: import.meta.env.DEV,
  });
}

export type ChatsStore = ReturnType<typeof createChatsStore>;
export type ChatsDispatch = ChatsStore["dispatch"];
export type ChatsRoot = { chats: ChatsState };
export type ChatsThunk<T> = (dispatch: ChatsDispatch, getState: () => ChatsRoot, extra: ThunkDeps) => T;

export const useChatsDispatch = useDispatch.withTypes<ChatsDispatch>();
export const useChatsSelector = useSelector.withTypes<ChatsRoot>();
