import type * as z from 'zod';
import type { Exact } from '../../api/openObject';
import type { v3Endpoints } from '../../access/v3/v3Endpoints';

export type V3Name = keyof typeof v3Endpoints;

/** An indexed API answer before it is written as JSON: a wrong field name does not compile. */
export type V3Answer<Name extends V3Name> = Exact<z.output<(typeof v3Endpoints)[Name]['result']>>;
