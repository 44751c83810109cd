/** What brings order into the chats is loaded behind the screen: few need it at once, and nobody before there is a list. */
export const loadOrganiser = () => import("./organise/parts.ts");
