export const filePaths = {
  file: (id: string) => `/files/${id}`,
  fileText: (id: string) => `/files/${id}/text`,
  storage: "/storage",
} as const;
