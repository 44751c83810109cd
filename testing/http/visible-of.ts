/** All that a client can tell answers apart by: status, body and the names of the headers. */
export async function visibleOf(response: Response) {
  const headers = [...response.headers.keys()].filter((name) => name !== "date").sort();
  return { status: response.status, body: await response.text(), headers };
}
