import * as z from 'zod';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import type {
  NetworkParameter,
  NetworkParameters,
  ParameterDifference,
} from '../toolkit/cell/structures/networkParameters';
import { fieldToJson, structureFieldSchema } from '../toolkit/cell/structures/structureJson';

const seqno = jsonFacts.seqno.nullable().describe('Null: the newest block.');

const parameterShape = {
  id: z.int(),
  title: z.string().nullable().describe('Null: block.tlb does not describe this parameter.'),
  meaning: z.string().nullable(),
};

const configSchema = z
  .strictObject({
    network: z.string(),
    seqno,
    isWhole: z.boolean().describe('Whether every bit of the known parameters fits.'),
    parameters: z.array(z.strictObject({ ...parameterShape, content: structureFieldSchema })),
  })
  .meta({ title: 'A configuration' });

const differenceSchema = z
  .strictObject({
    network: z.string(),
    seqno,
    against: z.strictObject({ network: z.string(), seqno }),
    equal: z.boolean(),
    differences: z.array(
      z.strictObject({
        ...parameterShape,
        change: z.enum(['added', 'removed', 'changed']),
        fields: z.array(
          z.strictObject({
            path: z.string().describe('The names of the fields on the way: `other.gas_price`.'),
            left: z.string().nullable().describe('As text for people; null: not there.'),
            right: z.string().nullable(),
          }),
        ),
      }),
    ),
  })
  .meta({ title: 'With --against' });

/** The schema of what `config --json` prints. */
export const configAnswerSchema = z.union([configSchema, differenceSchema]);

/** A configuration and where it is from. */
type Source = NetworkParameters & { network: { name: string }; seqno: number | undefined };

/** Parameters of a configuration. */
export function configAnswer(
  { read, network, seqno: block }: Source,
  shown: readonly NetworkParameter[],
): z.infer<typeof configSchema> {
  return {
    network: network.name,
    seqno: block ?? null,
    isWhole: read.problems.length === 0,
    parameters: shown.map((one) => ({ ...facts(one), content: fieldToJson(read, one.field) })),
  };
}

/** How two configurations differ. */
export function configDifferenceAnswer(
  left: Source,
  right: Source,
  differences: readonly ParameterDifference[],
): z.infer<typeof differenceSchema> {
  return {
    network: left.network.name,
    seqno: left.seqno ?? null,
    against: { network: right.network.name, seqno: right.seqno ?? null },
    equal: differences.length === 0,
    differences: differences.map((one) => ({
      ...facts(one),
      change: one.change,
      fields: one.fields.map((field) => ({
        path: field.path,
        left: field.left ?? null,
        right: field.right ?? null,
      })),
    })),
  };
}

function facts({ id, known }: Pick<NetworkParameter, 'id' | 'known'>): {
  id: number;
  title: string | null;
  meaning: string | null;
} {
  return { id, title: known?.title ?? null, meaning: known?.meaning ?? null };
}
