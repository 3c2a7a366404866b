import { canonicalAddress } from '../../address/canonicalAddress';
import { canonicalHash } from '../../address/canonicalHash';
import { bearerHeaders, verifyBearer } from '../delivery/bearerToken';
import { readJsonObject } from '../payload/readJsonObject';
import type { WebhookProvider } from './provider';
import { transferBodies } from './transferBodies';
import { isHttpSuccess } from '../values/isHttpSuccess';

const event = 'account_tx';
const otherEvents: readonly string[] = ['opcode_msg', 'new_contracts', 'mempool_msg'];

/**
 * Webhooks of TONAPI: they tell that an account has a new transaction, and nothing about it. The receiver must read the
 * chain. Authenticity is a bearer token of the webhook; older deliveries have no event_type.
 */
export const tonapi: WebhookProvider = {
  name: 'tonapi',
  title: 'TONAPI',
  signatureHeaders: ['Authorization'],
  documentedHeaders: ['Authorization'],
  delivery: {
    timeoutMs: 10_000,
    retryDelaysMs: [],
    isDelivered: isHttpSuccess,
  },
  carries: ['credential', 'account'],
  accepts: '2xx',
  whenRefused: 'The service would count the webhook as failing, and may switch it off.',
  isSecretOptional: false,
  verify: (headers, _body, secrets) => verifyBearer(headers, secrets),
  encode: ({ data }) =>
    Buffer.from(
      JSON.stringify({
        event_type: event,
        account_id: canonicalAddress(data.recipientAddr) ?? data.recipientAddr,
        lt: 1_000_000,
        tx_hash: data.txHash,
      }),
      'utf8',
    ),
  parse: (body) => {
    const read = readJsonObject(body);
    if ('reason' in read) {
      return { kind: 'malformed', reason: read.reason, path: null, event: null };
    }
    const { event_type: type = event, account_id: account, tx_hash: hash, lt } = read.object;
    if (type !== event) {
      const known = typeof type === 'string' && otherEvents.includes(type);
      const text = typeof type === 'string' ? type.slice(0, 100) : 'unknown';
      return known
        ? { kind: 'notification', event: text, id: null, warnings: ['This event tells of no transaction.'] }
        : { kind: 'other-event', event: text, reason: 'the event_type is not one of the service' };
    }
    const malformed = (path: string, rule: string): ReturnType<WebhookProvider['parse']> => ({
      kind: 'malformed',
      reason: `${path} ${rule}`,
      path,
      event,
    });
    if (typeof account !== 'string' || canonicalAddress(account) === undefined) {
      return malformed('account_id', 'must be an address');
    }
    if (typeof hash !== 'string' || canonicalHash(hash) === undefined) {
      return malformed('tx_hash', 'must be the hash of a transaction');
    }
    const isNumber = typeof lt === 'number' || (typeof lt === 'string' && /^\d{1,20}$/.test(lt));
    if (!isNumber) {
      return malformed('lt', 'must be a logical time');
    }
    return {
      kind: 'notification',
      event,
      id: canonicalHash(hash) ?? hash,
      warnings: [
        'The delivery has no amount: read the transaction on the chain before you mark anything paid.',
      ],
    };
  },
  judge: transferBodies.judge,
  summarize: transferBodies.summarize,
  sign: (_body, token) => bearerHeaders(token),
};
