import * as z from 'zod';
import { voidType } from './abiType';
import type { GetMethodSignature } from './getMethodSignature';
import { explainExitCode } from '../exitCodes';
import { limits } from '../../base/limits';
import { readAbi } from './readAbi';
import { TypeResolver } from './typeResolver';
import type { TypeDeclaration } from './typeResolver';
import { tactAbiType } from './tactAbiType';
import { tactArgument, tactResult } from './readTactSource';

/** What a contract's ABI declares besides messages. */
export interface ContractAbi {
  contract?: string;
  methods: GetMethodSignature[];
  /** The contract's own exit codes. */
  errors: ReadonlyMap<number, string>;
}

/** Whether a code is the TVM's or of Tact's runtime, which are explained elsewhere. */
function isReserved(code: number): boolean {
  return (
    explainExitCode(code, 'compute', { standards: ['Tact'] }) !== undefined ||
    explainExitCode(code, 'action') !== undefined
  );
}

const format = z.union([z.string(), z.number()]);
const typeRow = z.looseObject({
  kind: z.string(),
  type: z.string().optional(),
  optional: z.boolean().nullish(),
  format: format.nullish(),
  key: z.string().optional(),
  keyFormat: format.nullish(),
  value: z.string().optional(),
  valueFormat: format.nullish(),
});
const field = z.looseObject({ name: z.string(), type: typeRow });

const tactAbi = z.looseObject({
  name: z.string().nullish(),
  types: z
    .array(z.looseObject({ name: z.string(), header: z.number().nullish(), fields: z.array(field) }))
    .nullish(),
  getters: z.array(
    z.looseObject({
      name: z.string(),
      methodId: z.number().nullish(),
      arguments: z.array(field).nullish(),
      returnType: typeRow.nullish(),
    }),
  ),
  errors: z.record(z.string(), z.looseObject({ message: z.string() })).nullish(),
});

/**
 * Reads the .abi file (or the `abi` text of a .pkg file) that the Tact compiler writes.
 * @throws WorkbenchError `abi-unreadable`
 */
export function readTactAbi(text: string): ContractAbi {
  const { name, types, getters, errors } = readAbi('Tact ABI', tactAbi, text);
  const declarations = new Map(
    (types ?? []).map((row): [string, TypeDeclaration] => [
      row.name,
      {
        parameters: [],
        type: {
          kind: 'struct',
          name: row.name,
          ...(row.header == null ? {} : { prefix: { value: BigInt(row.header), bits: 32 } }),
          fields: row.fields.map((one) => ({
            name: one.name,
            type: tactAbiType(one.type),
            stored: one.type,
          })),
        },
      },
    ]),
  );
  const resolver = new TypeResolver((wanted) => declarations.get(wanted));
  return {
    ...(name == null ? {} : { contract: name }),
    methods: getters.slice(0, limits.sourceMethods.most).map((getter): GetMethodSignature => ({
      name: getter.name,
      ...(getter.methodId == null ? {} : { methodId: getter.methodId }),
      parameters: (getter.arguments ?? []).map((one) => ({
        name: one.name,
        type: tactArgument(resolver.resolve(tactAbiType(one.type))),
      })),
      result:
        getter.returnType == null ? voidType : tactResult(resolver.resolve(tactAbiType(getter.returnType))),
      origin: 'compiler ABI',
      ...(name == null ? {} : { contract: name }),
    })),
    // The compiler also lists the codes of the TVM and of its own runtime, in its own words.
    errors: new Map(
      Object.entries(errors ?? {}).flatMap(([code, { message }]): [number, string][] =>
        isReserved(Number(code)) ? [] : [[Number(code), message]],
      ),
    ),
  };
}
