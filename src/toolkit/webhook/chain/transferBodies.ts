import { Cell } from '@ton/core';
import type { ChainMessage } from './chainLookup';

/** A body whose hash may be a payment's `bodyBase64Hash`. */
export interface TransferBody {
  /** Its description: `the jetton transfer`. */
  what: string;
  /** 64 lowercase hex digits. */
  hash: string;
}

/** The body of a message with coins. */
export function coinBodies(message: ChainMessage): TransferBody[] {
  const hash = bodyHash(message);
  return hash === undefined ? [] : [{ what: "the message's body", hash }];
}

/** The body of a jetton transfer (TEP-74), and the payload in it that is forwarded to the recipient. */
export function jettonBodies(message: ChainMessage): TransferBody[] {
  const whole = bodyHash(message);
  const forwarded = forwardPayloadHash(message.body ?? '');
  return [
    ...(whole === undefined ? [] : [{ what: 'the body of the jetton transfer', hash: whole }]),
    ...(forwarded === undefined ? [] : [{ what: 'the forwarded payload inside it', hash: forwarded }]),
  ];
}

function bodyHash({ body, bodyHash: known }: ChainMessage): string | undefined {
  return known ?? (body === undefined ? undefined : parse(body)?.hash().toString('hex'));
}

function forwardPayloadHash(body: string): string | undefined {
  try {
    const slice = parse(body)
      ?.beginParse()
      .skip(32 + 64);
    slice?.loadCoins();
    slice?.loadAddressAny();
    slice?.loadAddressAny();
    slice?.loadMaybeRef();
    slice?.loadCoins();
    if (slice === undefined || slice.remainingBits === 0) {
      return undefined;
    }
    const payload = slice.loadBit() ? slice.loadRef() : slice.asCell();
    return payload.hash().toString('hex');
  } catch {
    return undefined;
  }
}

function parse(body: string): Cell | undefined {
  try {
    return Cell.fromBase64(body);
  } catch {
    return undefined;
  }
}
