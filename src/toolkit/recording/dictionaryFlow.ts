import type { EntryPlace, Flow, ResultFlow, SeenInstruction, ValuePart } from './valueParts';
import { cellIn, keyBitsOf, keyOnPath, madeOf, placeOfKey, readWord, sameAs, sizeIn } from './valueParts';

const gets = /^DICT(?<key>[IU]?)GET(?<isRef>REF|OPTREF)?$/;
const sets = /^DICT(?<key>[IU]?)(?:SET|REPLACE|ADD)(?<isGet>GET)?(?<how>REF|B)?$/;
const deletes = /^DICT(?<key>[IU]?)DEL(?<isGet>GET)?(?<isRef>REF)?$/;
const ends = /^DICT(?<key>[IU]?)(?<isRemoved>REM)?(?:MIN|MAX)(?<isRef>REF)?$/;
const next = /^DICT(?<key>[IU]?)GET(?:NEXT|PREV)(?:EQ)?$/;
const jumps = /^DICT[IU]GET(?:JMP|EXEC)(?<isKept>Z?)$/;

/** What instructions on dictionaries do; undefined for another. */
export function dictionaryFlow(seen: SeenInstruction): ResultFlow[] | undefined {
  const { name, grown } = seen;
  const jump = jumps.exec(name)?.groups;
  if (jump !== undefined) {
    return grown === -3 ? [] : grown === -2 ? [sameAs(2)] : undefined;
  }
  const get = gets.exec(name)?.groups;
  if (get !== undefined) {
    const [kind, isRef] = [get['key'], get['isRef']];
    const isFound = isRef === 'OPTREF' ? seen.after(0) !== '(null)' && seen.after(0) !== '()' : grown === -1;
    const flag: ResultFlow[] = isRef === 'OPTREF' ? [] : [madeOf(2, 1)];
    return isFound ? [valueOf(seen, 1, keyAt(seen, 2, kind), isRef !== undefined), ...flag] : [madeOf(2, 1)];
  }
  const set = sets.exec(name)?.groups;
  if (set !== undefined) {
    return setFlow(seen, set);
  }
  const removed = deletes.exec(name)?.groups;
  if (removed !== undefined) {
    const key = keyAt(seen, 2, removed['key']);
    const isFound = seen.after(0) === '-1';
    const old =
      removed['isGet'] === 'GET' && isFound ? [valueOf(seen, 1, key, removed['isRef'] === 'REF')] : [];
    return [changed(seen, 1, old.length + 1, [2, 1], key), ...old, madeOf(2, 1)];
  }
  const end = ends.exec(name)?.groups;
  if (end !== undefined) {
    const isRemoved = end['isRemoved'] === 'REM';
    if (seen.after(0) !== '-1') {
      return isRemoved ? [madeOf(1), madeOf(1)] : [madeOf(1)];
    }
    const key = keyAfter(seen, 1, sizeIn(seen.before(0)), end['key']);
    const rest = isRemoved ? [changed(seen, 1, 3, [1], key)] : [];
    return [...rest, valueOf(seen, 1, key, end['isRef'] === 'REF'), madeOf(1), madeOf(1)];
  }
  const step = next.exec(name)?.groups;
  if (step !== undefined) {
    if (seen.after(0) !== '-1') {
      return [madeOf(2, 1)];
    }
    const key = keyAfter(seen, 1, sizeIn(seen.before(0)), step['key']);
    return [valueOf(seen, 1, key, false), madeOf(2, 1), madeOf(2, 1)];
  }
  return undefined;
}

/** `x key D n → D'`, and of some what was there before, and whether something was. */
function setFlow(
  seen: SeenInstruction,
  { key: kind, isGet, how }: Record<string, string | undefined>,
): ResultFlow[] | undefined {
  const key = keyAt(seen, 2, kind);
  const isFlagged = isGet === 'GET' || /(?:REPLACE|ADD)/.test(seen.name);
  const flag = isFlagged ? seen.after(0) : undefined;
  // Whoever was asked to add and found one, or to replace and found none, has left the dictionary as it was.
  const hasOld = isGet === 'GET' && (seen.name.includes('ADD') ? flag === '0' : flag === '-1');
  const isLeft = flag === '0' && !seen.name.includes('SETGET');
  const above = (isFlagged ? 1 : 0) + (hasOld ? 1 : 0);
  const old = hasOld ? [valueOf(seen, 1, key, how === 'REF')] : [];
  const written: ResultFlow = isLeft
    ? sameAs(1)
    : changed(seen, 1, above, [3, 2, 1], key, { slot: 3, isRef: how === 'REF' });
  return [written, ...old, ...(isFlagged ? [madeOf(2, 1)] : [])];
}

/** The value of a key, read from a dictionary. */
function valueOf(
  { before }: SeenInstruction,
  dictionary: number,
  key: string | undefined,
  isRef: boolean,
): ResultFlow {
  const root = cellIn(readWord(before(dictionary)));
  const place = root && key !== undefined ? placeOfKey(root, key) : undefined;
  if (place === undefined || root === undefined) {
    return madeOf(dictionary);
  }
  return (part): Flow => {
    const source = { slot: dictionary, part: inEntry(root, place, part, isRef) };
    const isCut =
      !isRef && part.path.length === 0 && part.bits === undefined && source.part.bits === undefined;
    return { kind: 'same', source, ...(isCut ? { isCut } : {}) };
  };
}

/** Where a part of an entry's value lies in the dictionary. */
function inEntry(
  root: { refs: readonly { bits: { length: number }; refs: readonly unknown[] }[] },
  place: EntryPlace,
  { path, bits }: ValuePart,
  isRef: boolean,
): ValuePart {
  const [first, ...rest] = path;
  if (isRef) {
    return { path: [...place.path, place.ref, ...path], bits };
  }
  if (first !== undefined) {
    return { path: [...place.path, place.ref + first, ...rest], bits };
  }
  const leaf = leafOf(root, place.path);
  const all = leaf.refs.length > 0 ? undefined : ([0, leaf.bits.length - place.bit] as const);
  const [from, to] = bits ?? all ?? [undefined, undefined];
  return from === undefined || to === undefined
    ? { path: place.path }
    : { path: place.path, bits: [from + place.bit, to + place.bit] };
}

interface Leaf {
  bits: { length: number };
  refs: readonly unknown[];
}

function leafOf(root: { refs: readonly unknown[] }, path: readonly number[]): Leaf {
  return path.reduce<Leaf>((cell, step) => (cell.refs[step] ?? cell) as Leaf, root as Leaf);
}

/**
 * A dictionary in which one key has changed.
 * @param above results above it
 * @param made slots that all of it is made of
 * @param written the new value of the key; undefined if it was taken away
 */
function changed(
  seen: SeenInstruction,
  dictionary: number,
  above: number,
  made: readonly number[],
  key: string | undefined,
  written?: { slot: number; isRef: boolean },
): ResultFlow {
  const root = cellIn(readWord(seen.after(above)));
  const before = cellIn(readWord(seen.before(dictionary)));
  return (part): Flow => {
    const found = root && key !== undefined ? keyOnPath(root, part.path, key.length) : undefined;
    const inside = found && insideEntry(part, found.place);
    if (found === undefined || inside === undefined) {
      return madeOf(...made)(part);
    }
    if (found.key !== key) {
      const place = before && placeOfKey(before, found.key);
      return before === undefined || place === undefined
        ? madeOf(...made)(part)
        : { kind: 'same', source: { slot: dictionary, part: inEntry(before, place, inside, false) } };
    }
    if (written === undefined) {
      return madeOf(...made)(part);
    }
    if (!written.isRef) {
      return { kind: 'same', source: { slot: written.slot, part: inside } };
    }
    const [, ...path] = inside.path;
    return inside.path.length === 0
      ? madeOf(written.slot)(part)
      : { kind: 'same', source: { slot: written.slot, part: { path, bits: inside.bits } } };
  };
}

/** A part of a dictionary as a part of the entry's value; undefined if it is not all in the value. */
function insideEntry({ path, bits }: ValuePart, place: EntryPlace): ValuePart | undefined {
  const rest = path.slice(place.path.length);
  if (rest.length > 0) {
    return { path: rest, bits };
  }
  return bits === undefined || bits[0] < place.bit
    ? undefined
    : { path: [], bits: [bits[0] - place.bit, bits[1] - place.bit] };
}

/** The key in a slot, as the bits that the dictionary has; its size is on top of the stack. */
function keyAt({ before }: SeenInstruction, slot: number, kind: string | undefined): string | undefined {
  return keyOf(before(slot), sizeIn(before(0)), kind);
}

function keyAfter(
  { after }: SeenInstruction,
  slot: number,
  size: number | undefined,
  kind: string | undefined,
): string | undefined {
  return keyOf(after(slot), size, kind);
}

function keyOf(word: string, size: number | undefined, kind: string | undefined): string | undefined {
  return size === undefined
    ? undefined
    : keyBitsOf(readWord(word), kind === 'I' || kind === 'U' ? kind : '', size);
}
