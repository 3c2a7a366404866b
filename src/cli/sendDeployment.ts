import type { Cell } from '@ton/core';
import { WorkbenchError } from '../toolkit/base/errors';
import { deploymentIn, notDeployedError } from '../toolkit/send/deploymentFate';
import type { DeploymentFate } from '../toolkit/send/deploymentFate';
import type { PreparedSend } from '../toolkit/send/preparedSend';
import type { Deployment } from '../toolkit/workflows/planDeployment';
import { networkHere } from './networkHere';
import type { SendCommandOptions } from './printRehearsal';

/** The options of `deploy` for the message that deploys. */
export interface DeployMessageOptions extends Omit<
  SendCommandOptions,
  'compose' | 'onResult' | 'deploys' | 'onRehearsed'
> {
  /** Coins. */
  value: string;
  from?: string;
  /** Its body; undefined for an empty one. */
  message?: string;
}

/**
 * Sends the message that deploys, as `send` does; nothing if the rehearsal foresees that there will be no contract.
 * @returns what went wrong, or would, if the contract itself refused the message, which deploys it all the same
 */
export async function sendDeployment(
  plan: Deployment,
  deploys: NonNullable<SendCommandOptions['deploys']>,
  options: DeployMessageOptions & Pick<SendCommandOptions, 'onResult'>,
): Promise<WorkbenchError | undefined> {
  const { runSend } = await import('./send');
  const { message, value, from } = options;
  const cell = (one: Cell): string => `cell ${one.toBoc().toString('base64')}`;
  const isLocal = options.sign === undefined && networkHere(options.network).network.kind === 'local';
  // The user's own wallet is not named in the line: its address only says with what to rehearse.
  const sender = from === undefined || !isLocal ? '' : ` from ${from}`;
  const start = `new ${value} code ${cell(plan.code)} data ${cell(plan.data)}${sender}`;
  const compose = message === undefined ? start : `${start} ${bodyClause(message)}`;
  let fate = 'unknown' as DeploymentFate;
  const absent = (): WorkbenchError =>
    notDeployedError(
      plan.name,
      plan.address,
      `Its code does not run on ${value}. Try --value 1ton, or add --anyway to send it.`,
    );
  const onRehearsed = ({ rehearsal }: PreparedSend): WorkbenchError | undefined => {
    fate = deploymentIn(rehearsal.trace, plan.address);
    return fate === 'absent' ? absent() : undefined;
  };
  let refusal: WorkbenchError | undefined;
  try {
    await runSend(undefined, { ...options, compose, deploys, onRehearsed });
  } catch (error) {
    if (!WorkbenchError.is(error, 'trace-failed') || (fate !== 'refused' && fate !== 'absent')) {
      throw inOption(error, { value, from, message, start });
    }
    refusal = error;
  }
  // Whether it is there after sending, the network says.
  if (fate === 'absent' && options.dryRun === true) {
    throw absent();
  }
  return refusal;
}

/** A message of the contract and a comment are clauses by themselves; anything else is a cell. */
function bodyClause(message: string): string {
  return /^\s*(?:[A-Za-z_][\w.]*\s*\{|(?:body|comment)\s)/.test(message) ? message : `body ${message}`;
}

/**
 * The user did not type the line that the options are inserted into, so its errors are reported for one of
 * the options.
 */
function inOption(
  error: unknown,
  {
    value,
    from,
    message,
    start,
  }: Pick<DeployMessageOptions, 'value' | 'from' | 'message'> & { start: string },
): unknown {
  if (!WorkbenchError.is(error, 'compose-line-invalid')) {
    return error;
  }
  const offset = Number(error.details['offset']);
  const option =
    offset <= `new ${value}`.length
      ? `--value ${JSON.stringify(value)}`
      : message !== undefined && offset > start.length
        ? `--message ${JSON.stringify(message)}`
        : `--from ${JSON.stringify(from)}`;
  return new WorkbenchError({
    code: 'argument-invalid',
    kind: 'input',
    message: `${option}: ${error.message}`,
    hint: error.hint,
    cause: error,
  });
}
