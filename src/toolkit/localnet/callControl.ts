import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { WorkbenchError } from '../base/errors';
import type { ControlApi, ControlName } from './control/controlApi';
import { controlApi } from './control/controlApi';

/** Timeout for the control API, in milliseconds; a thousand blocks take a few seconds. */
const timeoutMs = 60_000;

/**
 * Runs one command of a local network's control API.
 * @param control base URL, as {@link Localnet.control}
 * @throws WorkbenchError `localnet-refused` (input) with the network's own words, `localnet-unreachable` (network)
 */
export async function callControl<Name extends ControlName>(
  control: string,
  name: Name,
  parameters: ControlApi[Name]['parameters'],
  signal?: AbortSignal,
): Promise<ControlApi[Name]['result']> {
  const isQuery = controlApi[name].method === 'GET';
  const ends = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]);
  let status: number;
  let answer: { error?: string; code?: string };
  try {
    const url = `${control}/${name}${isQuery ? queryOf(parameters) : ''}`;
    const given = await exchange(url, isQuery ? undefined : JSON.stringify(parameters), ends);
    status = given.status;
    answer = JSON.parse(given.text) as typeof answer;
  } catch (cause) {
    throw new WorkbenchError({
      code: signal?.aborted === true ? 'aborted' : 'localnet-unreachable',
      kind: 'network',
      message: 'The local network does not answer.',
      hint: 'Start it in the editor (TON: Start Local Network), or with: ton-workbench localnet.',
      cause,
    });
  }
  if (status !== 200) {
    throw new WorkbenchError({
      code: 'localnet-refused',
      kind: 'input',
      message: `The local network refused ${name}: ${answer.error ?? `status ${status}`}.`,
      details: { command: name, status },
    });
  }
  return answer;
}

interface Answer {
  status: number;
  text: string;
}

/** Connections of GETs. */
const kept = new Agent({ keepAlive: true });

/**
 * POSTs a body, or GETs without one. Not by `fetch`, which would load its client into every command. A connection that
 * was kept may just have been closed: a GET is repeated then, and a POST has a connection of its own.
 */
async function exchange(url: string, body: string | undefined, signal: AbortSignal): Promise<Answer> {
  const isQuery = body === undefined;
  const asked = request(url, {
    ...(isQuery ? { method: 'GET', agent: kept } : { method: 'POST', agent: false }),
    headers: isQuery ? {} : { 'content-type': 'application/json' },
    signal,
  });
  // Also what goes wrong later is told by the answer.
  asked.on('error', () => undefined).end(body);
  let response: IncomingMessage;
  try {
    [response] = (await once(asked, 'response')) as [IncomingMessage];
  } catch (error) {
    if (isQuery && asked.reusedSocket && !signal.aborted) {
      return exchange(url, body, signal);
    }
    throw error;
  }
  return { status: response.statusCode ?? 0, text: await readText(response) };
}

function queryOf(parameters: object): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()}`;
}
