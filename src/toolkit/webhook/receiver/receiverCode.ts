/** The parts of a receiver that rules are about, besides how it gets the bytes, which is the framework's. */
export type ReceiverPart = 'signature' | 'event' | 'order' | 'chain' | 'once';

/** A function that keeps a rule. */
export interface ReceiverRule {
  /** The function, and what it needs. */
  code: string;
  /** What `receive` does with it, indented as there. */
  call: string;
}

/** What a service's receiver consists of, as JavaScript; the frameworks frame it. */
export interface ReceiverCode {
  /** Whose webhooks it receives, as it is said in a sentence. */
  readonly service: string;
  /** What keeps the rules, in the order of the file. A rule without a part of its own is kept by `receive`. */
  readonly parts: Readonly<Partial<Record<ReceiverPart, ReceiverRule>>>;
  /** Fields of a delivery that is about the order or user in `options`, as `--set` takes them. */
  readonly example?: string;
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
