import type { BodyValue, DecodedBody } from '../opcodes/decodedBody';
import type { FieldPlace } from './decodeByLayout';
import { placesOf } from './decodeByLayout';

/** A part of a cell, as `recording` names it: down which references, and which bits there. */
interface CellPart {
  readonly path: readonly number[];
  readonly bits?: readonly [from: number, to: number] | undefined;
}

/** The field that a part of a cell lies in, with those around it: `limits.daily`; undefined if it lies in none. */
export function fieldAt(body: DecodedBody, part: CellPart): string | undefined {
  for (const [index, place] of placesOf(body).entries()) {
    const field = body.fields[index];
    if (place !== undefined && field !== undefined && holds(place, part)) {
      const inner = innerBody(field.value);
      const inside = inner && fieldAt(inner, part);
      return inside === undefined ? field.name : `${field.name}.${inside}`;
    }
  }
  return undefined;
}

/** The part of a cell that a field lies in: `limits.daily`; undefined if there is none. */
export function partOfField(body: DecodedBody, name: string): CellPart | undefined {
  const [head = '', ...rest] = name.split('.');
  const index = body.fields.findIndex((one) => one.name === head);
  const place = placesOf(body)[index];
  const field = body.fields[index];
  if (place === undefined || field === undefined) {
    return undefined;
  }
  if (rest.length > 0) {
    const inner = innerBody(field.value);
    return inner && partOfField(inner, rest.join('.'));
  }
  const isReference =
    place.bits[0] === place.bits[1] || (field.value.type === 'map' && place.refs[0] < place.refs[1]);
  return isReference ? { path: [...place.path, place.refs[0]] } : { path: place.path, bits: place.bits };
}

/** The value of a field: `limits.daily`; undefined if there is none. */
export function valueOfField(body: DecodedBody, name: string): BodyValue | undefined {
  const [head = '', ...rest] = name.split('.');
  const value = body.fields.find((one) => one.name === head)?.value;
  const inner = value && innerBody(value);
  return rest.length === 0 ? value : inner && valueOfField(inner, rest.join('.'));
}

function innerBody(value: BodyValue): DecodedBody | undefined {
  return value.type === 'body' ? value.value : undefined;
}

function holds({ path, bits: [from, to], refs }: FieldPlace, part: CellPart): boolean {
  if (!path.every((step, index) => part.path[index] === step)) {
    return false;
  }
  if (part.path.length > path.length) {
    const next = part.path[path.length] ?? -1;
    return refs[0] <= next && next < refs[1];
  }
  return part.bits !== undefined && from < to && from <= part.bits[0] && part.bits[1] <= to;
}
