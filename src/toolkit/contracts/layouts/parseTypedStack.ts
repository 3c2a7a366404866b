import type { AbiType } from '../abi/abiType';
import { typeText, withParts } from '../abi/abiType';
import type { SignatureParameter } from '../abi/getMethodSignature';
import { parseSeparator } from '../../stack/parseStackText';
import type { StackValue } from '../../stack/stackValue';
import type { StackTextOptions } from '../../stack/stackTextContext';
import { StackTextContext, stackTextError } from '../../stack/stackTextContext';
import { parseTyped } from './parseTyped';

/** An argument and the text it was read from. */
export interface TypedArgument {
  parameter: SignatureParameter;
  /** As many as its type takes on the stack. */
  values: StackValue[];
  offset: number;
  length: number;
}

/**
 * The stack of a call whose parameters are known. Plain stack text always works; if the type is unambiguous, the bare
 * form is enough (`EQ…`, `alice` or `none` for an address, `"text"` for a string, `te6cc…` for a cell), numbers are
 * checked against their type's range, maps are written `{1: 2}` and structs `{field: value}`.
 *
 * @throws WorkbenchError `stack-text-invalid` with `details.offset` and `details.length`
 */
export function parseTypedStack(
  text: string,
  parameters: readonly SignatureParameter[],
  options: StackTextOptions = {},
): TypedArgument[] {
  const context = new StackTextContext(text, options);
  const { scanner } = context;
  const read = parameters.map((parameter, index): TypedArgument => {
    scanner.skipBlanks();
    if (scanner.atEnd()) {
      throw missingError(text, parameters, index);
    }
    const offset = scanner.position;
    const values = parseTyped(context, parameter.type, `argument ${parameter.name}`);
    const length = scanner.position - offset;
    parseSeparator(context);
    return { parameter, values, offset, length };
  });
  scanner.skipBlanks();
  if (!scanner.atEnd()) {
    throw stackTextError({
      offset: scanner.position,
      length: text.trimEnd().length - scanner.position,
      message: `one argument too many: the method takes ${listed(parameters)}`,
    });
  }
  return read;
}

function missingError(text: string, parameters: readonly SignatureParameter[], index: number): Error {
  const parameter = parameters[index];
  return stackTextError({
    offset: text.length,
    length: 0,
    message: `the argument ${parameter?.name}: ${typeText(parameter?.type ?? { kind: 'unknown' })} is missing`,
    suggestion: `the method takes ${listed(parameters)}`,
  });
}

function listed(parameters: readonly SignatureParameter[]): string {
  return parameters.length === 0
    ? 'no arguments'
    : `(${parameters.map(({ name, type }) => `${name}: ${typeText(type)}`).join(', ')})`;
}

/** The type with ids of its own where only the compiler knows them: for values that are read and compared here. */
export function withOwnIds(type: AbiType): AbiType {
  const own = withParts(type, withOwnIds);
  switch (own.kind) {
    case 'nullable':
      return { ...own, typeId: own.typeId ?? 1 };
    case 'union':
      return {
        ...own,
        typeIds: own.typeIds ?? own.variants.map(({ kind }, place) => (kind === 'null' ? 0 : place + 1)),
      };
    default:
      return own;
  }
}
