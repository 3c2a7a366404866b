import * as z from 'zod';
import { WorkbenchError } from '../base/errors';
import { resultSchema, resultToJson } from '../getMethods/resultToJson';
import { jsonFacts } from '../base/jsonFacts';
import { bodySchema, bodyToJson } from '../contracts/opcodes/bodyToJson';
import type { ContractFacts } from './contractFacts';

const answered = resultSchema.pick({
  exitCode: true,
  exitMeaning: true,
  gasUsed: true,
  stack: true,
  typed: true,
  printed: true,
});

/** The schema of what the project knows of an account's contract. */
export const contractSchema = z.strictObject({
  source: z
    .strictObject({
      name: z.string(),
      origin: z.string().nullable(),
      file: z.string().nullable(),
      chosen: z.boolean(),
    })
    .nullable()
    .describe('Null if no source or ABI here describes it.'),
  storage: bodySchema.nullable(),
  getMethods: z
    .array(
      z.union([
        z.strictObject({ name: z.string(), ...answered.shape }),
        z.strictObject({ name: z.string(), error: jsonFacts.error }),
      ]),
    )
    .describe('The answers of the get-methods that take no arguments.'),
});

/** A contract as JSON for programs. */
export function contractJson(facts: ContractFacts | undefined): z.infer<typeof contractSchema> {
  if (facts === undefined) {
    return { source: null, storage: null, getMethods: [] };
  }
  const { description, storage, getters } = facts;
  return {
    source:
      description.name === undefined
        ? null
        : {
            name: description.name,
            origin: description.nameOrigin ?? null,
            file: description.file ?? null,
            chosen: description.isChosen === true,
          },
    storage: storage === undefined ? null : bodyToJson(storage),
    getMethods: getters.map(({ signature: { name, ...signature }, answer }) => {
      if (WorkbenchError.is(answer)) {
        return { name, error: { code: answer.code, message: answer.message } };
      }
      const {
        address: _address,
        method: _method,
        network: _network,
        api: _api,
        ...told
      } = resultToJson(answer, { name, ...signature });
      return { name, ...told };
    }),
  };
}
