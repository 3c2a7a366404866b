import type { ComposeLineOptions } from '../../toolkit/compose/parseComposeLine';
import { bareName } from '../../toolkit/address/resolveAccount';
import { WorkbenchError } from '../../toolkit/errors';
import { accountSuggestions } from '../accounts/accountSuggestions';
import { knownAccounts } from '../accounts/knownAccounts';
import type { TraceServices } from '../traces/traceServices';
import { askText } from '../ui/askText';
import { back } from '../ui/back';
import type { Back } from '../ui/back';
import { pickOrType } from '../ui/pickOrType';
import type { Suggestion } from '../ui/pickOrType';

/** What the steps need. */
export interface ComposeAsking {
  /** Parses a whole line, or throws the reason. */
  read: (line: string) => unknown;
  options: ComposeLineOptions;
  /** Previously composed lines, newest first. */
  recent: readonly string[];
  /** Already known; can be changed by going back. */
  destination?: string | undefined;
  /** Already known, as a clause: `as Counter`; then it is not asked for. */
  sender?: string | undefined;
}

type Answer = string | Back | undefined;

const title = 'TON: Compose Message';

/** The parts of a line, in the order in which they are asked for. */
interface Parts {
  destination: string;
  amount: string;
  /** Body, state init and bounce, as clauses. */
  rest: string;
  sender: string;
}

/**
 * Asks for a message: destination, amount, body and sender, each validated as it is typed, with a way back; the first
 * box also takes the whole line.
 * @returns the line, undefined if the user canceled
 */
export async function askComposedLine(
  services: TraceServices,
  asking: ComposeAsking,
): Promise<string | undefined> {
  const { destination = '', sender = '' } = asking;
  const parts: Parts = { destination, amount: '', rest: '', sender };
  const ask: (() => Promise<Answer>)[] = [
    () => askDestination(services, asking, parts.destination),
    () => askAmount(asking, parts),
    () => askRest(asking, parts),
    () => askSender(services, asking, parts),
  ];
  const names = ['destination', 'amount', 'rest', 'sender'] as const;
  const last = stepsOf(asking);
  for (let step = destination === '' ? 0 : 1; step < last;) {
    const answer = await ask[step]!();
    if (answer === undefined) {
      return undefined;
    }
    if (answer === back) {
      step--;
      continue;
    }
    if (step === 0 && isLine(answer)) {
      return answer;
    }
    parts[names[step]!] = answer.trim();
    step++;
  }
  return lineOf(parts);
}

/** A known sender is not asked for. */
function stepsOf({ sender = '' }: ComposeAsking): number {
  return sender === '' ? 4 : 3;
}

function lineOf({ destination, amount, rest, sender }: Parts): string {
  return ['send', destination, amount, rest, sender].filter((part) => part !== '').join(' ');
}

/** More than a destination: a whole message. */
function isLine(text: string): boolean {
  return /^\s*(send\s|\S+\s+\S)/.test(text);
}

function askDestination(services: TraceServices, asking: ComposeAsking, value: string): Promise<Answer> {
  const suggestions: Suggestion[] = [
    ...accountSuggestions(knownAccounts(services)).map((account, index) => ({
      ...account,
      ...(index === 0 ? { group: 'accounts' } : {}),
    })),
    ...asking.recent.map((line, index) => ({
      value: line,
      label: line,
      icon: 'history',
      ...(index === 0 ? { group: 'recent messages' } : {}),
    })),
  ];
  return pickOrType({
    title,
    placeholder: 'Recipient, or a whole line: send bob 0.1ton comment "rent" from alice',
    step: 1,
    totalSteps: stepsOf(asking),
    ...(value === '' ? {} : { value }),
    suggestions,
    read: (text) => {
      const whole = isLine(text);
      const reason = problem(asking, whole ? text : deployable(`send ${text} 0`, text));
      return reason === undefined
        ? { ok: true, label: whole ? 'Compose this message' : text, description: whole ? text : '' }
        : { ok: false, reason };
    },
  });
}

/** `new` alone is fine: code and data are asked for later. */
function deployable(line: string, destination: string): string {
  return destination === 'new' ? `${line} code x{} data x{}` : line;
}

function askAmount(asking: ComposeAsking, parts: Parts): Promise<Answer> {
  return askText({
    title: `${title} to ${parts.destination}`,
    prompt: 'Amount: 0.1ton, or a number of nanocoins',
    placeholder: '0.1ton',
    step: 2,
    totalSteps: stepsOf(asking),
    value: parts.amount === '' ? '0.1ton' : parts.amount,
    validate: (text) =>
      problem(asking, deployable(`send ${parts.destination} ${text}`, parts.destination), text),
  });
}

function askRest(asking: ComposeAsking, parts: Parts): Promise<Answer> {
  const { destination, amount } = parts;
  return askText({
    title: `${title} of ${amount} to ${destination}`,
    prompt:
      'comment "text", or body b(u32 7, addr @bob). Add code cell te6cc… data b(…) to deploy, and bounce or no-bounce.',
    placeholder: 'Leave empty for no body',
    step: 3,
    totalSteps: stepsOf(asking),
    value: parts.rest,
    validate: (text) => problem(asking, `send ${destination} ${amount} ${text}`, text),
  });
}

function askSender(services: TraceServices, asking: ComposeAsking, parts: Parts): Promise<Answer> {
  const wallets = new Set(asking.options.wallets);
  return pickOrType({
    title: `${title} of ${parts.amount} to ${parts.destination}`,
    placeholder: 'Choose the wallet that signs, or a contract to send from without a signature',
    step: 4,
    totalSteps: stepsOf(asking),
    ...(parts.sender === '' ? {} : { value: parts.sender }),
    // Accounts that can sign come first: the contract just deployed rarely sends.
    suggestions: accountSuggestions(
      knownAccounts(services).toSorted((a, b) => Number(wallets.has(b.name)) - Number(wallets.has(a.name))),
    ).map((account) => {
      const signs = wallets.has(account.value);
      return {
        ...account,
        value: `${signs ? 'from' : 'as'} ${account.value}`,
        description: `${account.description}, ${signs ? 'signs' : 'without a signature'}`,
      };
    }),
    read: (text) => {
      const reason = problem(asking, lineOf({ ...parts, sender: senderClause(asking, text) }));
      return reason === undefined ? { ok: true, label: senderClause(asking, text) } : { ok: false, reason };
    },
  }).then((answer) => (typeof answer === 'string' ? senderClause(asking, answer) : answer));
}

/** Wallets sign; for everything else the local network forges the sender. */
function senderClause({ options }: ComposeAsking, text: string): string {
  const name = bareName(text);
  if (/^(from|as)\s/.test(name)) {
    return name;
  }
  return options.wallets.includes(name) ? `from ${name}` : `as ${name}`;
}

/**
 * Why the line cannot be sent, with the position in the typed text; undefined if it can.
 * @param typed the end of the line, if only that was typed
 */
function problem({ read }: ComposeAsking, line: string, typed = line): string | undefined {
  try {
    read(line);
    return undefined;
  } catch (error) {
    if (!WorkbenchError.is(error)) {
      return String(error);
    }
    const { offset } = error.details;
    const at = typeof offset === 'number' ? offset - (line.length - typed.length) : -1;
    const place = at >= 0 && typed !== '' ? `Position ${at + 1}: ` : '';
    return `${place}${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}`;
  }
}
