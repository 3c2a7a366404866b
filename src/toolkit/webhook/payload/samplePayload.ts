import { randomBytes } from 'node:crypto';
import { WorkbenchError } from '../../base/errors';
import { systemClock } from '../../base/time';
import type { Clock } from '../../base/time';
import { decimalPattern, fromBaseUnits, integerPattern, toBaseUnits } from '../values/amount';
import { knownDecimals, nativeAsset } from '../values/asset';
import { completedEvent, dataFields, payloadFields } from './payload';
import type { TransferPayload } from './payload';

/** Fields to set, by name: of the payload (`event`, `timestamp`) or of its data (`amount`, also `data.amount`). */
export type FieldValues = Readonly<Record<string, string>>;

/** Two wallets that belong to nobody. */
const sampleSender = 'UQBRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRURQW';
const sampleRecipient = 'UQCnp6enp6enp6enp6enp6enp6enp6enp6enp6enp6enp4fl';

/** A payload as in the service's documentation, with a new reference, new hashes, and the current time. */
export function samplePayload(clock: Clock = systemClock): TransferPayload {
  const time = new Date(clock.now()).toISOString();
  const hash = randomBytes(32).toString('hex');
  const reference = `test-${randomBytes(8).toString('hex')}`;
  return {
    event: completedEvent,
    timestamp: time,
    data: {
      amount: '10.5',
      rawAmount: '10500000000',
      senderAddr: sampleSender,
      recipientAddr: sampleRecipient,
      asset: nativeAsset,
      assetTicker: 'TON',
      status: 'success',
      reference,
      bodyBase64Hash: randomBytes(32).toString('base64'),
      txHash: hash,
      traceId: hash,
      commentToSender: 'Thanks for the purchase',
      commentToRecipient: sampleComment(reference),
      date: time,
    },
  };
}

function sampleComment(reference: string): string {
  return `Payment for ${reference}`;
}

/** Every name that {@link withFields} takes. */
export const settableFields: readonly string[] = [
  ...payloadFields.filter((name) => name !== 'data'),
  ...dataFields,
];

/**
 * The payload with fields set. If only one of amount and rawAmount is set and the asset's decimals are known, the
 * other is derived, and the comment of a sample names the reference, so that the payload stays realistic. Other values are used as given, even wrong ones, for
 * testing.
 *
 * @param coin additional name of the native coin
 * @throws WorkbenchError `field-unknown`, `field-invalid` (input)
 */
export function withFields(payload: TransferPayload, values: FieldValues, coin?: string): TransferPayload {
  const result = structuredClone(payload);
  const names = new Map(Object.entries(values).map(([name, value]) => [name.replace(/^data\./, ''), value]));
  for (const [name, value] of names) {
    if (!settableFields.includes(name)) {
      throw fieldError('field-unknown', name, 'is not a field of the payload');
    }
    if (name === 'errorCode' && (value.trim() === '' || !Number.isFinite(Number(value)))) {
      throw fieldError('field-invalid', name, 'must be a number');
    }
    const target = (dataFields.includes(name) ? result.data : result) as Record<string, unknown>;
    target[name] = name === 'errorCode' ? Number(value) : value;
  }
  if (names.has('asset') && !names.has('assetTicker') && result.data.asset !== payload.data.asset) {
    delete result.data.assetTicker;
  }
  const isSample = payload.data.commentToRecipient === sampleComment(payload.data.reference);
  if (isSample && names.has('reference') && !names.has('commentToRecipient')) {
    result.data.commentToRecipient = sampleComment(result.data.reference);
  }
  return withAmounts(result, names, coin);
}

function withAmounts(
  payload: TransferPayload,
  set: ReadonlyMap<string, string>,
  coin?: string,
): TransferPayload {
  const { data } = payload;
  const decimals = knownDecimals(data.asset, coin);
  if (decimals === undefined || (set.has('amount') && set.has('rawAmount'))) {
    return payload;
  }
  if (set.has('rawAmount') && integerPattern.test(data.rawAmount)) {
    data.amount = fromBaseUnits(BigInt(data.rawAmount), decimals);
  } else if ((set.has('amount') || set.has('asset')) && decimalPattern.test(data.amount)) {
    data.rawAmount = toBaseUnits(data.amount, decimals)?.toString() ?? data.rawAmount;
  }
  return payload;
}

/**
 * The amount that {@link withFields} leaves as it was, though the other one is set: the asset's decimals are unknown, or
 * what is set is no amount of it. Undefined if they agree, or if both are set.
 * @param payload with the fields set
 */
export function staleAmount(
  { data }: TransferPayload,
  values: FieldValues,
  coin?: string,
): 'amount' | 'rawAmount' | undefined {
  const isSet = (name: string): boolean =>
    Object.keys(values).some((key) => key.replace(/^data\./, '') === name);
  if (isSet('amount') === isSet('rawAmount')) {
    return undefined;
  }
  const decimals = knownDecimals(data.asset, coin);
  const agree =
    decimals !== undefined &&
    decimalPattern.test(data.amount) &&
    integerPattern.test(data.rawAmount) &&
    toBaseUnits(data.amount, decimals) === BigInt(data.rawAmount);
  return agree ? undefined : isSet('amount') ? 'rawAmount' : 'amount';
}

function fieldError(code: 'field-unknown' | 'field-invalid', name: string, problem: string): WorkbenchError {
  return new WorkbenchError({
    code,
    kind: 'input',
    message: `${JSON.stringify(name)} ${problem}.`,
    hint: `Fields: ${settableFields.join(', ')}.`,
    details: { field: name },
  });
}
