import type { AbiType } from './abiType';
import type { TactFieldType } from './tactFieldType';

/** The type on the stack of a field as the compiler's ABI describes it; names of structs stay names. */
export function tactAbiType(field: TactFieldType): AbiType {
  if (field.kind === 'dict') {
    const { key = '', keyFormat, value = '', valueFormat } = field;
    const [keyType, valueType] = [simpleAbiType(key, keyFormat), simpleAbiType(value, valueFormat)];
    return optionalIf(field, { kind: 'map', key: keyType, value: valueType, stored: field });
  }
  if (field.kind !== 'simple' || field.type === undefined) {
    return { kind: 'unknown' };
  }
  return optionalIf(field, simpleAbiType(field.type, field.format));
}

function optionalIf({ optional }: TactFieldType, type: AbiType): AbiType {
  return optional === true ? { kind: 'nullable', inner: type } : type;
}

function simpleAbiType(name: string, format: TactFieldType['format']): AbiType {
  switch (name) {
    case 'int':
    case 'uint':
      return integerAbiType(name === 'int', format);
    case 'bool':
    case 'address':
    case 'cell':
    case 'slice':
    case 'builder':
    case 'string':
      return { kind: name };
    case 'fixed-bytes':
      return typeof format === 'number' ? { kind: 'bits', bits: format * 8 } : { kind: 'slice' };
    case 'StringBuilder':
      return { kind: 'tuple' };
    default:
      return { kind: 'named', name, arguments: [] };
  }
}

function integerAbiType(signed: boolean, format: TactFieldType['format']): AbiType {
  const variable = /^var(u?)int(16|32)$/.exec(String(format));
  if (format === 'coins') {
    return { kind: 'coins' };
  }
  if (variable !== null) {
    return { kind: 'int', bits: (Number(variable[2]) - 1) * 8, signed: variable[1] === '', isVariable: true };
  }
  // The TVM's maximum is 257 bits anyway.
  return typeof format === 'number' && format !== 257
    ? { kind: 'int', bits: format, signed }
    : { kind: 'int' };
}
