import * as z from 'zod';
import { accountJson, accountSchema } from '../toolkit/accountReport/accountJson';
import type { ContractFacts } from '../toolkit/accountReport/contractFacts';
import { contractJson, contractSchema } from '../toolkit/accountReport/contractJson';
import { storageForecastJson, storageForecastSchema } from '../toolkit/accountReport/storageForecastJson';
import type { AccountReport } from '../toolkit/accountReport/readAccountReport';
import type { AccountForecast } from './accountForecast';
import type { TraceContext } from '../toolkit/trace/traceContext';
import { traceSummary, traceSummarySchema } from '../toolkit/trace/traceSummary';

/** The schema of what `account --json` prints. */
export const accountAnswerSchema = z
  .strictObject({
    ...accountSchema.shape,
    ...contractSchema.shape,
    status: z.string().describe('The same as `state`.'),
    name: z.string().nullable().describe('On the local network.'),
    names: z.array(z.string()),
    traces: z.array(traceSummarySchema).describe('The newest first.'),
    forecast: storageForecastSchema
      .nullable()
      .describe('Storage fees. Null without --forecast, or if it does not exist.'),
  })
  .meta({ title: 'An account' });

/** What is known of an account, for programs. */
export function accountAnswer(
  facts: AccountReport,
  contract: ContractFacts | undefined,
  {
    name,
    methodName,
    traces,
    forecast,
  }: {
    name: string | undefined;
    methodName: (id: number) => string | undefined;
    traces: readonly TraceContext[];
    forecast: AccountForecast | undefined;
  },
): z.infer<typeof accountAnswerSchema> {
  return {
    ...accountJson(facts, methodName),
    ...contractJson(contract),
    status: facts.state,
    name: name ?? null,
    names: name === undefined ? [] : [name],
    traces: traces.map(traceSummary),
    forecast:
      forecast?.current === undefined
        ? null
        : storageForecastJson(forecast.current, forecast.after?.forecast),
  };
}
