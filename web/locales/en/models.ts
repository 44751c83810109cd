/** The models that may answer. */
export const models = {
  text: "Prices are in US dollars for a million tokens, as this server knows them.",
  demo: "No provider is set up on this server. The built-in demo answers, whichever model is chosen.",
  chosen: {
    title: "Model for new chats",
    text: "It answers unless a preset brings another. Choosing one in a chat changes it here too.",
    auto: "Automatic",
    unavailable: "{{name}} (not set up)",
  },
  unavailable: "Not set up",
  context: "{{tokens}} tokens of context",
  price: "{{input}} in, {{output}} out",
  /** Above the switches of the models. */
  menus: "In menus",
  inMenu: "Show {{name}} in menus",
  always: "The model for new chats is always there.",
} as const;
