import { setKeySentence } from '../errors';
import { v2Variant } from '../prepareRequest';
import type { NetworkFinding } from './chainFindings';
import {
  archiveFinding,
  blocksFinding,
  clockFinding,
  good,
  notAsked,
  open,
  tvmFinding,
  wrong,
} from './chainFindings';
import type { NetworkReplies, Reply } from './networkQuestions';
import { batchSize, noAnswer, noTime, streamingProbe, useOf } from './networkQuestions';

/** The findings, the causes first: what is wrong, then the rest in the order of the subjects. */
export function networkFindings(replies: NetworkReplies): NetworkFinding[] {
  const findings = [
    key(replies),
    limits(replies),
    api('v2', replies.hasV2, replies.v2Info, v2Name(replies)),
    api('v3', replies.hasV3, replies.v3Info, 'The index'),
    sameChain(replies),
    v2Methods(replies),
    v3Methods(replies),
    streaming(replies),
    sending(replies),
    clockFinding(replies),
    blocksFinding(replies),
    archiveFinding(replies),
    tvmFinding(replies),
  ];
  return [
    ...findings.filter(({ state }) => state === 'wrong'),
    ...findings.filter(({ state }) => state !== 'wrong'),
  ];
}

function everyReply(replies: NetworkReplies): Reply[] {
  const { v2Info, v3Info, header, byConfigId, byParam, streaming: stream, batch } = replies;
  return [
    ...[v2Info, v3Info, header, byConfigId, byParam, stream, batch],
    ...Object.values(replies.v2Methods),
    ...Object.values(replies.v3Methods),
  ];
}

/** Whether one of the APIs is there: what refuses everything is none. */
function hasAnswered(replies: NetworkReplies): boolean {
  return everyReply(replies).some(({ state }) => state === 'answered');
}

function key(replies: NetworkReplies): NetworkFinding {
  const locked = everyReply(replies).find(({ state }) => state === 'locked');
  if (locked !== undefined) {
    const next = replies.hasKey
      ? 'Check the key, and that it is for this network: a key belongs to one network. A new one takes up to 10 minutes to work.'
      : setKeySentence;
    return wrong('key', locked.error?.message ?? 'The service refused the key.', next);
  }
  const answered = hasAnswered(replies);
  if (!replies.hasKey) {
    return open('key', answered ? 'None was sent, and none was asked for.' : 'None was sent.');
  }
  return answered
    ? good('key', 'It was sent and nothing refused it.')
    : notAsked('key', 'It was sent, but nothing answered.');
}

function limits(replies: NetworkReplies): NetworkFinding {
  const { throttling, slow, missingKey, requests, elapsedMs, batch } = replies;
  const inAll = `${requests} ${requests === 1 ? 'request' : 'requests'} in ${seconds(elapsedMs)}`;
  const lists = listWords(batch);
  if (throttling !== undefined) {
    const { after, withinMs, shape } = throttling;
    const which = after === 0 ? 'The first request' : `After ${after} in ${seconds(withinMs)}, a request`;
    const why = shape === 'status 429' ? missingKey.refused : missingKey.overloaded;
    return wrong(
      'limits',
      shape === noAnswer
        ? `${which} got no answer in time.${lists}`
        : `${which} was refused with ${shape}; what followed was asked once per second.${lists}`,
      why ??
        'Wait a moment, or set a lower rate: --requests-per-second, or requestsPerSecond of the network.',
    );
  }
  if (slow.length > 0) {
    const text = `Of ${inAll}, ${slow.length} took up to ${seconds(Math.max(...slow))}.${lists}`;
    return wrong('limits', text, missingKey.overloaded ?? 'Try again later, or use another service.');
  }
  return !hasAnswered(replies)
    ? notAsked('limits', 'Nothing answered as an API does.')
    : good('limits', `${inAll}, none refused.${lists}`);
}

function listWords({ state, error }: Reply): string {
  switch (state) {
    case 'answered':
      return ` A list of ${batchSize} addresses is taken.`;
    case 'taken':
      return ` A list of ${batchSize} addresses is refused: ${error?.message ?? ''}`;
    case 'not asked':
      return ' Long lists were not asked for.';
    default:
      return '';
  }
}

function v2Name({ v2Info }: NetworkReplies): string {
  const variant = v2Variant(v2Info.apiVersion);
  return variant === undefined
    ? 'A service'
    : variant === 'C++'
      ? 'The C++ service'
      : 'The classic service (Python)';
}

function api(
  subject: 'v2' | 'v3',
  isThere: boolean,
  info: NetworkReplies['v2Info'] | NetworkReplies['v3Info'],
  name: string,
): NetworkFinding {
  if (!isThere) {
    const without =
      subject === 'v2'
        ? 'nothing can be sent, forked, or replayed'
        : 'there are no traces, actions, and lists';
    return open(
      subject,
      `The network has no URL for it: ${without}.`,
      `Give the network a ${subject} URL if it has one.`,
    );
  }
  switch (info.state) {
    case 'answered': {
      const seqno = info.value?.last?.seqno;
      const version = info.apiVersion === undefined ? 'without a version' : `version ${info.apiVersion}`;
      return good(subject, `${name}, ${version}${seqno == null ? '' : `, block ${seqno}`}.`);
    }
    case 'not asked':
      return notAsked(subject, info.why ?? noTime);
    case 'lacking':
      return wrong(
        subject,
        `There is something, but no API ${subject}: ${info.error?.message ?? ''}`,
        'Check the URL of the network; it must end where the methods begin, such as in /api/v2.',
      );
    default:
      return wrong(
        subject,
        info.error?.message ?? 'It does not answer.',
        info.error?.hint ?? 'Try again later.',
      );
  }
}

function sameChain({ hasV2, hasV3, shared }: NetworkReplies): NetworkFinding {
  if (!hasV2 || !hasV3) {
    return notAsked('same chain', 'There is only one API.');
  }
  if (shared?.v2 === undefined || shared.v3 === undefined) {
    return notAsked('same chain', 'The two APIs did not both report a block to compare.');
  }
  return shared.v2 === shared.v3
    ? good('same chain', `Block ${shared.seqno} is the same on both APIs.`)
    : wrong(
        'same chain',
        `Block ${shared.seqno} is not the same: ${shared.v2.slice(0, 8)}… on v2, ${shared.v3.slice(0, 8)}… on v3. They are of different networks.`,
        'Check the two URLs of the network: one of them is for another network.',
      );
}

function v2Methods({ hasV2, v2Methods: asked, byConfigId, byParam, v2Info }: NetworkReplies): NetworkFinding {
  const names =
    byConfigId.state === 'answered'
      ? ' getConfigParam takes config_id.'
      : byParam.state === 'answered'
        ? ' getConfigParam takes param, not config_id; both work here.'
        : '';
  return methods('methods of v2', hasV2 && v2Info.state === 'answered', asked, names);
}

function v3Methods({ hasV3, v3Methods: asked, v3Info }: NetworkReplies): NetworkFinding {
  return methods('methods of v3', hasV3 && v3Info.state === 'answered', asked, '');
}

function methods(
  subject: 'methods of v2' | 'methods of v3',
  isThere: boolean,
  asked: Readonly<Record<string, Reply>>,
  more: string,
): NetworkFinding {
  const entries = Object.entries(asked);
  const named = (wanted: Reply['state'][]): string[] =>
    entries.filter(([, { state }]) => wanted.includes(state)).map(([name]) => name);
  const [lacking, there] = [named(['lacking']), named(['answered', 'taken'])];
  const unknown = entries
    .map(([name]) => name)
    .filter((name) => !lacking.includes(name) && !there.includes(name));
  const rest = unknown.length === 0 ? '' : ` Not asked, or not answered: ${unknown.join(', ')}.`;
  if (lacking.length > 0 && isThere) {
    const effects = lacking.map((name) => `without ${name}, ${useOf[name as keyof typeof useOf]}`).join('; ');
    return wrong(
      subject,
      `It lacks ${lacking.join(', ')}: ${effects}.${more}${rest}`,
      'Use a newer service, or one that has them.',
    );
  }
  if (!isThere || there.length === 0) {
    const why = Object.values(asked).find((one) => one.why !== undefined)?.why ?? noTime;
    return notAsked(subject, isThere ? why : 'The API did not answer.');
  }
  return unknown.length === 0
    ? good(subject, `It has ${there.join(', ')}.${more} Others were not asked.`)
    : open(subject, `It has ${there.join(', ')}.${more}${rest}`);
}

/** Whether a service of streams refused the empty subscription; one that refuses everything is none. */
export function isStreaming(replies: NetworkReplies): boolean {
  const { state } = replies.streaming;
  return (state === 'taken' || state === 'answered') && hasAnswered(replies);
}

function streaming(replies: NetworkReplies): NetworkFinding {
  const { streaming: reply } = replies;
  switch (reply.state) {
    case 'taken':
    case 'answered':
      return isStreaming(replies)
        ? good('streaming', 'Streaming v2 is there, beside v2.')
        : open('streaming', 'It is unknown: whatever is asked is refused.');
    case 'not asked':
      return notAsked('streaming', reply.why ?? noTime);
    case 'lacking':
      return open('streaming', 'There is no streaming; changes are found by polling.');
    default:
      return open('streaming', `It is unknown: ${streamWords(reply)}`);
  }
}

/** Its address is told as it is written: it lies beside that of v2. */
function streamWords({ error }: Reply): string {
  return (
    error?.message
      .replaceAll(`v2 ${streamingProbe.path}`, 'the stream')
      .replaceAll(streamingProbe.path, '') ?? ''
  );
}

function sending({ hasV2, v2Info, v2Methods: { sendBoc } }: NetworkReplies): NetworkFinding {
  if (hasV2 && v2Info.state !== 'answered' && sendBoc.state !== 'locked') {
    return notAsked('sending', 'The API v2 did not answer.');
  }
  switch (sendBoc.state) {
    case 'taken':
      return good('sending', 'sendBoc is there: it refused a request without a message. Nothing was sent.');
    case 'answered':
      return open('sending', 'sendBoc took a request without a message, so it may take any and send none.');
    case 'lacking':
      return wrong(
        'sending',
        'There is no sendBoc, so messages cannot be sent.',
        'Use another service to send.',
      );
    case 'locked':
      return wrong('sending', sendBoc.error?.message ?? 'sendBoc needs a key.', setKeySentence);
    case 'not asked':
      return notAsked(
        'sending',
        hasV2 ? (sendBoc.why ?? noTime) : 'There is no v2, by which messages are sent.',
      );
    default:
      return open('sending', `It is unknown: ${sendBoc.error?.message ?? ''}`);
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
