import { WorkbenchError } from '../toolkit/errors';
import type { PreparedSend } from '../toolkit/send/preparedSend';
import { notRehearsedLine, rehearsalLine } from '../toolkit/send/rehearsalText';
import type { WalletEvent } from '../toolkit/tonConnect/testWallet';
import { unheardWords } from '../toolkit/tonConnect/stageWords';
import { dAppWords, requestWords } from '../toolkit/tonConnect/requestWords';

type Told = Exclude<WalletEvent, { type: 'sessions' }>;

/** An event of the wallet in the format described in output.ts. */
export function walletLine(event: Told): object {
  if (event.type === 'request') {
    const { number, method, params } = event.request;
    return {
      ...{ request: number, method, dApp: event.session.dApp, asks: requestWords(event.request), params },
      rehearsal: rehearsalJson(event.rehearsed),
    };
  }
  const { number, method, decision, isAnswered, isUnheard, result, error, hash } = event.answer;
  const unheard = isUnheard === true ? { heard: false, note: unheardWords } : {};
  const answered = { answered: isAnswered, ...unheard };
  return { answer: number, method, decision: decision ?? null, ...answered, result, error, hash };
}

/** An event of the wallet for people. */
export function walletText(event: Told, nameOf: (address: string) => string | undefined): string {
  if (event.type === 'request') {
    const { request, session, rehearsed } = event;
    const head = `${request.number}  ${dAppWords(session.dApp)} asks: ${requestWords(request, nameOf)}`;
    return rehearsed === undefined ? head : `${head}\n   ${rehearsedWords(rehearsed, nameOf)}`;
  }
  const { number, method, decision, isAnswered, isUnheard, error, hash } = event.answer;
  if (isUnheard === true) {
    return `${number}  not done yet${decision === undefined ? '' : ` (${decision})`}: ${unheardWords}`;
  }
  const done =
    error !== undefined
      ? `refused with code ${error.code}: ${error.message}`
      : `${method === 'disconnect' ? 'disconnected' : 'done'}${hash === undefined ? '' : `, message ${hash}`}`;
  const how = decision === undefined ? '' : ` (${decision})`;
  return `${number}  ${done}${how}${isAnswered ? '' : '; the dApp gets no answer'}`;
}

function rehearsedWords(
  rehearsed: PreparedSend | WorkbenchError,
  name: (address: string) => string | undefined,
): string {
  return WorkbenchError.is(rehearsed)
    ? notRehearsedLine(rehearsed.message)
    : rehearsalLine(rehearsed.rehearsal, { name });
}

function rehearsalJson(rehearsed: PreparedSend | WorkbenchError | undefined): object | null {
  if (rehearsed === undefined) {
    return null;
  }
  if (WorkbenchError.is(rehearsed)) {
    return { accepted: null, words: notRehearsedLine(rehearsed.message) };
  }
  const { accepted, complete, exitCode, fees, confidence } = rehearsed.rehearsal;
  return {
    ...{ accepted: accepted ?? null, complete, exitCode, fees: fees.toString(), confidence },
    words: rehearsalLine(rehearsed.rehearsal),
  };
}
