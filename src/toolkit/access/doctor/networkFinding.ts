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
