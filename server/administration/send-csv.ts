import type { FastifyReply, FastifyRequest } from "fastify";
import { asDownload } from "../http/content-disposition.ts";
import { identityOf } from "../http/session-hook.ts";
import { textStream } from "../http/streams/text-stream.ts";
import type { AdministrationDeps } from "./administration-deps.ts";

type Download = { request: FastifyRequest; reply: FastifyReply; name: string };

/**
 * Streams a CSV with backpressure: the database is read only as fast as the client receives. Stops if the session ends.
 * @throws Failure `too-many-requests`
 */
export async function sendCsv(
  { clock, limits, streams }: Pick<AdministrationDeps, "clock" | "limits" | "streams">,
  { request, reply, name }: Download,
  lines: AsyncGenerator<string>,
): Promise<FastifyReply> {
  await limits.take("export", identityOf(request).userId);
  streams.watch(request, reply);
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const download = { name: `${name} ${day}.csv`, type: "text/csv; charset=utf-8", fallback: name };
  return asDownload(reply, download).send(textStream(lines));
}
