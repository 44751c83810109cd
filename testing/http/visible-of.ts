/** Everything by which a client can distinguish responses: status, body and names of the headers. */
export async function visibleOf(response: Response) {
  const headers = [...response.headers.keys()].filter((name) => name !== "date").sort();
  return { status: response.status, body: await response.text(), headers };
}
