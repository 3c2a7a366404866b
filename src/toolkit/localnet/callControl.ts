import { WorkbenchError } from '../errors';
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
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let answer: { error?: string; code?: string };
  try {
    response = await fetch(`${control}/${name}${isQuery ? queryOf(parameters) : ''}`, {
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(isQuery
        ? {}
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(parameters),
          }),
    });
    answer = (await response.json()) as typeof answer;
  } catch (cause) {
    throw new WorkbenchError({
      code: signal?.aborted === true ? 'aborted' : 'localnet-unreachable',
      kind: 'network',
      message: 'The local network does not answer.',
      hint: 'Start it in the editor (TON: Start Local Network), or with: ton-workbench localnet.',
      cause,
    });
  }
  if (!response.ok) {
    throw new WorkbenchError({
      code: 'localnet-refused',
      kind: 'input',
      message: `The local network refused ${name}: ${answer.error ?? `status ${response.status}`}.`,
      details: { command: name, status: response.status },
    });
  }
  return answer;
}

function queryOf(parameters: object): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()}`;
}
