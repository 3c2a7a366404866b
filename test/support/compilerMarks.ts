import assert from 'node:assert/strict';
import { beginCell, Cell, Dictionary } from '@ton/core';
import type { DictionaryValue, Slice } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { mapSource } from '../../src/toolkit/build/mapSource';
import { readDictionary } from '../../src/toolkit/cell/tokenContent';
import { WorkBudget } from '../../src/toolkit/base/limits';
import type { SourceMap } from '../../src/toolkit/sourceMap/sourceMap';

/** The lines of our alignment, as marks of a compiler: one for each instruction. */
export interface Marked {
  code: string;
  aligned: SourceMap;
  /** By cell: bit offset, and number of the mark. */
  positions: Map<string, [offset: number, id: number][]>;
  marks: { kind: string; range: number[] }[];
  /** What its marks call the source, and the compiler's library. */
  symbols: { files: { file_id: number; file_name: string }[] };
}

/**
 * A source, compiled here, with marks as a newer compiler gives them.
 * @param listed how the marks call the source
 */
export async function markedSource(path: string, text: string, listed: string): Promise<Marked> {
  const [aligned] = await mapSource(path, { read: () => text, isTrusted: false });
  const compiled = await runTolkCompiler({ entrypointFileName: path, fsReadCallback: () => text });
  assert.ok(aligned !== undefined && compiled.status === 'ok', JSON.stringify(compiled));
  const positions: Marked['positions'] = new Map();
  const marks: Marked['marks'] = [{ kind: 'stack', range: [] }];
  const seen = new Set<string>();
  for (const { cell, offset, place } of aligned.methods.flatMap((method) => method.marks)) {
    const { file, line } = aligned.places[place] ?? { file: '@', line: 0 };
    if (!seen.has(`${cell} ${offset}`) && !file.startsWith('@')) {
      seen.add(`${cell} ${offset}`);
      const id = marks.push({ kind: 'loc', range: [1, line, 1, line, 2] }) - 1;
      positions.set(cell, [...(positions.get(cell) ?? []), [offset, id]]);
    }
  }
  const symbols = {
    files: [
      { file_id: 0, file_name: '@stdlib/common.tolk' },
      { file_id: 1, file_name: listed },
    ],
  };
  return { code: compiled.codeBoc64, aligned, positions, marks, symbols };
}

/** As `acton compile --source-map` writes it. */
export function listedMap({ marks, positions, symbols }: Marked): object {
  return {
    ...symbols,
    debug_marks: marks,
    marks_dict: Object.fromEntries([...positions].map(([hash, list]) => [hash.toUpperCase(), list])),
  };
}

/** As `acton build` writes it into a `*.source.json`. */
export function notedMap(marked: Marked): object {
  const { code, marks, symbols } = marked;
  return {
    code_boc64: code,
    debug_marks_base64: assembled(marked),
    debug_marks_json: marks,
    symbol_types_json: symbols,
  };
}

const emptyValue: DictionaryValue<true> = { serialize: () => undefined, parse: (_: Slice) => true };
/** Offsets in a reference, as the assembler writes them; its keys are their numbers. */
const offsetsValue: DictionaryValue<number[]> = {
  serialize: (offsets, builder) => {
    const inner = Dictionary.empty(Dictionary.Keys.Uint(10), emptyValue);
    offsets.forEach((offset) => inner.set(offset, true));
    const cell = beginCell();
    inner.storeDirect(cell);
    builder.storeRef(cell.endCell());
  },
  parse: () => [],
};

/** The marks as the assembler notes them: methods by the hash and offsets without their label in the dictionary. */
function assembled({ code, positions }: Marked): string {
  const methods = new Map<string, { hash: bigint; before: number }>();
  readDictionary(Cell.fromBase64(code).refs[0]!, 19, new WorkBudget('dictionaryCells'), (_, value, cell) => {
    methods.set(cell.hash().toString('hex'), {
      hash: BigInt(`0x${value.asCell().hash().toString('hex')}`),
      before: cell.bits.length - value.remainingBits,
    });
  });
  const outer = Dictionary.empty(Dictionary.Keys.BigUint(256), {
    serialize: ({ isInside, ids }: { isInside: boolean; ids: Dictionary<number, number[]> }, builder) => {
      builder.storeBit(isInside).storeDict(ids);
    },
    parse: () => assert.fail(),
  });
  for (const [hash, marks] of positions) {
    const method = methods.get(hash);
    const ids = Dictionary.empty(Dictionary.Keys.Uint(32), offsetsValue);
    marks.forEach(([offset, id]) => ids.set(id, [offset - (method?.before ?? 0)]));
    outer.set(method?.hash ?? BigInt(`0x${hash}`), { isInside: method === undefined, ids });
  }
  const cell = beginCell();
  outer.storeDirect(cell);
  return cell.endCell().toBoc().toString('base64');
}
