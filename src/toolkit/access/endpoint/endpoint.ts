import type * as z from 'zod';
import type { Parameter, ParameterTable } from './parameter';

export type Layer = 'v2' | 'v3';
export type Method = 'GET' | 'POST';

/**
 * One row of an endpoint table. Clients, CLI, prompts, documents, and the local server are derived from these rows.
 */
export interface Endpoint<
  Parameters extends ParameterTable = ParameterTable,
  Result extends z.ZodType = z.ZodType,
> {
  readonly layer: Layer;
  /** The first one is used unless the query would be too long for it. */
  readonly methods: readonly [Method, ...Method[]];
  /** As in the published description, without `/api/v2` or `/api/v3`. */
  readonly path: string;
  readonly category: string;
  /** One sentence for people. */
  readonly purpose: string;
  readonly parameters: Parameters;
  /** Schema of the answer (v3) or of its `result` (v2). */
  readonly result: Result;
  /** Sends something to the chain, or may: see decodeAnswer.ts. */
  readonly changesChain?: boolean | undefined;
  /** The service has it, but its published description does not. */
  readonly isUndescribed?: boolean | undefined;
}

type Row<Parameters extends ParameterTable, Result extends z.ZodType> = Omit<
  Endpoint<Parameters, Result>,
  'layer' | 'methods'
>;

/** A v2 method read by GET; the C++ service also accepts POST. */
export function v2Read<Parameters extends ParameterTable, Result extends z.ZodType>(
  row: Row<Parameters, Result>,
): Endpoint<Parameters, Result> {
  return { layer: 'v2', methods: ['GET', 'POST'], ...row };
}

/** A v2 method that takes POST only. */
export function v2Post<Parameters extends ParameterTable, Result extends z.ZodType>(
  row: Row<Parameters, Result>,
): Endpoint<Parameters, Result> {
  return { layer: 'v2', methods: ['POST'], ...row };
}

/** A v3 endpoint that takes GET only. */
export function v3Get<Parameters extends ParameterTable, Result extends z.ZodType>(
  row: Row<Parameters, Result>,
): Endpoint<Parameters, Result> {
  return { layer: 'v3', methods: ['GET'], ...row };
}

/** A v3 endpoint that takes POST only. */
export function v3Post<Parameters extends ParameterTable, Result extends z.ZodType>(
  row: Row<Parameters, Result>,
): Endpoint<Parameters, Result> {
  return { layer: 'v3', methods: ['POST'], ...row };
}

type InputOf<P> = P extends Parameter<infer Input> ? Input : never;
type RequiredNames<P extends ParameterTable> = {
  [Name in keyof P]: P[Name]['required'] extends true ? Name : never;
}[keyof P];

/** What a caller passes to an endpoint with these parameters. */
export type ParametersOf<P extends ParameterTable> = {
  [Name in RequiredNames<P>]: InputOf<P[Name]>;
} & {
  [Name in Exclude<keyof P, RequiredNames<P>>]?: InputOf<P[Name]> | undefined;
};
