import * as z from 'zod';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import { WorkbenchError } from '../toolkit/base/errors';
import type { PreparedSend } from '../toolkit/send/preparedSend';
import { notRehearsedLine, rehearsalLine } from '../toolkit/send/rehearsalText';
import type { WalletEvent } from '../toolkit/tonConnect/walletEvent';
import { embeddedWords, relayLines, unheardWords } from '../toolkit/tonConnect/stageWords';
import { relayWays } from '../toolkit/tonConnect/protocol';
import { dAppWords, itemLines, requestNotes, requestWords } from '../toolkit/tonConnect/requestWords';

type Told = Exclude<WalletEvent, { type: 'sessions' }>;

const rehearsalSchema = z.strictObject({
  accepted: z.boolean().nullable(),
  complete: z.boolean().optional(),
  exitCode: jsonFacts.exitCode.optional(),
  fees: jsonFacts.nanocoins.optional(),
  confidence: z.enum(['exact', 'same-compute', 'emulated', 'unknown']).optional(),
  words: z.string(),
});

const requestSchema = z
  .strictObject({
    request: z.int().describe('Its number.'),
    method: z.string(),
    dApp: z.strictObject({
      manifestUrl: z.string(),
      name: z.string().optional(),
      url: z.string().optional(),
      domain: z.string(),
      isFetched: z.boolean(),
    }),
    asks: z.string(),
    params: z.unknown().describe("The dApp's own, with the messages of its items."),
    rehearsal: rehearsalSchema.nullable(),
  })
  .meta({ title: 'A request of a dApp' });

const answerSchema = z
  .strictObject({
    answer: z.int().describe('The number of the request.'),
    method: z.string(),
    decision: z.string().nullable(),
    answered: z.boolean(),
    heard: z.literal(false).optional(),
    note: z.string().optional(),
    result: z.unknown().optional().describe('What the dApp was told.'),
    error: z.strictObject({ code: z.int(), message: z.string() }).optional().describe('By the protocol.'),
    response: z
      .strictObject({
        result: z.unknown().optional(),
        error: z.strictObject({ code: z.int(), message: z.string() }).optional(),
      })
      .optional()
      .describe('Of a connection: the answer to the request in its link.'),
    hash: jsonFacts.hash.optional().describe('The normalized hash of the message that was sent.'),
  })
  .meta({ title: 'An answer to a dApp' });

const relaySchema = z
  .strictObject({
    relay: z.int().describe('The number of the request whose signed message was submitted.'),
    way: z.enum(relayWays),
    outcomes: z.array(
      z.strictObject({
        trace: jsonFacts.hash.optional(),
        accepted: z.boolean().optional(),
        words: z.string(),
      }),
    ),
  })
  .meta({ title: 'A submission of a signed message' });

/** The schema of what `wallet --json` prints: its addresses, then each request and answer. */
export const walletAnswerSchema = z.union([
  z
    .strictObject({
      bridge: z.string(),
      universalLink: z.string(),
      walletsList: z.string(),
      inject: z.string(),
      account: z.string(),
      address: jsonFacts.account,
    })
    .meta({ title: 'The first line' }),
  requestSchema,
  answerSchema,
  relaySchema,
  jsonFacts.leftOut,
]);

/** An event of the wallet for programs. */
export function walletLine(
  event: Told,
): z.infer<typeof requestSchema> | z.infer<typeof answerSchema> | z.infer<typeof relaySchema> {
  if (event.type === 'relay') {
    const { way, outcomes } = event.relay;
    return { relay: event.number, way, outcomes: [...outcomes] };
  }
  if (event.type === 'request') {
    const { number, method, params } = event.request;
    return {
      ...{ request: number, method, dApp: event.session.dApp, asks: requestWords(event.request), params },
      rehearsal: rehearsalJson(event.rehearsed),
    };
  }
  const { number, method, decision, isAnswered, isUnheard, result, error, response, hash } = event.answer;
  const unheard = isUnheard === true ? { heard: false as const, note: unheardWords } : {};
  const answered = { answered: isAnswered, ...unheard };
  return { answer: number, method, decision: decision ?? null, ...answered, result, error, response, hash };
}

/** An event of the wallet for people. */
export function walletText(event: Told, nameOf: (address: string) => string | undefined): string {
  if (event.type === 'request') {
    const { request, session, rehearsed } = event;
    const notes = [...itemLines(request, nameOf), ...requestNotes(request, session)];
    const head = `${request.number}  ${dAppWords(session.dApp)} asks: ${requestWords(request, nameOf)}`;
    const lines = [...notes, ...(rehearsed === undefined ? [] : [rehearsedWords(rehearsed, nameOf)])];
    return [head, ...lines.map((line) => `   ${line}`)].join('\n');
  }
  if (event.type === 'relay') {
    return `${event.number}  ${relayLines(event.relay)}`;
  }
  const { number, method, decision, isAnswered, isUnheard, error, response, hash } = event.answer;
  if (isUnheard === true) {
    return `${number}  not done yet${decision === undefined ? '' : ` (${decision})`}: ${unheardWords}`;
  }
  const ended = method === 'disconnect' ? 'disconnected' : 'done';
  const carriedOut = hash === undefined ? ended : `sent, message ${hash}`;
  const done = error === undefined ? carriedOut : `refused with code ${error.code}: ${error.message}`;
  const how = decision === undefined ? '' : ` (${decision})`;
  return `${number}  ${done}${how}${embeddedWords(response)}${isAnswered ? '' : '; the dApp gets no answer'}`;
}

function rehearsedWords(
  rehearsed: PreparedSend | WorkbenchError,
  name: (address: string) => string | undefined,
): string {
  return WorkbenchError.is(rehearsed)
    ? notRehearsedLine(rehearsed.message)
    : rehearsalLine(rehearsed.rehearsal, { name });
}

function rehearsalJson(
  rehearsed: PreparedSend | WorkbenchError | undefined,
): z.infer<typeof rehearsalSchema> | null {
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
