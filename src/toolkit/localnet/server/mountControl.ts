import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WorkbenchError } from '../../base/errors';
import { hasOneHost, isLoopbackHost } from '../../base/loopback';
import { ownValue } from '../../base/collections';
import { ApiError } from '../api/apiError';
import type { ControlName } from '../control/controlApi';
import { controlApi } from '../control/controlApi';
import type { ControlCommand, ControlContext, ControlParametersOf } from '../control/controlParameters';
import { controlCommands } from '../control/controlCommands';
import { ControlParameters } from '../control/controlParameters';
import { namesOn } from '../control/nameContract';
import { parseBody } from './stringifyInTurns';

/**
 * The control API: everything a real network would never let you do. For programs on this machine only: checks of
 * Host and Origin keep out web pages and rebound names, and there is no CORS.
 */
export function mountControl(server: FastifyInstance, context: ControlContext): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!isLocal(request)) {
      await reply
        .code(403)
        .send(JSON.stringify({ code: 'forbidden', error: 'only for programs on this machine' }));
    }
  });
  server.setErrorHandler((error, request, reply) => {
    const { statusCode = 500, message = String(error) } = error as { statusCode?: number; message?: string };
    const isLarge = statusCode === 413;
    const text = isLarge ? `the body is larger than ${request.routeOptions.bodyLimit} bytes` : message;
    void reply
      .code(statusCode)
      .type('application/json')
      .send(JSON.stringify({ code: isLarge ? 'over-limit' : 'refused', error: text }));
  });
  for (const name of Object.keys(controlApi) as ControlName[]) {
    mountCommand(server, context, name);
  }
  // All other paths and methods, in the API's own format. OPTIONS too: otherwise the APIs' CORS would answer it here.
  for (const url of ['/control', '/control/*']) {
    server.all(url, (request, reply) => {
      const name = request.url.split('?', 1)[0]?.split('/')[2] ?? '';
      const command = ownValue<{ method: string }>(controlApi, name);
      const isKnown = command !== undefined || request.method === 'OPTIONS';
      if (isKnown) {
        void reply.header('allow', command?.method ?? 'GET, POST');
      }
      const error = isKnown
        ? `${request.method} is not supported here; use ${command?.method ?? 'GET or POST'}`
        : `there is no command ${JSON.stringify(name.slice(0, 40))}`;
      void reply
        .code(isKnown ? 405 : 404)
        .type('application/json')
        .send(JSON.stringify({ code: isKnown ? 'method-not-allowed' : 'not-found', error }));
    });
  }
}

function mountCommand<Name extends ControlName>(
  server: FastifyInstance,
  context: ControlContext,
  name: Name,
): void {
  const { method, parameters: known } = controlApi[name];
  const command: ControlCommand<Name> = controlCommands[name];
  server.route({
    method,
    url: `/control/${name}`,
    exposeHeadRoute: false,
    ...(command.bodyLimit === undefined ? {} : { bodyLimit: command.bodyLimit }),
    handler: async (request, reply) => {
      reply.type('application/json');
      try {
        const values =
          method === 'GET' ? (request.query as Record<string, unknown>) : parseBody(request.body);
        if (values === null) {
          throw new ApiError(422, 'the body is not a JSON object');
        }
        const parameters: ControlParametersOf<Name> = new ControlParameters(values, namesOn(context.chain));
        if (known !== undefined) {
          parameters.only(Object.keys(known));
        }
        const answer = await command.run(context, parameters);
        return command.isFile === true ? `${JSON.stringify(answer, null, 2)}\n` : JSON.stringify(answer);
      } catch (error) {
        const status = error instanceof ApiError ? error.status : 500;
        const code = WorkbenchError.is(error) ? error.code : status === 500 ? 'failed' : 'refused';
        reply.code(WorkbenchError.is(error) ? 422 : status);
        return JSON.stringify({ code, error: error instanceof Error ? error.message : String(error) });
      }
    },
  });
}

function isLocal({ headers, socket, raw }: FastifyRequest): boolean {
  const { host, origin } = headers;
  const address = socket.remoteAddress ?? '127.0.0.1';
  const near = address === '::1' || /^(?:::ffff:)?127\./.test(address);
  // Browsers send the page's origin with every request that could change something.
  return (
    near &&
    hasOneHost(raw.rawHeaders) &&
    host !== undefined &&
    isLoopbackHost(host) &&
    origin === undefined &&
    !('sec-fetch-site' in headers)
  );
}
