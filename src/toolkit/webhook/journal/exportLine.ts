import { isUtf8 } from 'node:buffer';
import type { FullDelivery } from '../delivery/delivery';

/** A delivery as one line of JSON: `body` is text if the bytes are UTF-8, `bodyBase64` always has the bytes. */
export function exportLine({ body, ...delivery }: FullDelivery): string {
  return JSON.stringify({
    ...delivery,
    body: isUtf8(body) ? body.toString('utf8') : null,
    bodyBase64: body.toString('base64'),
  });
}
