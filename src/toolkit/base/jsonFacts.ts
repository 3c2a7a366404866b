import * as z from 'zod';

/**
 * The facts that answers for programs tell, each with its one type: whoever tells a hash or gas takes it from here. The
 * schemas that `--json-schema` prints name them.
 */
export const jsonFacts = {
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ id: 'Hash', description: 'Lowercase hex.' }),
  account: z
    .string()
    .regex(/^-?\d+:[0-9a-f]{64}$/)
    .meta({ id: 'Account', description: 'A raw address, `workchain:hex`, lowercase.' }),
  nanocoins: z
    .string()
    .regex(/^-?\d+$/)
    .meta({ id: 'Nanocoins', description: 'An amount of coins in nanocoins, as decimal text.' }),
  units: z
    .string()
    .regex(/^-?\d+$/)
    .meta({
      id: 'Units',
      description: 'An amount of jettons or extra currencies in their smallest unit, as decimal text.',
    }),
  paymentAmount: z.string().meta({
    id: 'PaymentAmount',
    description:
      'In units of the asset, `1.5`, as payment services write it; `rawAmount` is the same in its smallest unit.',
  }),
  gas: z.int().nonnegative().meta({ id: 'Gas' }),
  exitCode: z
    .int()
    .nullable()
    .meta({ id: 'ExitCode', description: 'Null: no code ran, or the service does not say.' }),
  logicalTime: z.string().regex(/^\d+$/).meta({ id: 'LogicalTime', description: 'Decimal text.' }),
  seqno: z.int().nonnegative().meta({ id: 'Seqno', description: 'Of a masterchain block.' }),
  unixTime: z.int().nonnegative().meta({ id: 'UnixTime', description: 'Seconds since 1970.' }),
  isoTime: z.iso.datetime({ offset: true }).meta({ id: 'IsoTime', description: 'ISO 8601.' }),
  milliseconds: z.number().nonnegative().meta({ id: 'Milliseconds' }),
  httpStatus: z
    .int()
    .nullable()
    .meta({ id: 'HttpStatus', description: 'Null: there was no complete answer.' }),
  boc: z.base64().meta({ id: 'BagOfCells', description: 'In base64.' }),
  leftOut: z
    .strictObject({ leftOut: z.int() })
    .meta({ title: 'How many lines were left out: the reader was too slow' }),
  error: z
    .strictObject({ code: z.string(), message: z.string() })
    .meta({ id: 'Error', description: 'As the last line on stderr tells one.' }),
} as const;
