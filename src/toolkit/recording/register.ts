/**
 * A register after one of its changes: worked out when somebody asks, from the nearest value before that is known.
 */
export class Register<T> {
  private known: { value: T | undefined } | undefined;

  private constructor(
    private readonly previous: Register<T> | undefined,
    private readonly change: (before: T | undefined) => T | undefined,
  ) {}

  /** A value that does not depend on the one before. */
  static of<T>(read: () => T | undefined): Register<T> {
    return new Register<T>(undefined, read);
  }

  /** The register after a change of a known value; an unknown one stays unknown. */
  changed(change: (before: T) => T | undefined): Register<T> {
    return new Register<T>(this, (before) => (before === undefined ? undefined : change(before)));
  }

  /** Undefined if unknown. */
  value(): T | undefined {
    this.known ??= { value: Register.work(this) };
    return this.known.value;
  }

  /** Without recursion: an execution may change a register tens of thousands of times. */
  private static work<T>(register: Register<T>): T | undefined {
    const changes: Register<T>[] = [];
    let nearest: Register<T> | undefined = register;
    while (nearest !== undefined && nearest.known === undefined) {
      changes.push(nearest);
      nearest = nearest.previous;
    }
    return changes.reduceRight((value, { change }) => change(value), nearest?.known?.value);
  }
}
