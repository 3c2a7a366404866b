import type { NetworkReplies } from './networkQuestions';
import { noTime } from './networkQuestions';

/** Seconds of difference to this machine's clock that mean nothing: a `Date` header has whole seconds. */
const usualSkew = 5;

export function clockFinding({ v2Info, v3Info, askedAt }: NetworkReplies): NetworkFinding {
  const servedAt = v2Info.servedAt ?? v3Info.servedAt;
  if (servedAt === undefined) {
    const hasAnswered = [v2Info, v3Info].some(({ state }) => state === 'answered');
    return notAsked('clock', hasAnswered ? 'The service does not report its time.' : 'No API answered.');
  }
  const skew = Math.round((servedAt - askedAt) / 1000);
  return Math.abs(skew) <= usualSkew
    ? good('clock', "The service's clock and this machine's agree.")
    : wrong(
        'clock',
        `The service's clock is ${duration(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} this machine's.`,
        "Set this machine's clock: messages that expire too early, or not at all, come from a wrong one.",
      );
}

/** Seconds without a block that are no cause for alarm. */
const usualDelay = 30;

export function blocksFinding({ header, v3Info, v2Info, askedAt, kind }: NetworkReplies): NetworkFinding {
  const genUtime = header.value?.gen_utime ?? v3Info.value?.last?.gen_utime;
  const behind = lagOfV3(v2Info.value?.last.seqno, v3Info.value?.last?.seqno ?? undefined);
  if (genUtime == null) {
    return notAsked('blocks', `No API reported the time of its newest block.${behind}`);
  }
  const delay = Math.max(0, Math.round(askedAt / 1000 - genUtime));
  const text = `The newest block is ${duration(delay)} old.${behind}`;
  return delay <= usualDelay || kind === 'local'
    ? good('blocks', text)
    : wrong(
        'blocks',
        text,
        'The service lags, or the network has stopped: what is sent may stay unseen. Try another service.',
      );
}

function lagOfV3(v2: number | undefined, v3: number | undefined): string {
  if (v2 === undefined || v3 === undefined) {
    return '';
  }
  return v2 - v3 > 20
    ? ` v3 is ${v2 - v3} blocks behind v2.`
    : v3 - v2 > 20
      ? ` v2 is ${v3 - v2} blocks behind v3.`
      : '';
}

export function archiveFinding({
  blocks: tried,
  oldState,
  v2Info,
  v3Info,
  hasV2,
}: NetworkReplies): NetworkFinding {
  const first = v3Info.value?.first?.seqno;
  const index = first == null ? '' : ` v3 has blocks from ${first} on.`;
  const oldest = tried.find(({ state }) => state === 'answered');
  const gone = tried.filter(({ isGone }) => isGone).map(({ seqno }) => seqno);
  if (oldest === undefined) {
    const why = !hasV2
      ? 'There is no v2.'
      : v2Info.state === 'answered'
        ? noTime
        : 'The API v2 did not tell its newest block.';
    return gone.length === 0
      ? notAsked('archive', `${why}${index}`)
      : open(
          'archive',
          `v2 did not answer for the blocks ${gone.join(', ')}.${index}`,
          'For old states, use an archive service.',
        );
  }
  const least = gone.length === 0 ? '' : `, not ${gone.join(', ')}`;
  const state =
    oldState === undefined || oldState.reply.state === 'not asked'
      ? ' States were not asked for.'
      : oldState.reply.state === 'answered'
        ? ' The state of an account is there, too.'
        : ` The state of an account there is gone: ${oldState.reply.error?.message ?? ''}`;
  const text = `v2 answers for block ${oldest.seqno}${least}.${state}${index}`;
  return oldState?.reply.state === 'answered' && gone.length === 0
    ? good('archive', text)
    : open('archive', text, 'To fork or replay what is older, use an archive service.');
}

export function tvmFinding({
  tvmVersion: version,
  byConfigId,
  byParam,
  engineVersion,
  kind,
}: NetworkReplies): NetworkFinding {
  if (version === undefined) {
    return byConfigId.state === 'not asked'
      ? notAsked('TVM version', byConfigId.why ?? noTime)
      : open(
          'TVM version',
          [byConfigId, byParam].some(({ state }) => state === 'answered')
            ? 'The configuration does not contain it: it has no parameter 8.'
            : `It is unknown: ${(byParam.error ?? byConfigId.error)?.message ?? 'it was not answered.'}`,
        );
  }
  return version <= engineVersion
    ? good('TVM version', `Version ${version}, which runs here, too.`)
    : open(
        'TVM version',
        kind === 'local'
          ? `The configuration is of version ${version}; this network itself runs version ${engineVersion}, and replays say where that matters.`
          : `Version ${version}; rehearsals and replays here run version ${engineVersion}, and say so where it matters.`,
      );
}

function duration(whole: number): string {
  return whole < 120
    ? `${whole} s`
    : whole < 7200
      ? `${Math.round(whole / 60)} minutes`
      : `${Math.round(whole / 3600)} hours`;
}

/** What a finding is about, in the order in which one causes the next. */
export const networkSubjects = [
  'key',
  'limits',
  'v2',
  'v3',
  'same chain',
  'methods of v2',
  'methods of v3',
  'streaming',
  'sending',
  'clock',
  'blocks',
  'archive',
  'TVM version',
] as const;

/** Something about a network that was looked at, or was not. */
export interface NetworkFinding {
  subject: (typeof networkSubjects)[number];
  /** `open` is neither good nor wrong; `not asked` says nothing either way. */
  state: 'good' | 'wrong' | 'open' | 'not asked';
  /** A sentence: what it is, and why. */
  text: string;
  /** What to do, as a sentence; undefined if there is nothing to do. */
  next?: string | undefined;
}

/** What a network turned out to be. */
export interface NetworkDiagnosis {
  findings: readonly NetworkFinding[];
  /** Requests sent. */
  requests: number;
  elapsedMs: number;
  v2: { implementation: 'C++' | 'Python' | null; version: string | null } | null;
  v3: { version: string | null } | null;
  /** Null if it was not asked. */
  streaming: boolean | null;
  /** Endpoints that answered that they do not exist, such as `v2 /getConfigAll`. */
  lacks: readonly string[];
  /** Parameter 8 of the configuration. */
  tvmVersion: number | null;
}

type Subject = NetworkFinding['subject'];

export const good = (subject: Subject, text: string): NetworkFinding => ({ subject, state: 'good', text });
export const open = (subject: Subject, text: string, next?: string): NetworkFinding => ({
  ...{ subject, state: 'open', text },
  ...(next === undefined ? {} : { next }),
});
export const wrong = (subject: Subject, text: string, next: string): NetworkFinding => ({
  ...{ subject, state: 'wrong', text, next },
});
export const notAsked = (subject: Subject, text: string): NetworkFinding => ({
  ...{ subject, state: 'not asked', text },
});
