import type * as z from 'zod';
import type { v2AccountAddress, v2BlockIdExt, v2ExtraCurrency, v2TransactionId } from '../../api/v2Objects';
import type { Exact } from '../../api/openObject';
import type { v2Endpoints } from '../../access/v2/v2Endpoints';

export type V2Name = keyof typeof v2Endpoints;

/** The `result` of a non-indexed API method before it is written as JSON: a wrong field name does not compile. */
export type V2Answer<Name extends V2Name> = Exact<z.output<(typeof v2Endpoints)[Name]['result']>>;

export type TypedBlockId = Typed<typeof v2BlockIdExt>;
export type TypedTransactionId = Typed<typeof v2TransactionId>;
export type TypedExtraCurrency = Typed<typeof v2ExtraCurrency>;
export type TypedAccountAddress = Typed<typeof v2AccountAddress>;

/** With its `@type`, which only some services omit. */
type Typed<Schema extends z.ZodType> = Exact<z.output<Schema>> & { '@type': string };
