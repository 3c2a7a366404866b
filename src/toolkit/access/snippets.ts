import type { Endpoint } from './endpoint/endpoint';
import type { Network } from './network';
import { prepareRequest } from './prepareRequest';
import { shellWord } from '../base/text';

/** How a snippet refers to the API key, which it never contains. */
const keyVariable = 'TON_API_KEY';

/** A call as a curl command for a POSIX shell. On networks with keys it names the variable that holds the key. */
export function curlOf(endpoint: Endpoint, parameters: Record<string, unknown>, network: Network): string {
  const { method, target, body } = prepareRequest(endpoint, parameters);
  const parts = ['curl', '--fail-with-body'];
  if (isPublic(network)) {
    parts.push(`-H "X-API-Key: $${keyVariable}"`);
  }
  if (method === 'POST') {
    parts.push(`-H 'Content-Type: application/json'`, `-d ${shellWord(body ?? '{}')}`);
  }
  return [...parts, shellWord(baseOf(endpoint, network) + target)].join(' ');
}

/** A call as TypeScript that runs in Node.js 20 and in browsers, without a library. */
export function typeScriptOf(
  endpoint: Endpoint,
  parameters: Record<string, unknown>,
  network: Network,
): string {
  const { method, target, body } = prepareRequest(endpoint, parameters);
  const headers = [
    ...(method === 'POST' ? [`'Content-Type': 'application/json'`] : []),
    ...(isPublic(network) ? [`'X-API-Key': process.env.${keyVariable} ?? ''`] : []),
  ];
  const options = [
    ...(method === 'POST' ? [`  method: 'POST',`] : []),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${body}),`]),
  ];
  const url = JSON.stringify(baseOf(endpoint, network) + target);
  const call = options.length === 0 ? `fetch(${url})` : `fetch(${url}, {\n${options.join('\n')}\n})`;
  return [
    `// ${endpoint.purpose}`,
    `const response = await ${call};`,
    'if (!response.ok) {',
    '  throw new Error(`${response.status} ${await response.text()}`);',
    '}',
    endpoint.layer === 'v2'
      ? 'const { result } = await response.json();'
      : 'const result = await response.json();',
    '',
  ].join('\n');
}

function baseOf({ layer }: Endpoint, network: Network): string {
  return network[layer] ?? `https://example.invalid/api/${layer}`;
}

function isPublic({ kind }: Network): boolean {
  return kind !== 'local';
}
