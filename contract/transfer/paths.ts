export const transferPaths = {
  chatExport: (id: string) => `/chat/${id}/export`,
  export: "/export",
  import: "/import",
} as const;
