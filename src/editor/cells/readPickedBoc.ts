import type { Boc } from '../../toolkit/cell/boc';
import type { PickedBoc } from './pickBoc';

/** Reads the BoC from the text or bytes. Throws the reader's errors. */
export async function readPickedBoc({ content }: PickedBoc): Promise<Boc> {
  const { parseBocInput, readBocInput } = await import('../../toolkit/cell/parseBocInput');
  return typeof content === 'string' ? parseBocInput(content) : readBocInput(content);
}
