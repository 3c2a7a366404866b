/** The parts of a receiver that rules are about, besides how it gets the bytes, which is the framework's. */
export type ReceiverPart = 'signature' | 'event' | 'order' | 'chain' | 'once';

/** What a service's receiver consists of, as JavaScript; the frameworks frame it. */
export interface ReceiverCode {
  /** Whose webhooks it receives, as it is said in a sentence. */
  readonly service: string;
  /** The functions that keep the rules, in the order of the file. One without a part of its own is kept by `receive`. */
  readonly parts: Readonly<Partial<Record<ReceiverPart, string>>>;
  /** `receive(body, headers, options)`, which puts the parts together and returns the status; header names are in lowercase. */
  readonly receive: string;
  /** `readOptions()` and what it needs: what the receiver is run with. */
  readonly options: string;
  /** The environment variables that it does not start without, besides `PORT`. */
  readonly variables: readonly string[];
  /**
   * Its test for `node --test`, with `options()`, and with `sign(body)`, which returns headers. It delivers with
   * `post(body, headers?)`.
   */
  readonly test: string;
}
