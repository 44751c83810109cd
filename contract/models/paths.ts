export const modelPaths = {
  models: "/models",
  usage: "/usage",
  messageUsage: (id: string, messageId: string) => `/chat/${id}/message/${messageId}/usage`,
} as const;
