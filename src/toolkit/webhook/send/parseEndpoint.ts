import { WorkbenchError } from '../../base/errors';
import { receiverUrl } from '../receiver/receiverSource';
import { isLoopbackHost } from '../../base/loopback';

const scheme = /^[a-z][a-z\d+.-]*:\/\//i;

/**
 * The URL of a receiver. The service ignores plain http endpoints, so https is required except for this machine, where
 * http:// need not be written: `localhost:3000/webhook`.
 * @throws WorkbenchError `endpoint-invalid`, `https-required` (input)
 */
export function parseEndpoint(text: string): URL {
  const isLocal = !scheme.test(text) && isLoopbackHost(/^[^/?#]*/.exec(text)?.[0] ?? '');
  const whole = isLocal ? `http://${text}` : text;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw endpointInvalidError('A webhook needs an http or https URL.');
  }
  if (url.username !== '' || url.password !== '') {
    throw endpointInvalidError('A webhook URL has no credentials.');
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw new WorkbenchError({
      code: 'https-required',
      kind: 'input',
      message: `The endpoint ${url.origin} is not on this machine and not https.`,
      hint: 'The payment service delivers to https only; use the https URL.',
      details: { origin: url.origin },
    });
  }
  url.hash = '';
  return url;
}

function endpointInvalidError(message: string): WorkbenchError {
  return new WorkbenchError({
    code: 'endpoint-invalid',
    kind: 'input',
    message,
    // Short enough for a row of a list.
    hint: `Give one like ${receiverUrl()}.`,
  });
}
