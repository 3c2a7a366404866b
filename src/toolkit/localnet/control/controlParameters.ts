import { Cell } from '@ton/core';
import { WorkbenchError } from '../../base/errors';
import { ownValue } from '../../base/collections';
import { fitsCoins } from '../../base/numberWidths';
import { ApiError } from '../api/apiError';
import { parseAddress } from '../api/requestParameters';
import { latestTime } from '../chain/chainState';
import type { LocalChain } from '../chain/localChain';
import type { LocalDomains } from '../dns/localDomains';
import type { Faults } from '../faults/faults';
import type { Tokens } from '../tokens/tokenIndex';
import type { ControlApi, ControlName, NetworkTime } from './controlApi';
import type { LocalnetStatus } from './localnetStatus';
import type { RecordedRequest, RequestLog } from './requestLog';

/** Parameters of the control API; an invalid one is answered with 422 and its name. */
export class ControlParameters<Name extends string = string> {
  /** @param names raw addresses by account name */
  constructor(
    readonly values: Readonly<Record<string, unknown>>,
    private readonly names: ReadonlyMap<string, string>,
  ) {}

  /** Rejects parameters that a command does not have. */
  only(names: readonly string[]): void {
    const unknown = Object.keys(this.values).find((name) => !names.includes(name));
    if (unknown !== undefined) {
      refuse(
        JSON.stringify(unknown.slice(0, 40)),
        `is not a parameter of this command, which takes ${names.join(', ')}`,
      );
    }
  }

  optionalText(name: Name): string | undefined {
    const value = ownValue(this.values, name);
    return value === undefined || value === null
      ? undefined
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  }

  text(name: Name): string {
    return this.optionalText(name) ?? refuse(name, 'is missing');
  }

  /** An address in any form, or an account's name. */
  address(name: Name): string {
    return this.optionalAddress(name) ?? refuse(name, 'is missing');
  }

  optionalAddress(name: Name): string | undefined {
    const text = this.optionalText(name);
    if (text === undefined) {
      return undefined;
    }
    return (
      parseAddress(this.names.get(text) ?? text) ??
      refuse(name, 'is neither an address nor the name of an account')
    );
  }

  /** Nanocoins, as decimal text or a safe number. */
  optionalAmount(name: Name): bigint | undefined {
    const text = this.optionalText(name);
    if (text === undefined) {
      return undefined;
    }
    const amount = /^\d{1,1000}$/.test(text) ? BigInt(text) : refuse(name, 'is not an amount in nanocoins');
    return fitsCoins(amount) ? amount : refuse(name, 'does not fit in 120 bits, as amounts of coins must');
  }

  amount(name: Name): bigint {
    return this.optionalAmount(name) ?? refuse(name, 'is missing');
  }

  /** A whole number. */
  optionalNumber(name: Name, minimum: number, maximum: number): number | undefined {
    const value = this.#number(name);
    return value === undefined || (Number.isInteger(value) && value >= minimum && value <= maximum)
      ? value
      : refuse(name, `is not a whole number from ${minimum} to ${maximum}`);
  }

  /** Seconds, with fractions. */
  optionalSeconds(name: Name, maximum: number): number | undefined {
    const value = this.#number(name);
    return value === undefined || (value >= 0 && value <= maximum)
      ? value
      : refuse(name, `is not a number from 0 to ${maximum}`);
  }

  /** NaN for text that is no number. */
  #number(name: Name): number | undefined {
    const text = this.optionalText(name);
    return text?.trim() === '' ? NaN : text === undefined ? undefined : Number(text);
  }

  optionalFlag(name: Name): boolean | undefined {
    const text = this.optionalText(name);
    return text === undefined ? undefined : text === 'true' || text === '1';
  }

  /** A BoC in base64 or hex. */
  optionalCell(name: Name): Cell | undefined {
    const text = this.optionalText(name);
    if (text === undefined) {
      return undefined;
    }
    try {
      const hex = /^(?:[0-9a-f]{2})+$/i.test(text);
      return Cell.fromBoc(Buffer.from(text, hex ? 'hex' : 'base64'))[0] ?? refuse(name, 'is empty');
    } catch {
      return refuse(name, 'is not a bag of cells');
    }
  }

  cell(name: Name): Cell {
    return this.optionalCell(name) ?? refuse(name, 'is missing');
  }
}

function refuse(name: string, why: string): never {
  throw new ApiError(422, `${name} ${why}`);
}

/** Who is told what happens, and what of it is final. */
interface Streams {
  readonly held: { hold: boolean; blocks: number };
  hold(isHeld: boolean): void;
  invalidate(hash: string): Promise<string>;
}

/** What commands act on. */
export interface ControlContext {
  chain: LocalChain;
  readonly tokens: Tokens;
  readonly domains: LocalDomains;
  status(): LocalnetStatus;
  faults: Faults;
  /** Called when they have changed. */
  onFaults(faults: Faults): void;
  readonly requests: RequestLog;
  readonly streams: Streams;
  replay(request: RecordedRequest): Promise<{ status: number; body: string }>;
}

/** A command's parameters as received, to be read by name. */
export type ControlParametersOf<Name extends ControlName> = ControlParameters<
  keyof ControlApi[Name]['parameters'] & string
>;

/** One command of the control API; `controlApi` says how it is called. */
export interface ControlCommand<Name extends ControlName> {
  /** Maximum bytes of a body, if above the usual limit. */
  bodyLimit?: number;
  /** The result is meant to be saved, so it is indented. */
  isFile?: true;
  run(
    context: ControlContext,
    parameters: ControlParametersOf<Name>,
  ): ControlApi[Name]['result'] | Promise<ControlApi[Name]['result']>;
}

export type ControlCommands = { readonly [Name in ControlName]: ControlCommand<Name> };

/** Beyond this, wallets reject messages dated by the machine's clock. */
const usualValidity = 60;

/**
 * Moves the network's clock: by `seconds`, to the exact time `at` (Unix seconds), or without either back to the
 * machine's time.
 * @throws WorkbenchError `localnet-time-out-of-range` (input) beyond 32 bits, and before the last block
 */
export function setTime(chain: LocalChain, parameters: ControlParametersOf<'time'>): NetworkTime {
  const seconds = parameters.optionalSeconds('seconds', latestTime);
  const at = parameters.optionalNumber('at', 0, Number.MAX_SAFE_INTEGER);
  const wall = chain.now() - chain.ahead;
  const wanted = Math.floor(at ?? (seconds === undefined ? wall : chain.now() + seconds));
  const { ledger } = chain;
  if (wanted > latestTime) {
    throw outOfRange(wanted, `The latest possible block time is ${latestTime} (32 bits).`);
  }
  if (wanted < ledger.lastUtime) {
    const earlier = ledger.blocks.findLast(({ genUtime }) => genUtime <= wanted);
    const way = earlier === undefined ? 'control/reset' : `control/restore to block ${earlier.seqno}`;
    throw outOfRange(
      wanted,
      `Block ${ledger.last.seqno} is at ${ledger.lastUtime}, and time never goes back. First ${way}.`,
    );
  }
  chain.configure({ timeOffset: wanted - wall });
  return networkTime(chain);
}

/** A network's time, and its consequences. */
export function networkTime(chain: LocalChain): NetworkTime {
  const { ahead } = chain;
  const note =
    ahead > usualValidity
      ? `Wallets refuse messages whose valid_until is based on this machine's clock, which is ${ahead} s behind ` +
        '(exit code 35, 36 or 136). Base it on the time of the last block, or move the clock back with control/time.'
      : undefined;
  return { now: chain.now(), ahead, ...(note === undefined ? {} : { note }) };
}

function outOfRange(wanted: number, hint: string): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-time-out-of-range',
    kind: 'input',
    message: `The network's clock cannot be set to ${wanted}. ${hint}`,
    hint,
    details: { wanted },
  });
}
