import type { Command } from 'commander';
import type { Access } from '../toolkit/access/createAccess';
import type { ContractFacts } from '../toolkit/accountReport/contractFacts';
import type { AccountReport } from '../toolkit/accountReport/readAccountReport';
import { WorkbenchError } from '../toolkit/base/errors';
import type { TraceModel } from '../toolkit/trace/traceModel';
import type { AccountForecast, ForecastOptions } from './accountForecast';
import {
  addForecastOptions,
  asksForecast,
  forecastHere,
  forecastLines,
  requireUnfrozen,
} from './accountForecast';
import { reachedAccountNames, traceReader } from './reachedAccountNames';
import type { NetworkOptions } from './networkOptions';
import type { Words } from './printRehearsal';
import { addNetworkOptions, openAccess } from './networkOptions';
import { addJsonOptions, networkHere, takesLinks } from './networkHere';
import { writeJsonLine, writeText } from './output';
import { stopSignal } from './runTests';
import { surroundings } from './surroundings';

interface AccountOptions extends NetworkOptions, ForecastOptions {
  json?: true;
  limit: string;
}

/** `account ADDRESS|NAME|DOMAIN|LINK`: state, balance, wallet, jettons, get-methods and the newest traces. */
export function registerAccountCommand(program: Command): void {
  const command = program
    .command('account')
    .summary('show an account: state, balance, interfaces, newest traces')
    .description(
      'Shows what an account is and has: its state and balance, its wallet type, its jettons, the interfaces and ' +
        'get-methods of its code, and its newest traces (API v3).',
    )
    .argument(
      '<account>',
      'an address in any form, a name on the local network, a TON DNS domain, or an explorer link',
    )
    .option('--limit <count>', 'how many traces, newest first; 0 for none', '5');
  addForecastOptions(command);
  addJsonOptions(
    command,
    'print the account as one JSON line',
    async () => (await import('./accountAnswer')).accountAnswerSchema,
  );
  takesLinks(addNetworkOptions(command)).action(async (text: string, options: AccountOptions) => {
    await account(text, options);
  });
}

async function account(text: string, options: AccountOptions): Promise<void> {
  const limit = limitOf(options);
  const [{ findAccount }, { readAccountReport }] = await Promise.all([
    import('../toolkit/accounts/findAccount'),
    import('../toolkit/accountReport/readAccountReport'),
  ]);
  const { network } = networkHere(options.network);
  const signal = stopSignal();
  const access = await openAccess(network, options);
  const accounts = await reachedAccountNames(access);
  const raw = await findAccount(access, text, accounts, signal);
  const call = { signal, priority: 'user' } as const;
  const [facts, models] = await Promise.all([
    readAccountReport(access, raw, call),
    newestTraces(access, raw, limit, signal),
  ]);
  const words = await traceReader(access, { wholeAddresses: options.json === true, signal });
  const [{ namesByAddress }, { knownMethodName }] = await Promise.all([
    import('../toolkit/accounts/findAccount'),
    import('../toolkit/getMethods/knownMethodName'),
  ]);
  const names = namesByAddress(accounts);
  const forecast = asksForecast(options)
    ? await forecastHere(access, raw, options, { words, signal })
    : undefined;
  const contract = await contractHere(access, facts, signal);
  const { methodNames } = await import('../toolkit/contracts/abi/methodNamed');
  const ownMethods = contract === undefined ? undefined : methodNames(contract.description);
  const methodName = (id: number): string | undefined => ownMethods?.get(id) ?? knownMethodName(id);
  if (options.json === true) {
    const { accountAnswer } = await import('./accountAnswer');
    const traces = [];
    for (const model of models) {
      traces.push(await words(model));
    }
    writeJsonLine(accountAnswer(facts, contract, { name: names.get(raw), methodName, traces, forecast }));
  } else {
    await printAccount(facts, { contract, methodName, names, models, words, forecast });
  }
  if (forecast !== undefined && options.unfrozenFor !== undefined) {
    requireUnfrozen(forecast, options.unfrozenFor, names.get(raw) ?? facts.friendly);
  }
}

/** What is known of an account, besides its facts. */
interface AccountParts {
  contract: ContractFacts | undefined;
  methodName: (id: number) => string | undefined;
  /** By raw address. */
  names: ReadonlyMap<string, string>;
  /** The newest traces. */
  models: readonly TraceModel[];
  words: Words;
  forecast: AccountForecast | undefined;
}

async function printAccount(
  facts: AccountReport,
  { contract, methodName, names, models, words, forecast }: AccountParts,
): Promise<void> {
  const [{ accountText }, { contractText, traceLines }] = await Promise.all([
    import('../toolkit/accountReport/accountText'),
    import('../toolkit/accountReport/contractFacts'),
  ]);
  const report = accountText(facts, {
    name: (address) => names.get(address),
    methodName,
    coin: 'TON',
    contract:
      contract === undefined
        ? undefined
        : contractText(contract, {
            ...{ name: (address) => names.get(address), coin: 'TON' },
            jetton: facts.ownJetton?.unit,
          }),
    sections: forecast && { storageFees: await forecastLines(forecast, 'TON') },
    isBrief: true,
  });
  writeText(report.text.trimEnd());
  if (models.length > 0) {
    writeText('\nnewest traces');
  }
  for (const model of models) {
    writeText(traceLines([await words(model)]).join('\n'));
  }
}

/** The project's description of a contract, and the answers of its get-methods. */
async function contractHere(
  access: Access,
  facts: AccountReport,
  signal: AbortSignal,
): Promise<ContractFacts | undefined> {
  const [{ describeHere }, { projectAround }, { projectLayouts }, { readContractFacts }] = await Promise.all([
    import('./describeHere'),
    import('./projectWith'),
    import('../toolkit/contracts/layouts/projectLayouts'),
    import('../toolkit/accountReport/contractFacts'),
  ]);
  const description = await describeHere(access)(facts.raw).catch(() => undefined);
  if (description === undefined) {
    return undefined;
  }
  const layouts = await projectLayouts(await projectAround(surroundings().folder));
  return readContractFacts(access, facts, description, layouts, { signal, priority: 'user' });
}

/** A network without v3 has none; an account without traces is not an error. */
async function newestTraces(
  access: Access,
  raw: string,
  limit: number,
  signal: AbortSignal,
): Promise<TraceModel[]> {
  if (access.network.v3 === undefined || limit === 0) {
    return [];
  }
  const [{ newestTraces: ask }, { traceSourceOf }] = await Promise.all([
    import('../toolkit/trace/findTrace'),
    import('../toolkit/access/traceSourceOf'),
  ]);
  return ask(traceSourceOf(access), raw, { limit, signal });
}

function limitOf({ limit }: AccountOptions): number {
  const count = Number(limit);
  if (/^\d+$/.test(limit.trim()) && count <= 1000) {
    return count;
  }
  throw new WorkbenchError({
    code: 'usage',
    kind: 'input',
    message: `--limit ${JSON.stringify(limit)} is not a number from 0 to 1000.`,
  });
}
