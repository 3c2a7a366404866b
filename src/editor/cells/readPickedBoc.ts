import type { Boc } from '../../toolkit/cell/boc';
import type { PickedBoc } from './pickBoc';

/** The BoC that text or a file's bytes hold. Throws what the reader throws. */
export async function readPickedBoc({ content }: PickedBoc): Promise<Boc> {
  const { parseBocInput, readBocInput } = await import('../../toolkit/cell/parseBocInput');
  return typeof content === 'string' ? parseBocInput(content) : readBocInput(content);
}
