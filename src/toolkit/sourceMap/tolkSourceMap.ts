import { Cell } from '@ton/core';
import { alignListing } from './alignListing';
import { readFiftListing } from './fiftListing';
import { PlaceBook } from './placeBook';
import type { SourceMap } from './sourceMap';

/** What the Tolk compiler made with the options `withSrcLineComments` and `withStackComments`. */
export interface CommentedTolk {
  name: string;
  /** The listing. */
  fiftCode: string;
  /** The code cell, a BoC in base64. */
  codeBoc64: string;
  /** All sources, those of the standard library included, by path. */
  texts: ReadonlyMap<string, string>;
}

/**
 * The lines of a Tolk contract's code. The listing's comments say the line of the instructions after them, and the
 * names of the stack's slots after the instruction before them.
 */
export async function tolkSourceMap({ name, fiftCode, codeBoc64, texts }: CommentedTolk): Promise<SourceMap> {
  const code = Cell.fromBase64(codeBoc64);
  const book = new PlaceBook(texts, 'tolk');
  const listing = readFiftListing(fiftCode);
  return alignListing({ name, listing, code, book }, ({ listing: { quoted, names }, isFirst }) => ({
    place: book.quoted(quoted),
    names: isFirst ? book.namesOf(names?.map(slotName)) : -1,
  }));
}

/**
 * Temporary values are numbered, as in `'12` or `'56=65535`, and unread parts of a message are `lazyS` and
 * `message.USlot2`: none of them has a name in the source.
 */
function slotName(text: string): string {
  return text.startsWith("'") || text === 'lazyS' || /\.USlot\d+$/.test(text) ? '' : text.split('=', 1)[0]!;
}
