import { WorkbenchError } from '../errors';

/** Longest wait for an answer of the control API, in milliseconds; a thousand blocks take a few seconds. */
const timeoutMs = 60_000;

/**
 * One command of a local network's control API (control/controlCommands.ts).
 * @param control base URL, as {@link Localnet.control}
 * @param parameters of a POST; without them the command is a GET
 * @throws WorkbenchError `localnet-refused` (input) with the network's own words, `localnet-unreachable` (network)
 */
export async function callControl<Result>(
  control: string,
  name: string,
  parameters?: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Result> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let answer: { error?: string; code?: string };
  try {
    response = await fetch(`${control}/${name}`, {
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(parameters === undefined
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
      hint: 'Start it again from the Local Network view.',
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
  return answer as Result;
}
