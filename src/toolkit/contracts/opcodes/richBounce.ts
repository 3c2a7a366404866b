import type { Cell } from '@ton/core';
import { explainExitCode } from '../exitCodes';
import { readDictionary } from '../../cell/tokenContent';
import { WorkBudget } from '../../base/limits';
import type { BodyValue, DecodedBody } from './decodedBody';

/** The first 32 bits of a bounced body in the format that a sender asks for with the extra flags 1 or 3 (TEP-503). */
export const richBounceTag = 0xfffffffe;

/** What a bounced body in the format of TEP-503 holds. */
export interface RichBounce {
  /** The body that was sent; only its root cell, unless the sender asked for all of it. */
  original: Cell;
  /** What happened, as named fields. */
  fields: DecodedBody['fields'];
}

/**
 * Reads a bounced body in the format of TEP-503; undefined for any other body.
 *
 * `new_bounce_body#fffffffe original_body:^Cell original_info:^[value:CurrencyCollection created_lt:uint64
 * created_at:uint32] bounced_by_phase:uint8 exit_code:int32 compute_phase:(Maybe [gas_used:uint32 vm_steps:uint32])`
 */
export function readRichBounce(body: Cell): RichBounce | undefined {
  const slice = body.isExotic ? undefined : body.beginParse();
  if (slice === undefined || slice.remainingBits < 32 || slice.loadUint(32) !== richBounceTag) {
    return undefined;
  }
  try {
    const original = slice.loadRef();
    const info = slice.loadRef().beginParse();
    const value = info.loadCoins();
    const others = info.loadMaybeRef();
    const createdLt = info.loadUintBig(64);
    const createdAt = info.loadUintBig(32);
    const phase = slice.loadUint(8);
    const exitCode = slice.loadInt(32);
    const used = slice.loadBit()
      ? { gas_used: slice.loadUintBig(32), vm_steps: slice.loadUintBig(32) }
      : undefined;
    return {
      original,
      fields: [
        { name: 'original_value', value: { type: 'coins', value } },
        ...(others === null ? [] : [{ name: 'original_extra_currencies', value: currencies(others) }]),
        integer('original_created_lt', createdLt),
        integer('original_created_at', createdAt),
        integer('bounced_by_phase', phase, phases[phase]),
        integer('exit_code', exitCode, exitWords(phase, exitCode)),
        ...Object.entries(used ?? {}).map(([name, figure]) => integer(name, figure)),
      ],
    };
  } catch {
    return undefined;
  }
}

const phases: Readonly<Record<number, string>> = {
  0: 'the code was not run',
  1: 'compute phase',
  2: 'action phase',
};

/** Instead of an exit code, TEP-503 has the reason why the compute phase was skipped. */
const skips: Readonly<Record<number, string>> = {
  [-1]: 'no contract there',
  [-2]: 'state init does not match',
  [-3]: 'no gas',
  [-4]: 'account suspended',
};

/** What the TVM or the network means by it; what a contract means, only its source says. */
function exitWords(phase: number, code: number): string | undefined {
  return phase === 0 ? skips[code] : explainExitCode(code, phase === 2 ? 'action' : 'compute')?.name;
}

function integer(name: string, value: bigint | number, words?: string): DecodedBody['fields'][number] {
  return { name, value: { type: 'int', value: BigInt(value), ...(words !== undefined && { words }) } };
}

/** Amounts of extra currencies by their ids (block.tlb: ExtraCurrencyCollection), in their smallest units. */
function currencies(dictionary: Cell): BodyValue {
  const entries: Extract<BodyValue, { type: 'map' }>['entries'] = [];
  readDictionary(dictionary, 32, new WorkBudget('decodedFields', { kind: 'failed' }), (id, amount) =>
    entries.push({
      key: { type: 'int', value: id },
      value: { type: 'int', value: amount.loadVarUintBig(5) },
    }),
  );
  return { type: 'map', entries };
}
