import path from 'node:path';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { ExploredScenario } from '../toolkit/workflows/exploreSheet';
import { readDumpFile } from './localnet';
import { addJsonOptions } from './networkHere';
import { openAccess } from './networkOptions';
import { usageError, writeJsonLine, writeNote, writeText } from './output';
import { stopSignal } from './runTests';
import { pathHere, surroundings } from './surroundings';

interface ExploreOptions {
  json?: true;
  orders: number;
  seconds: number;
  order?: string;
  keep?: string;
  html?: string;
  accept?: number[];
  load?: string;
}

/** `explore SHEET`: runs concurrent messages of a call sheet in every order that the chain permits. */
export function registerExploreCommand(program: Command): void {
  const command = program
    .command('explore')
    .summary('run concurrent messages in every order of their deliveries')
    .description(
      'Runs the messages of each @concurrent scenario of a call sheet in every order of deliveries that the chain ' +
        'permits, bounces included, on a local network of its own. Ends at the first order that breaks an expectation, ' +
        'ends with an exit code that the source does not name, or loses coins.\n\n' +
        'Messages from one account to another arrive as they were sent, all others in any order. Time does not pass. ' +
        'Equal states are continued once. Scenarios above run first, except those with @restore.',
    )
    .argument('<sheet>', 'a *.toncall file')
    .option('--orders <number>', 'maximum orders that are run', parseMost, 100_000)
    .option('--seconds <number>', 'maximum seconds', parseMost, 60)
    .option('--order <order>', 'run only this order, such as 2.1.3')
    .option('--keep <file>', 'write a sheet that repeats the order that was found, beside the sheet')
    .option('--html <file>', 'write that order as a page with a sequence picture, which opens anywhere')
    .option('--accept <codes>', 'exit codes that are as good as named, such as 401,402', parseCodes)
    .option('--load <file>', 'start with a state that control/dump wrote');
  addJsonOptions(
    command,
    'print each scenario as one JSON line',
    async () => (await import('./exploreAnswer')).exploreAnswerSchema,
  );
  command.action(explore);
}

async function explore(file: string, options: ExploreOptions): Promise<void> {
  checkKeep(file, options.keep);
  const [{ exploreSheet }, { parseCallSheet }, { SheetProject }, knowledge, { namedOnLocal }] =
    await Promise.all([
      import('../toolkit/workflows/exploreSheet'),
      import('../toolkit/callSheet/parseCallSheet'),
      import('./sheetProject'),
      import('./sheetKnowledge'),
      import('./reachedAccountNames'),
    ]);
  const [text, load, print] = await Promise.all([
    knowledge.readSheet(file),
    options.load === undefined ? undefined : readDumpFile(options.load),
    printer(file, options),
  ]);
  const signal = stopSignal();
  let [found, followed]: (ExploredScenario | undefined)[] = [];
  try {
    const explored = await exploreSheet(parseCallSheet(text), {
      ...knowledge.sheetKnowledge(file, new SheetProject(file, []), signal),
      open: async (network) => {
        const { accounts, wallets } = await namedOnLocal(network);
        return { access: await openAccess(network, {}), accounts, wallets };
      },
      bounds: { orders: options.orders, seconds: options.seconds },
      clock: surroundings().clock,
      ...{ load, order: options.order, accepted: new Set(options.accept ?? []), onScenario: print },
    });
    found = explored.find(({ fault }) => fault !== undefined);
    followed = explored.find(({ trace }) => trace !== undefined);
  } catch (error) {
    throw knowledge.withPlace(error, file, text);
  }
  await (found === undefined ? undefined : keepOrder(found, text, options));
  await writePicture(found ?? followed, file, options);
  if (found !== undefined) {
    throw (await import('./exploreText')).faultError(found, file);
  }
}

async function printer(
  file: string,
  { json }: ExploreOptions,
): Promise<(scenario: ExploredScenario) => void> {
  if (json === true) {
    const { exploreAnswer } = await import('./exploreAnswer');
    return (scenario) => writeJsonLine(exploreAnswer(scenario));
  }
  const { exploreText } = await import('./exploreText');
  return (scenario) => writeText(exploreText(scenario, file));
}

/** Writes the sheet with the order that was found at its `@concurrent` line. */
async function keepOrder(found: ExploredScenario, text: string, { keep }: ExploreOptions): Promise<void> {
  if (keep === undefined) {
    return;
  }
  const [{ writeWholeFile }, { sheetOfOrder }] = await Promise.all([
    import('./writeWholeFile'),
    import('../toolkit/workflows/exploredWords'),
  ]);
  await writeWholeFile('sheet', keep, sheetOfOrder(text, found));
  writeNote(`${keep} repeats this order: ton-workbench explore ${keep}`);
}

/** The order as the page of a trace; without one, there is nothing to draw. */
async function writePicture(
  scenario: ExploredScenario | undefined,
  file: string,
  { html }: ExploreOptions,
): Promise<void> {
  if (html === undefined) {
    return;
  }
  const [{ orderContext }, { tracePageFile }, { writeWholeFile }, { printOrder }] = await Promise.all([
    import('../toolkit/workflows/exploredWords'),
    import('../toolkit/trace/page/standalonePage'),
    import('./writeWholeFile'),
    import('../toolkit/explore/printOrder'),
  ]);
  if (scenario?.trace === undefined) {
    writeNote(`No order breaks anything, so ${html} is not written.`);
    return;
  }
  const title = `${file}, order ${printOrder(scenario.order.map(({ number }) => number))}`;
  const context = orderContext(scenario, scenario.trace.context, file);
  const page = await tracePageFile(context, title, { kind: 'test', picture: 'sequence' });
  await writeWholeFile('page', html, page);
  writeNote(`The page is in ${html}.`);
}

/** The files that a sheet names are beside it. */
function checkKeep(file: string, keep: string | undefined): void {
  if (keep !== undefined && path.dirname(pathHere(keep)) !== path.dirname(pathHere(file))) {
    throw usageError(
      `--keep ${JSON.stringify(keep)} is in another folder than the sheet, which names its files from its own.`,
      'Give a file beside the sheet.',
    );
  }
}

/** A bound of work. */
export function parseMost(text: string): number {
  if (!/^\s*\d{1,9}$/.test(text) || Number(text) < 1) {
    throw new InvalidArgumentError('This is a whole number from 1.');
  }
  return Number(text);
}

/** Exit codes, separated by commas. */
export function parseCodes(text: string): number[] {
  if (!/^\s*-?\d{1,10}(?:,-?\d{1,10})*$/.test(text)) {
    throw new InvalidArgumentError('Give exit codes, such as 401,402.');
  }
  return text.split(',').map(Number);
}
