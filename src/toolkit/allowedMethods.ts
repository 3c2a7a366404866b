import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What a path that was not found answers to with another method, as `GET, POST`; undefined for an unknown path. */
export function allowedMethods(
  server: Pick<FastifyInstance, 'hasRoute'>,
  { url }: Pick<FastifyRequest, 'url'>,
): string | undefined {
  const [path = ''] = url.split('?', 1);
  const methods = ['GET', 'POST'].filter((method) => server.hasRoute({ method, url: path }));
  return methods.length === 0 ? undefined : methods.join(', ');
}
