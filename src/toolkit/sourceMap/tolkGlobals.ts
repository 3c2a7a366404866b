import type { FiftListing, ListingInstruction } from './fiftListing';
import type { SourceGlobal } from './sourceMap';

/**
 * The global variables of a Tolk listing. A struct of several values is kept in a tuple; the comments around the
 * instructions that pack it and take it apart name its fields. The compiler treats a struct of one value as that value.
 */
export function tolkGlobals({ globals, procedures }: FiftListing): SourceGlobal[] {
  const fields = new Map<string, readonly string[]>();
  for (const { body } of procedures.values()) {
    readFields(body, fields);
  }
  return [...globals].flatMap(([listed, index]) => {
    // Other characters of a name in backticks are not in the listing.
    const [, name] = /^\$([A-Za-z_]\w*)$/.exec(listed) ?? [];
    return name === undefined ? [] : [{ name, index, fields: fields.get(listed) ?? [] }];
  });
}

/**
 * The name of a stack's slot in a comment. Temporary values are numbered, as in `'12` or `'56=65535`, and unread parts of
 * a message are `lazyS` and `message.USlot2`, and which one it is, `message.UTag`: none of them has a name in the source,
 * so their names are empty.
 */
export function slotName(text: string): string {
  return text.startsWith("'") || text === 'lazyS' || /(?:^|\.)U(?:Slot\d+|Tag)$/.test(text)
    ? ''
    : text.split('=', 1)[0]!;
}

function readFields(block: readonly ListingInstruction[], fields: Map<string, readonly string[]>): void {
  for (const [at, { op, operands, blocks }] of block.entries()) {
    const [global = ''] = operands;
    const [before, next, afterNext] = [block[at - 1], block[at + 1], block[at + 2]];
    if (op === 'GETGLOB' && next?.op === 'UNTUPLE') {
      noteFields(global, Number(next.operands[0]), afterNext?.names, fields);
    } else if (op === 'SETGLOB' && before?.op === 'TUPLE') {
      noteFields(global, Number(before.operands[0]), before.names, fields);
    }
    blocks.forEach((inner) => readFields(inner, fields));
  }
}

/** @param names of the stack with the fields at its top */
function noteFields(
  global: string,
  count: number,
  names: readonly string[] | undefined,
  fields: Map<string, readonly string[]>,
): void {
  const prefix = `g_${global.slice(1)}.`;
  const found = names?.slice(-count).map(slotName) ?? [];
  if (found.length === count && found.every((name) => name.startsWith(prefix))) {
    fields.set(
      global,
      found.map((name) => name.slice(prefix.length)),
    );
  }
}
