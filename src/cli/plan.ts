import type { Command } from 'commander';
import { WorkbenchError } from '../toolkit/base/errors';
import { addNetworkOptions } from './networkOptions';
import { addJsonOptions } from './networkHere';
import type { PlanOptions } from './planHere';
import { addSigningOptions } from './signingOptions';
import { surroundings } from './surroundings';

/** `plan FILE.toncall`: draws what the user's own wallet would sign, and with `--sign` carries it out. */
export function registerPlanCommand(program: Command): void {
  const command = program
    .command('plan')
    .summary('deploy and send with your own wallet, step by step')
    .description(
      'Carries a call sheet out on a network where your own wallet signs: one confirmation for each deploy and send, each ' +
        'waited for until its trace is complete, up to the first failure.\n\n' +
        'Without --sign, shows each message and how far it is, and hands nothing over. However often it is stopped and ' +
        'run again, each message leaves once: it goes on where it was, and asks the chain first. In CI, only --sign ' +
        'boc=FILE works, with one signed message on each line.',
    )
    .argument('<sheet>', 'a *.toncall file')
    .option('--from <address>', 'the address of your wallet, which the sheet calls wallet')
    .option('--again', 'begin anew: send all of it once more')
    .option('--retry', 'send again what was sent and failed')
    .option('--yes', 'hand over on the main network')
    .option('--anyway', 'hand over even what would fail')
    .option('--junit <file>', 'write the results as JUnit XML');
  addJsonOptions(
    command,
    'print the plan, and each step, as one JSON line',
    async () => (await import('./planAnswer')).planLineSchema,
  );
  addSigningOptions(addNetworkOptions(command), { isOne: false }).action(
    async (file: string, options: PlanOptions & { junit?: string }) => {
      requireNoCi(options);
      const { runSheetFiles } = await import('./runSheetFiles');
      const isNetworkGiven = command.getOptionValueSource('network') === 'cli';
      await runSheetFiles([file], { ...options, isNetworkGiven, plan: options });
    },
  );
}

/** Nobody confirms anything in CI, so only messages that come signed may leave there. */
function requireNoCi({ sign }: PlanOptions): void {
  const { CI: ci = '' } = surroundings().environment;
  if (sign !== undefined && sign.kind !== 'boc' && !['', '0', 'false'].includes(ci)) {
    throw new WorkbenchError({
      code: 'signing-way-missing',
      kind: 'input',
      message: 'Nothing was handed over: this is CI, where nobody confirms a message in a wallet.',
      hint: 'Give messages that are signed already: --sign boc=FILE, one on each line. Without --sign, plan only draws.',
    });
  }
}
