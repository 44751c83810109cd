import { createContext, useContext } from "react";
import type { DecisionRequest } from "#contract/conversation/tool-calls.ts";
import { type NamedModels, useModelName } from "../models/use-model-name.ts";

/** Values that outlive the rendering of a message, by the object that creates each on first use: a chat session has them. */
export type MessageMemory = { get<T>(key: { readonly create: () => T }): T };

/** What messages show beside their own content. Each page that shows messages provides it. */
export type MessageContextValue = {
  /** Id of the chat; empty before the chat is created. */
  chat: string;
  models: NamedModels;
  memory: MessageMemory;
  /** Sends decisions on calls of tools; resolves to the sentence of a failure, or to null. */
  decide?: (request: DecisionRequest) => Promise<string | null>;
  /** Text of what is entered in the form of a call until it is sent, of which a chat has one; null: none. */
  formDraft?: { read: () => string | null; store: (text: string | null) => void };
};

export const MessageContext = createContext<MessageContextValue | null>(null);

export function useMessageContext(): MessageContextValue {
  const value = useContext(MessageContext);
  if (!value) throw new Error("There is no message context around this component");
  return value;
}

/** Returns the name of a model that a message names. */
export const useNamedModel = (value: string): string => useModelName(useMessageContext().models, value);
