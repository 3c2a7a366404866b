import { WorkbenchError } from '../../errors';
import { isLoopbackHost } from '../../isLoopbackHost';

/**
 * The URL of a receiver. The service ignores plain http endpoints, so https is required except for this machine.
 * @throws WorkbenchError `endpoint-invalid`, `https-required` (input)
 */
export function parseEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw endpointInvalidError('is not an http or https URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw endpointInvalidError('contains credentials, which a webhook URL must not');
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

function endpointInvalidError(problem: string): WorkbenchError {
  return new WorkbenchError({
    code: 'endpoint-invalid',
    kind: 'input',
    message: `The endpoint ${problem}.`,
    hint: 'Give the full URL of the webhook, such as http://127.0.0.1:3000/webhook.',
  });
}
