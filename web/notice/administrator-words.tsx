/** Lazy module of the chat's words for administrators. */

export { ProviderAdvice } from "./provider-advice.tsx";
export { SetupCard } from "./setup-card.tsx";
