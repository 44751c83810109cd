import { configureStore, type Middleware } from "@reduxjs/toolkit";
import { useDispatch, useSelector } from "react-redux";
import { type Api, api } from "../../api/client.ts";
import { chatsReducer } from "./chats-slice.ts";
import type { ChatsState } from "./chats-state.ts";

/**
 * Dependencies of thunks. `newChat`: the intended chat until it is created, held for each store, since a store belongs
 * to one person.
 */
type ThunkDeps = { api: Api; newChat: { intended: { key: string; request: string } | null } };

/**
 * Creates the store of one signed-in person: the next person gets a new one. `calls`: replaced in tests; `onEvent`:
 * receives each event before the reducer.
 */
export function createChatsStore(calls: Api = api, onEvent?: (event: unknown, before: ChatsState) => void) {
  const deps: ThunkDeps = { api: calls, newChat: { intended: null } };
  const eventListener: Middleware<object, ChatsRoot> = (store) => (next) => (event) => {
    onEvent?.(event, store.getState().chats);
    return next(event);
  };
  return configureStore({
    reducer: { chats: chatsReducer },
    // RTK's checks traverse every message at each event, which makes development slower than any reply.
    middleware: (getDefault) =>
      getDefault({ thunk: { extraArgument: deps }, serializableCheck: false, immutableCheck: false }).concat(
        eventListener,
      ),
    devTools: import.meta.env.DEV,
  });
}

export type ChatsStore = ReturnType<typeof createChatsStore>;
export type ChatsDispatch = ChatsStore["dispatch"];
export type ChatsRoot = { chats: ChatsState };
export type ChatsThunk<T> = (dispatch: ChatsDispatch, getState: () => ChatsRoot, extra: ThunkDeps) => T;

export const useChatsDispatch = useDispatch.withTypes<ChatsDispatch>();
export const useChatsSelector = useSelector.withTypes<ChatsRoot>();
