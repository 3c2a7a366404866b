import type { AbiType } from './abiType';
import type { GetMethodSignature } from './getMethodSignature';
import { TolkBody } from './tolkBody';
import type { TolkHead, TolkHeads } from './tolkHeads';
import { TolkTypes } from './tolkTypes';
import { UnexpectedToken } from './tokenize';
import type { TypeDeclaration } from './typeResolver';

/** Functions that call one another are followed so deep. */
const deepest = 12;

/**
 * The results of get-methods that a Tolk source leaves to the compiler (`get fun sum() { return this + that; }`), as it
 * infers them from what is returned. A result stays unknown if a part of it cannot be told.
 *
 * @param own what the text of the methods declares
 * @param imported what the other texts of the contract declare
 * @param find the declaration of a type of these
 * @param library the declaration of a type of the standard library
 */
export function inferTolkResults(
  methods: readonly GetMethodSignature[],
  {
    own,
    imported,
    find,
    library,
  }: { own: TolkHeads; imported: readonly TolkHeads[]; find: Find; library: Find },
): GetMethodSignature[] {
  const types = new TolkTypes((name) => find(name) ?? library(name), [own, ...imported]);
  const results = new TolkResults(types);
  return methods.map((method) => {
    const head = own.functions.find(({ name, receiver }) => name === method.name && receiver === undefined);
    const isOpen = method.result.kind === 'unknown' && head?.result === undefined;
    const result = isOpen && head !== undefined ? results.of(head) : undefined;
    const told = result && types.told(result, find);
    return told === undefined ? method : { ...method, result: told };
  });
}

type Find = (name: string) => TypeDeclaration | undefined;

/** The results of functions that a Tolk contract leaves to the compiler. */
class TolkResults {
  readonly #types: TolkTypes;
  readonly #known = new Map<TolkHead, AbiType | undefined>();
  readonly #constants = new Map<string, AbiType | undefined>();
  #depth = 0;

  constructor(types: TolkTypes) {
    this.#types = types;
  }

  /** undefined if it cannot be told. */
  of(head: TolkHead): AbiType | undefined {
    if (head.result !== undefined || head.body === undefined) {
      return head.result;
    }
    if (!this.#known.has(head)) {
      // One that returns its own result has none that is plain to see.
      this.#known.set(head, undefined);
      const { body } = head;
      this.#known.set(
        head,
        this.#read(() => new TolkBody(this.#types, body, this).resultOf(head)),
      );
    }
    return this.#known.get(head);
  }

  constant(name: string): AbiType | undefined {
    const found = this.#types.valueNamed(name);
    if (found === undefined || 'type' in found) {
      return found?.type;
    }
    if (!this.#constants.has(name)) {
      this.#constants.set(name, undefined);
      this.#constants.set(
        name,
        this.#read(() => new TolkBody(this.#types, found.value, this).value()),
      );
    }
    return this.#constants.get(name);
  }

  #read(read: () => AbiType | undefined): AbiType | undefined {
    if (this.#depth === deepest) {
      return undefined;
    }
    this.#depth++;
    try {
      return read();
    } catch (error) {
      if (error instanceof UnexpectedToken) {
        return undefined;
      }
      throw error;
    } finally {
      this.#depth--;
    }
  }
}
