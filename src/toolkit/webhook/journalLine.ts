import type { Delivery, ForwardResult, FullDelivery, HeaderList } from './delivery';
import { orderStateOf } from './orderBook';
import type { OrderState } from './orderBook';

/** What a line of the journal says. */
export type JournalLine =
  | { kind: 'delivery'; full: FullDelivery; order: OrderState | null }
  | { kind: 'forwarded'; id: string; forwarded: ForwardResult };

const version = 1;

/** Makes the lines. */
export const journalLine = {
  /**
   * @param delivery the summary, already as JSON: it is needed twice
   * @param order what the order becomes; the rest of its state stands in the summary
   */
  delivery: (
    delivery: string,
    kept: { headers: HeaderList; body: Buffer; bodyRedacted: boolean },
    order: OrderState['state'] | null,
  ): string =>
    `{"v":${version},"kind":"delivery","delivery":${delivery},` +
    `"order":${JSON.stringify(order)},"headers":${JSON.stringify(kept.headers)},"bodyRedacted":${kept.bodyRedacted},` +
    `"body":"${kept.body.toString('base64')}"}`,
  forwarded: (id: string, forwarded: ForwardResult): string =>
    JSON.stringify({ v: version, kind: 'forwarded', id, forwarded }),
};

interface Stored {
  v: number;
  kind: string;
  id?: string;
  delivery?: Delivery;
  order?: OrderState['state'] | null;
  headers?: HeaderList;
  body?: string;
  bodyRedacted?: boolean;
  forwarded?: ForwardResult;
}

/** Reads a line; throws when it is not one of ours. */
export function readJournalLine(text: string): JournalLine {
  const line = JSON.parse(text) as Stored;
  if (line.v !== version) {
    throw new Error('not a line of this version');
  }
  if (line.kind === 'forwarded' && typeof line.id === 'string' && line.forwarded !== undefined) {
    return { kind: 'forwarded', id: line.id, forwarded: line.forwarded };
  }
  if (
    line.kind !== 'delivery' ||
    typeof line.delivery?.id !== 'string' ||
    typeof line.body !== 'string' ||
    !['paid', 'failed', null, undefined].includes(line.order) ||
    !Array.isArray(line.headers)
  ) {
    throw new Error('not a line of the journal');
  }
  const body = Buffer.from(line.body, 'base64');
  const { headers, bodyRedacted = false, delivery } = line;
  const order = orderState(delivery, line.order ?? null);
  return { kind: 'delivery', full: { ...delivery, headers, bodyRedacted, body }, order };
}

function orderState(delivery: Delivery, state: OrderState['state'] | null): OrderState | null {
  const { reference, payment, id } = delivery;
  return state === null || reference === null || payment === null
    ? null
    : orderStateOf(state, reference, payment, id);
}
