import { WorkbenchError } from '../errors';
import { toPlainError } from './plainError';
import type { PlainError } from './plainError';

/** The method names of an interface; its other members cannot be called across threads. */
export type MethodOf<Face> = {
  [Name in keyof Face]: Face[Name] extends (...parameters: never[]) => unknown ? Name : never;
}[keyof Face] &
  string;

/** A call, sent to the side with the object. */
export interface RemoteCall {
  type: 'call';
  id: number;
  method: string;
  parameters: unknown[];
}

/** The outcome of a call. */
export type RemoteResult =
  { type: 'result'; id: number; value: unknown } | { type: 'refused'; id: number; error: PlainError };

type ParametersOf<Member> = Member extends (...parameters: infer All) => unknown ? All : never;
type ResultOf<Member> = Member extends (...parameters: never[]) => infer Value ? Awaited<Value> : never;

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: WorkbenchError) => void;
}

/** The caller's end of a connection to another thread: calls methods of `Face` there. */
export class RemoteCalls<Face> {
  readonly #pending = new Map<number, Pending>();
  #count = 0;
  #ended: WorkbenchError | undefined;

  /** @param post sends a call to the other thread */
  constructor(private readonly post: (call: RemoteCall) => void) {}

  /** Whether no call is waiting for its result. */
  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  /** Rejects with the method's error, or with the error passed to {@link end}. */
  call<Name extends MethodOf<Face>>(
    method: Name,
    ...parameters: ParametersOf<Face[Name]>
  ): Promise<ResultOf<Face[Name]>> {
    if (this.#ended !== undefined) {
      return Promise.reject(this.#ended);
    }
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.post({ type: 'call', id, method, parameters });
    });
  }

  /** Settles the call of a result. */
  receive(result: RemoteResult): void {
    const pending = this.#pending.get(result.id);
    this.#pending.delete(result.id);
    if (result.type === 'result') {
      pending?.resolve(result.value);
    } else {
      pending?.reject(new WorkbenchError(result.error));
    }
  }

  /** Rejects every waiting and later call. Only the first end counts. */
  end(error: WorkbenchError): void {
    this.#ended ??= error;
    this.#pending.forEach(({ reject }) => reject(error));
    this.#pending.clear();
  }
}

/** Runs a call on the side with the object, and returns its outcome. Never rejects. */
export async function serveCall<Face>(
  face: Pick<Face, MethodOf<Face>>,
  { id, method, parameters }: RemoteCall,
): Promise<RemoteResult> {
  try {
    const run = (face as Record<string, (...parameters: unknown[]) => unknown>)[method];
    if (run === undefined) {
      throw new TypeError(`There is no method ${method}.`);
    }
    return { type: 'result', id, value: await run.apply(face, parameters) };
  } catch (error) {
    return { type: 'refused', id, error: toPlainError(error) };
  }
}
