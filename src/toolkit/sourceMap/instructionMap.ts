import type { Cell } from '@ton/core';
import { instructionAt } from '../recording/recording';
import type { Recording } from '../recording/recording';
import { mapSteps } from './mapSteps';
import type { MappedSteps } from './mapSteps';
import { readCodeTree } from './readCodeTree';
import type { CodeBody, CodeEntry, CodeInstruction, CodeTree } from './readCodeTree';
import { codeFile } from './sourceMap';
import type { MethodMap, SourceFunction, SourceMap, SourcePlace } from './sourceMap';

/** A code without a source: its instructions take the place of lines. */
export interface ListedInstructions {
  code?: Cell | undefined;
  /** Lowercase hex. */
  codeHash?: string | undefined;
  /** An execution of it: what the code does not show, such as that of a library, is known from what ran. */
  recording?: Recording | undefined;
  /** Name of a get-method. */
  methodName: (id: number) => string | undefined;
}

/** An instruction in its cell. */
interface Listed {
  cell: string;
  offset: number;
  text: string;
}

/** Ids of methods have 19 bits: this is none. */
const noMethod = 1 << 20;
/** The function of instructions that several methods have. */
const shared = '(shared by methods)';

/**
 * The instructions of a code as a source map, each with its position (`20834b7b:16`: digits of the cell's hash, and the
 * bit offset) and a place of its own, so that whatever is told by line can be told by instruction. What selects the
 * method has no place, as with lines.
 */
export async function instructionMap(given: ListedInstructions): Promise<SourceMap> {
  const { code, recording, methodName, codeHash = code?.hash().toString('hex') ?? 'unknown' } = given;
  const tree: CodeTree = code === undefined ? { entries: [], root: undefined } : await readCodeTree(code);
  const found = tree.entries.map((entry) => ({
    id: entry.id,
    name: entryName(entry, methodName),
    listed: unique(instructionsIn(entry.body).map(listedOf)),
  }));
  if (found.length === 0) {
    found.push({ id: 0, name: '(the code)', listed: unique(instructionsIn(tree.root).map(listedOf)) });
  }
  const known = new Set(found.flatMap(({ listed }) => listed.map(keyOf)));
  if (tree.entries.length > 0) {
    tree.root?.forEach((one) => known.add(keyOf(one)));
  }
  const ran = unique(recording === undefined ? [] : recordedIn(recording));
  const others = ran.filter((one) => !known.has(keyOf(one)));
  if (others.length > 0) {
    found.push({ id: noMethod, name: '(other code)', listed: others });
  }
  return {
    ...{ codeHash, name: codeFile(codeHash), language: 'fift' },
    ...placesOf(codeFile(codeHash), found, new Map(ran.map((one) => [keyOf(one), one.text]))),
    ...{ names: [], branches: [], calls: [], globals: [], constants: [], libraries: [] },
  };
}

/** The steps of an execution whose source is not known, by their instructions. */
export async function instructionSteps(
  recording: Recording,
  given: Omit<ListedInstructions, 'recording'>,
): Promise<MappedSteps> {
  return mapSteps(recording, await instructionMap({ ...given, recording }));
}

function placesOf(
  file: string,
  methods: readonly { id: number; name: string; listed: readonly Listed[] }[],
  ranAs: ReadonlyMap<string, string>,
): Pick<SourceMap, 'places' | 'methods' | 'functions'> {
  const users = new Map<string, number>();
  methods.forEach(({ listed }) =>
    listed.forEach((one) => users.set(keyOf(one), (users.get(keyOf(one)) ?? 0) + 1)),
  );
  const places: SourcePlace[] = [];
  const placeOf = new Map<string, number>();
  const functions: SourceFunction[] = [];
  const mapped = methods.map(({ id, name, listed }): MethodMap => {
    const line = places.length + 1;
    const marks = listed.map(({ cell, offset, text }) => {
      const key = keyOf({ cell, offset });
      const place = placeOf.get(key) ?? places.length;
      if (place === places.length) {
        placeOf.set(key, place);
        places.push({
          ...{ file, line: place + 1, text: `${cell.slice(0, 8)}:${offset}  ${ranAs.get(key) ?? text}` },
          function: users.get(key) === 1 ? name : shared,
        });
      }
      return { cell, offset, place, names: -1, block: 0, branch: -1 };
    });
    if (places.length >= line) {
      functions.push({ file, name, line, end: places.length });
    }
    return { id, name, marks, parents: [-1] };
  });
  return { places, methods: mapped, functions };
}

function instructionsIn(body: CodeBody): CodeInstruction[] {
  return (body ?? []).flatMap((one) => [one, ...one.bodies.flatMap(instructionsIn)]);
}

function listedOf({ cell, offset, name, operands }: CodeInstruction): Listed {
  const numbers = operands.filter((one) => typeof one === 'bigint');
  return { cell, offset, text: [name, ...numbers].join(' ') };
}

function recordedIn(recording: Recording): Listed[] {
  const { steps, cell, cells, offset } = recording;
  const listed: Listed[] = [];
  for (let step = 0; step < steps; step += 1) {
    const hash = cells[cell[step] ?? -1];
    if (hash !== undefined) {
      listed.push({ cell: hash, offset: offset[step]!, text: instructionAt(recording, step) });
    }
  }
  return listed;
}

/** Each instruction once: cells are shared, and code runs again. */
function unique(listed: readonly Listed[]): Listed[] {
  const found = new Map<string, Listed>();
  for (const one of listed) {
    const key = keyOf(one);
    found.set(key, found.get(key) ?? one);
  }
  return [...found.values()];
}

function keyOf({ cell, offset }: Pick<Listed, 'cell' | 'offset'>): string {
  return `${cell} ${offset}`;
}

function entryName({ id }: CodeEntry, methodName: ListedInstructions['methodName']): string {
  return id === 0 ? 'recv_internal' : id === -1 ? 'recv_external' : (methodName(id) ?? `method ${id}`);
}
