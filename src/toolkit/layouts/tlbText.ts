import type { TlbDeclaration, TlbField, TlbType } from '../abi/readTlbComments';

/**
 * A constructor without its tag as TEP standards take the checksum of: without parentheses and semicolon, one space
 * between words (`ping query_id:uint64 payload:Maybe ^Cell = InternalMsgBody`).
 */
export function tlbText({ name, fields, type }: TlbDeclaration): string {
  return [name, ...fields.map(fieldText), '=', type].join(' ');
}

function fieldText({ name, type }: TlbField): string {
  return name === undefined ? tlbTypeText(type) : `${name}:${tlbTypeText(type)}`;
}

/** `Maybe ^Cell` */
export function tlbTypeText(type: TlbType): string {
  switch (type.kind) {
    case 'number':
      return type.value.toString();
    case 'reference':
      return `^${tlbTypeText(type.inner)}`;
    case 'fields':
      return `[ ${type.fields.map(fieldText).join(' ')} ]`;
    case 'named':
      return [type.name, ...type.arguments.map(tlbTypeText)].join(' ');
  }
}
