import { Cell } from '@ton/core';
import { WorkbenchError } from '../errors';
import type { LayoutSet } from '../layouts/cellLayout';
import { readTolkSourceLayouts } from '../layouts/readTolkSourceLayouts';
import { isJettonMethod } from '../opcodes/countsJettons';
import { alignListing } from './alignListing';
import { readFiftListing } from './fiftListing';
import { PlaceBook } from './placeBook';
import { slotName, tolkGlobals } from './tolkGlobals';
import { tolkVariables } from './tolkVariables';
import type { SourceMap } from './sourceMap';

/** What the Tolk compiler made with the options `withSrcLineComments` and `withStackComments`. */
export interface CommentedTolk {
  name: string;
  /** The listing. */
  fiftCode: string;
  /** The code cell, a BoC in base64. */
  codeBoc64: string;
  /** All sources, those of the standard library included, by path; the entry file first. */
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
  const globals = tolkGlobals(listing);
  // A global that is being used is on the stack, too, as `g_total` or `g_storage.owner`.
  const copies = new Set(globals.map((one) => `g_${one.name}`));
  const named = (slot: string): string => {
    const text = slotName(slot);
    return copies.has(text.split('.', 1)[0]!) ? '' : text;
  };
  const map = await alignListing(
    { name, listing, code, book, globals },
    ({ listing: { quoted, names }, isFirst }) => ({
      place: book.quoted(quoted),
      names: isFirst ? book.namesOf(names?.map(named)) : -1,
    }),
  );
  const functions = new Set(map.places.map((place) => `${place.function} ${place.file}`));
  const ofJetton = map.methods.some((method) => isJettonMethod(method.name));
  const variables = tolkVariables(texts, ofJetton).filter((one) =>
    functions.has(`${one.function} ${one.file}`),
  );
  return { ...map, variables, layouts: layoutsOf(name, texts, ofJetton) };
}

/** The structs of the sources; undefined if they are too many. */
function layoutsOf(name: string, texts: CommentedTolk['texts'], ofJetton: boolean): LayoutSet | undefined {
  const [[path, text] = ['', ''], ...others] = texts;
  try {
    const imported = others.map(([, one]) => one);
    return { ...readTolkSourceLayouts(path, name, text, imported), ofJetton };
  } catch (error) {
    if (WorkbenchError.is(error, 'over-limit')) {
      return undefined;
    }
    throw error;
  }
}
