import { limits } from '../base/limits';
import { visibleText } from '../base/text';

/** An integer, or why the text is not one: a clause, and what to write instead. */
export type IntegerReading = { value: bigint } | { problem: string; suggestion?: string };

/** Whether the text starts like a number: then errors are about a number. */
export function looksLikeNumber(text: string): boolean {
  return /^[-+]?\.?\d/.test(text);
}

/**
 * Reads `42`, `-1`, `0x2a`, `1_000` and amounts such as `1.5ton` or `7nano`, which become nanocoins. The caller
 * checks ranges, see {@link rangeProblem}.
 */
export function readInteger(text: string): IntegerReading {
  if (text.length > limits.numberText.most) {
    return {
      problem: `a number can have at most ${limits.numberText.most.toLocaleString('en-US')} characters here`,
    };
  }
  const whole = /^([-+]?)(0x[0-9a-f]+(?:_[0-9a-f]+)*|\d+(?:_\d+)*)$/i.exec(text);
  if (whole !== null) {
    const magnitude = BigInt((whole[2] ?? '').replaceAll('_', ''));
    return { value: whole[1] === '-' ? -magnitude : magnitude };
  }
  const amount = /^([-+]?)(\d+(?:_\d+)*)(?:\.(\d+))?(ton|nano(?:ton|coins?)?)$/i.exec(text);
  if (amount === null) {
    return notANumber(text);
  }
  const [, sign, integral = '', fraction = '', unit = ''] = amount;
  const decimals = unit.toLowerCase() === 'ton' ? 9 : 0;
  if (fraction.length > decimals) {
    return decimals === 0
      ? { problem: 'nanocoins must be whole', suggestion: 'write a whole number of nanocoins' }
      : {
          problem: `an amount can have at most 9 decimals; this one has ${fraction.length}`,
          suggestion: `write ${sign}${integral}.${fraction.slice(0, 9)}ton`,
        };
  }
  const magnitude = BigInt(integral.replaceAll('_', '') + fraction.padEnd(decimals, '0'));
  return { value: sign === '-' ? -magnitude : magnitude };
}

function notANumber(text: string): IntegerReading {
  if (/^[-+]?\d*\.\d*$/.test(text)) {
    return {
      problem: 'numbers must be whole',
      suggestion: `for an amount in coins write ${text.replace(/^([-+]?)\./, '$10.').replace(/\.$/, '')}ton`,
    };
  }
  if (/^[-+]?0x/i.test(text)) {
    const wrong = /[^0-9a-f_]/i.exec(text.replace(/^[-+]?0x/i, ''))?.[0];
    return { problem: wrong === undefined ? 'digits are missing after 0x' : `“${wrong}” is not a hex digit` };
  }
  if (/^[-+]?\d*[a-f][0-9a-f]*$/i.test(text)) {
    const digits = text.replace(/^[-+]/, '');
    return {
      problem: `“${visibleText(text, 16)}” is not a decimal number`,
      suggestion: `write 0x${digits} if it is hex`,
    };
  }
  const unit = /^[-+]?[\d_.]+([a-z]+)$/i.exec(text)?.[1];
  return unit === undefined
    ? { problem: `“${visibleText(text, 16)}” is not a number` }
    : { problem: `“${visibleText(unit, 16)}” is not a unit`, suggestion: 'the units are ton and nano' };
}

/** Why `value` does not fit, or undefined if it does. `what` names the type, for example `u32`. */
export function rangeProblem(value: bigint, bits: number, signed: boolean, what: string): string | undefined {
  const minimum = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const maximum = (1n << BigInt(signed ? bits - 1 : bits)) - 1n;
  if (value >= minimum && value <= maximum) {
    return undefined;
  }
  const end = signed ? `-2^${bits - 1} to 2^${bits - 1}-1` : `0 to 2^${bits}-1`;
  const range = bits <= 32 ? `${minimum} to ${maximum}` : end;
  return `the number does not fit ${what}, which holds ${range}`;
}

/**
 * Reads an amount in coins without its unit, such as `1.5`, with at most nine decimals.
 *
 * @returns nanocoins; undefined if the text is not such an amount
 */
export function readCoins(text: string): bigint | undefined {
  const amount = text.trim();
  const reading = /^\d{1,12}(?:\.\d{1,9})?$/.test(amount) ? readInteger(`${amount}ton`) : undefined;
  return reading !== undefined && 'value' in reading ? reading.value : undefined;
}

/** As {@link readCoins}, with or without the unit: `1.5`, `1.5ton`, `1.5 TON`. */
export function readTonAmount(text: string): bigint | undefined {
  return readCoins(text.trim().replace(/ ?ton$/i, ''));
}
