import { deliver } from './sendHttpRequest';
import type { DeliveryOutcome } from './sendHttpRequest';
import type { FullDelivery } from '../delivery/delivery';
import type { HeaderList } from '../delivery/signature';
import { withoutForwardMark } from '../delivery/forwardMark';
import { withoutTestMark } from '../delivery/signature';
import { headersToSend, isOneOf } from './headersToSend';
import type { WebhookProvider } from '../provider/webhookProvider';
import { tonPay } from '../provider/tonPay';
import { WorkbenchError } from '../../base/errors';

export interface ResendParameters {
  url: URL;
  /** The edited body; default: the bytes as received. */
  body?: Buffer | undefined;
  /** Signs again with this secret. Without it the signature headers are sent unchanged. */
  secret?: string | undefined;
  retries?: number | undefined;
  /** Default: the payment service. */
  provider?: WebhookProvider | undefined;
  signal?: AbortSignal | undefined;
}

/** Headers of the old connection, or that are generated again. */
const ownHeaders = ['host', 'content-length', 'connection', 'transfer-encoding', 'expect', 'keep-alive'];

/** Whether a kept delivery is genuine again as it came: a token is not kept, and a signature with its time expires. */
export function canReplay({ carries }: Pick<WebhookProvider, 'carries'>): boolean {
  return carries.includes('signed-body') && !carries.includes('signed-time');
}

/**
 * Resends a stored delivery, unchanged or edited.
 * @throws WorkbenchError `body-not-kept` (input), `aborted`
 */
export async function resendDelivery(
  delivery: FullDelivery,
  parameters: ResendParameters,
): Promise<DeliveryOutcome> {
  const { secret, body = delivery.body, provider = tonPay } = parameters;
  if (parameters.body === undefined && (delivery.bodyRedacted || delivery.verdict === 'too-large')) {
    throw new WorkbenchError({
      code: 'body-not-kept',
      kind: 'input',
      message: 'The original bytes of this delivery were not kept.',
      hint: 'Send a scenario instead, or give your own body.',
    });
  }
  const came = provider.signatureHeaders.filter((name) =>
    isOneOf(
      name,
      delivery.headers.map(([one]) => one),
    ),
  );
  const signatureHeaders = came.length === 0 ? headersToSend(provider) : came;
  const signed = secret === undefined ? [] : provider.sign(body, secret, signatureHeaders);
  const replaced =
    secret === undefined
      ? ownHeaders
      : [...ownHeaders, ...provider.signatureHeaders, ...signed.map(([name]) => name)];
  const headers: HeaderList = [
    ...without(withoutTestMark(withoutForwardMark(delivery.headers)), replaced),
    ...signed,
  ];
  return deliver({ ...parameters, headers, body, policy: provider.delivery });
}

function without(headers: HeaderList, names: readonly string[]): HeaderList {
  const lower = names.map((name) => name.toLowerCase());
  // A redacted credential cannot be sent again.
  return headers.filter(([name, value]) => !lower.includes(name.toLowerCase()) && value !== '[redacted]');
}
