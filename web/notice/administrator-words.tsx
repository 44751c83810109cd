/** Lazy module of the chat's words for administrators. */

export { SetupCard } from "./setup-card.tsx";
